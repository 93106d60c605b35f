"""A layer of BERT (Devlin et al., NAACL 2019) in few, plain operations, for training and export; padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

HIDDEN = -1e4
"""Added to the attention scores of padding."""


class Layer(nn.Module):
    """A post-norm transformer layer with one projection for query, key and value."""

    def __init__(self, width: int, heads: int, inner: int, epsilon: float = 1e-12) -> None:
        super().__init__()
        self.heads = heads
        self.joint = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.norm1 = nn.LayerNorm(width, eps=epsilon)
        self.norm2 = nn.LayerNorm(width, eps=epsilon)

    def forward(self, state: Tensor, bias: Tensor) -> Tensor:
        """``state`` (batch, pieces, width); ``bias`` is added to attention before its softmax."""
        batch, pieces, width = state.shape
        parts = self.joint(state).view(batch, pieces, 3, self.heads, width // self.heads)
        query, key, value = (parts[:, :, k].transpose(1, 2) for k in range(3))
        if state.device.type == "cpu":  # in bfloat16, plain products are fastest on a processor
            weights = torch.softmax(query @ key.transpose(2, 3) * (width // self.heads) ** -0.5 + bias, -1)
            context = weights @ value
        else:
            context = F.scaled_dot_product_attention(query, key, value, bias.to(query.dtype))
        context = context.transpose(1, 2).reshape(batch, pieces, width)
        state = self.norm1(self.out(context) + state)
        return cast(Tensor, self.norm2(self.down(F.gelu(self.up(state))) + state))


def layer_of(given: Any) -> Layer:
    """The layer with the weights of one of transformers' BERT layers."""
    attention, output = given.attention.self, given.attention.output
    width, inner = given.intermediate.dense.in_features, given.intermediate.dense.out_features
    layer = Layer(width, attention.num_attention_heads, inner, output.LayerNorm.eps)
    parts = (attention.query, attention.key, attention.value)
    layer.joint.weight.data = torch.cat([part.weight.data for part in parts])
    layer.joint.bias.data = torch.cat([part.bias.data for part in parts])
    own = (layer.out, layer.norm1, layer.up, layer.down, layer.norm2)
    theirs = (output.dense, output.LayerNorm, given.intermediate.dense, given.output.dense, given.output.LayerNorm)
    for one, other in zip(own, theirs, strict=True):
        one.load_state_dict(other.state_dict())
    return layer


def padded(rows: Sequence[NDArray[Any]]) -> tuple[Tensor, Tensor]:
    """Rows of words, padded, in single precision (sentences, words, width), and a mask of the words."""
    sizes = torch.tensor([len(row) for row in rows])
    values = pad_sequence([torch.from_numpy(row.astype(np.float32)) for row in rows], batch_first=True)
    return values, torch.arange(values.shape[1]) < sizes[:, None]
