"""The network that reads two texts in one pass, for training and export.

A pair is read as ``<s> source </s> output </s>`` (Devlin et al., NAACL 2019). Every piece is also marked with whether
the other text has it in the same order, elsewhere, or not at all, so that one changed word in a near copy is as visible
as a free rewording.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import torch
from sema_reader.windows import LOGITS
from torch import Tensor, nn
from torch.nn import functional as F

from training.transformer import HIDDEN, Layer


@dataclass(frozen=True)
class Shape:
    """Sizes of an encoder; ``kinds``: of pieces, each with an embedding of its own; ``joint``: width of the layer below
    the pair's logits."""

    width: int = 384
    heads: int = 12
    inner: int = 1536
    layers: int = 12
    positions: int = 512
    kinds: int = 2
    epsilon: float = 1e-12
    joint: int = 384


class Encoder(nn.Module):
    """Embedded pieces to states; the embeddings of pieces are not part of it and are frozen."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.place = nn.Embedding(shape.positions, shape.width)
        self.kind = nn.Embedding(shape.kinds, shape.width)
        self.overlap = nn.Embedding(4, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=shape.epsilon)
        self.layers = nn.ModuleList(
            Layer(shape.width, shape.heads, shape.inner, shape.epsilon) for _ in range(shape.layers)
        )
        nn.init.zeros_(self.overlap.weight)
        nn.init.zeros_(self.kind.weight)

    def forward(self, words: Tensor, types: Tensor, marks: Tensor, mask: Tensor) -> Tensor:
        """States (batch, pieces, width) of embedded pieces."""
        places = torch.arange(words.shape[1], device=words.device)
        bias = ((1.0 - mask.to(words.dtype)) * HIDDEN)[:, None, None, :]
        state = self.norm(words + self.place(places) + self.kind(types) + self.overlap(marks))
        for layer in self.layers:
            state = layer(state, bias)
        return cast(Tensor, state)


class PairNetwork(nn.Module):
    """Pieces of a pair to logits of the pair, of the source's pieces and of the output's.

    The pair's logits are at the places that :mod:`sema_reader.windows` names; a piece has three: kept, missing,
    contradicted (of the output: supported, added, contradicting).
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.encoder = Encoder(shape)
        self.drop = nn.Dropout(0.1)
        self.joint = nn.Linear(3 * shape.width, shape.joint)
        self.pair = nn.Linear(shape.joint, LOGITS)
        self.source_word = nn.Linear(shape.width, 3)
        self.output_word = nn.Linear(shape.width, 3)

    def forward(self, words: Tensor, types: Tensor, marks: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """``words``: embedded pieces (batch, pieces, width); ``types``: 0 for source, 1 for output; ``marks``: overlap
        marks; ``mask``: 1 for a piece, 0 for padding; all three (batch, pieces)."""
        states = self.encoder(words, types, marks, mask)
        joint = F.gelu(self.joint(self.drop(self.pooled(states, types, marks))))
        dropped = self.drop(states)
        return self.pair(self.drop(joint)), self.source_word(dropped), self.output_word(dropped)

    @staticmethod
    def pooled(states: Tensor, types: Tensor, marks: Tensor) -> Tensor:
        """The first state, the mean of the source's and the mean of the output's (batch, 3 x width)."""
        inside, second = (marks > 0).to(states.dtype), types.to(states.dtype)

        def mean(chosen: Tensor) -> Tensor:
            return (states * chosen[..., None]).sum(1) / chosen.sum(1, keepdim=True).clamp(min=1.0)

        return torch.cat([states[:, 0], mean(inside * (1 - second)), mean(inside * second)], 1)
