"""The network that reads two texts in one pass, for training and export.

A pair is read as ``<s> source </s> output </s>`` (Devlin et al., NAACL 2019). Every piece is also marked with whether
the other text has it in the same order, elsewhere, or not at all, so that one changed word in a near copy is as visible
as a free rewording.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from sema_reader.windows import LOGITS
from torch import Tensor, nn
from torch.nn import functional as F

from training.e5 import begin_as_e5
from training.encoder import Encoder, Shape

JOINT = 384
"""The width of the layer below the pair's logits."""


class PairNetwork(nn.Module):
    """Pieces of a pair to logits of the pair, of the source's pieces and of the output's.

    The pair's logits are at the places that :mod:`sema_reader.windows` names; a piece has three: kept, missing,
    contradicted (of the output: supported, added, contradicting).
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.encoder = Encoder(shape)
        self.drop = nn.Dropout(0.1)
        self.joint = nn.Linear(3 * shape.width, JOINT)
        self.pair = nn.Linear(JOINT, LOGITS)
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


def untrained() -> PairNetwork:
    """The network before training, on multilingual-e5-small."""
    torch.manual_seed(1)
    network = PairNetwork(Shape())
    begin_as_e5(network.encoder)
    return network


def mean_of(networks: Sequence[PairNetwork]) -> PairNetwork:
    """The network whose weights are the mean of those of networks that began alike."""
    states = [one.state_dict() for one in networks]
    network = untrained()
    network.load_state_dict({name: torch.stack([one[name] for one in states]).mean(0) for name in states[0]})
    return network
