"""The encoder of all networks, BERT's (Devlin et al., NAACL 2019) in few, plain operations, for training and export."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

Network = TypeVar("Network", bound=nn.Module)
HIDDEN = -1e4
"""Added to the attention scores of padding."""
_EPSILON = 1e-12
"""Of layer norms."""
_PARTS: Mapping[str, Sequence[str]] = {
    "joint": ("query", "key", "value"), "out": ("context",), "norm1": ("context norm",), "up": ("up",),
    "down": ("down",), "norm2": ("norm",),
}  # fmt: skip
"""The parts of a layer, and those of a published layer that are joined in them."""


@dataclass(frozen=True)
class Shape:
    """Sizes of an encoder; ``kinds``: of pieces, each with an embedding of its own (0: pieces have neither kinds nor
    overlap marks); ``drop``: the share of activations that training drops."""

    width: int = 384
    heads: int = 12
    inner: int = 1536
    layers: int = 12
    positions: int = 512
    kinds: int = 2
    drop: float = 0.0


class Layer(nn.Module):
    """A post-norm transformer layer with one projection for query, key and value."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        self.joint = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.up = nn.Linear(width, shape.inner)
        self.down = nn.Linear(shape.inner, width)
        self.norm1 = nn.LayerNorm(width, eps=_EPSILON)
        self.norm2 = nn.LayerNorm(width, eps=_EPSILON)
        self.drop = nn.Dropout(shape.drop)

    def forward(self, state: Tensor, bias: Tensor) -> Tensor:
        """``state`` (batch, pieces, width); ``bias`` is added to attention before its softmax."""
        batch, pieces, width = state.shape
        parts = self.joint(state).view(batch, pieces, 3, self.heads, width // self.heads)
        query, key, value = (parts[:, :, k].transpose(1, 2) for k in range(3))
        if state.device.type == "cpu":  # in bfloat16, plain products are fastest on a processor
            weights = torch.softmax(query @ key.transpose(2, 3) * (width // self.heads) ** -0.5 + bias, -1)
            context = self.drop(weights) @ value
        else:
            dropped = self.drop.p if self.training else 0.0
            context = F.scaled_dot_product_attention(query, key, value, bias.to(query.dtype), dropped)
        context = context.transpose(1, 2).reshape(batch, pieces, width)
        state = self.norm1(self.drop(self.out(context)) + state)
        return self.norm2(self.drop(self.down(F.gelu(self.up(state)))) + state)


class Encoder(nn.Module):
    """Embedded pieces to states; the embeddings of pieces are not part of it and are frozen."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.place = nn.Embedding(shape.positions, shape.width)
        if shape.kinds:
            self.kind = nn.Embedding(shape.kinds, shape.width)
            self.overlap = nn.Embedding(4, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=_EPSILON)
        self.drop = nn.Dropout(shape.drop)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        if shape.kinds:
            nn.init.zeros_(self.overlap.weight)
            nn.init.zeros_(self.kind.weight)

    def forward(self, words: Tensor, types: Tensor, marks: Tensor, mask: Tensor) -> Tensor:
        """States (batch, pieces, width) of embedded pieces."""
        return self.states(words, mask, self.kind(types), self.overlap(marks))[-1]

    def states(self, words: Tensor, mask: Tensor, *added: Tensor) -> list[Tensor]:
        """The states of every layer; what is ``added`` to the embedded pieces has their shape."""
        bias = ((1.0 - mask.to(words.dtype)) * HIDDEN)[:, None, None, :]
        state = words + self.place(torch.arange(words.shape[1], device=words.device))
        for one in added:
            state = state + one
        state = self.drop(self.norm(state))
        found = []
        for layer in self.layers:
            state = layer(state, bias)
            found.append(state)
        return found

    def begin(self, places: Tensor, weight: Tensor, bias: Tensor, part_of: Callable[[int, str, str], Tensor]) -> None:
        """Start from published weights: of positions, of the norm below the layers, and of the first layers.

        ``part_of`` gives the ``weight`` or ``bias`` of a layer's part: its ``query``, ``key``, ``value``, ``context``,
        ``context norm``, ``up``, ``down`` or ``norm``.
        """
        weights = {"place.weight": places[: self.shape.positions], "norm.weight": weight, "norm.bias": bias}
        for layer in range(self.shape.layers):
            for name, parts in _PARTS.items():
                for kind in ("weight", "bias"):
                    weights[f"layers.{layer}.{name}.{kind}"] = torch.cat([part_of(layer, one, kind) for one in parts])
        self.load_state_dict(self.state_dict() | weights)


def shortened(network: Network, longest: int) -> Network:
    """A copy of a network, ready for export, whose encoder has only as many positions as the longest text needs."""
    copy = deepcopy(network).float().eval()
    place = cast(Encoder, copy.encoder).place
    place.weight.data = place.weight.data[:longest]
    return copy


def padded(rows: Sequence[NDArray[Any]]) -> tuple[Tensor, Tensor]:
    """Rows of words, padded, in single precision (sentences, words, width), and a mask of the words."""
    sizes = torch.tensor([len(row) for row in rows])
    values = pad_sequence([torch.from_numpy(row.astype(np.float32)) for row in rows], batch_first=True)
    return values, torch.arange(values.shape[1]) < sizes[:, None]
