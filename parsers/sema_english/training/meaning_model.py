"""The network that learns ratings: a probability for every word, weights for words, a sum that ratings follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from sema.metrics.meaning.words import CERTAIN
from sema_english.judge.features import AGAINST, FOR, SCALARS, WORD_ITSELF
from sema_english.judge.model import REACH, Network

Numbers = NDArray[np.float32]
_PUNCTUATION = WORD_ITSELF[1]
GRAMMAR = -2.0
"""Where the weight of function words starts from: they count for next to nothing."""
_LINK = SCALARS.index("likeliest link")


@dataclass(frozen=True)
class Shape:
    """Sizes and regularisation."""

    hidden: int = 16
    drop: float = 0.1
    trust: float = 0.95
    """How much the network decides, against links alone: more agrees better with ratings of older systems, which reward
    copying; less with those of today's, and with readers who prefer any rewording to a copy with one wrong word."""
    precision: float = 0.8
    """What precision counts for one of recall. Left to learning it falls to 0.4, since the ratings learned from are of
    outputs that lose much and add little; those of other sets, and additions, are told better with more."""


def _sign(name: str) -> float:
    return 1.0 if name in FOR else -1.0 if name in AGAINST else 0.0


class MeaningNet(nn.Module):
    """Word features to probabilities, and these to recall, precision, and a sum of both, loss and addition."""

    def __init__(self, mean: Numbers, scale: Numbers, shape: Shape) -> None:
        super().__init__()
        self.trust = shape.trust
        self.register_buffer("mean", torch.from_numpy(mean))
        self.register_buffer("scale", torch.from_numpy(scale))
        self.register_buffer("signs", torch.tensor([_sign(name) for name in SCALARS]))
        self.hidden = nn.Linear(len(SCALARS), shape.hidden)
        self.out = nn.Linear(shape.hidden, 1)
        self.drop = nn.Dropout(shape.drop)
        with torch.no_grad():
            signed = cast(Tensor, self.signs) != 0
            self.hidden.weight.normal_(0, 0.1)
            self.hidden.weight[:, signed] = torch.randn(shape.hidden, int(signed.sum())) * 0.5 - 2
            self.out.weight.normal_(-1, 0.3)
        self.worth = nn.Linear(len(WORD_ITSELF), 2)
        nn.init.zeros_(self.worth.weight)
        nn.init.zeros_(self.worth.bias)
        with torch.no_grad():
            self.worth.weight[:, WORD_ITSELF.index(SCALARS.index("weak"))] = GRAMMAR
        self.register_buffer("mix", torch.tensor([1.0, shape.precision]))

    def monotone(self) -> tuple[Tensor, Tensor]:
        """The weights of both layers, those of evidence with the sign that it has to have."""
        signs = cast(Tensor, self.signs)
        hidden = torch.where(signs == 0, self.hidden.weight, signs * nn.functional.softplus(self.hidden.weight))
        return hidden, nn.functional.softplus(self.out.weight)

    def logits(self, features: Tensor) -> Tensor:
        """The logits of words' probabilities (batch, words)."""
        chosen = (features - cast(Tensor, self.mean)) / cast(Tensor, self.scale)
        hidden, out = self.monotone()
        units = torch.tanh(nn.functional.linear(chosen.clamp(-REACH, REACH), hidden, self.hidden.bias))
        return nn.functional.linear(self.drop(units), out, self.out.bias)[..., 0]

    def forward(self, source: Tensor, source_mask: Tensor, output: Tensor, output_mask: Tensor) -> Tensor:
        """The sum that follows ratings (batch); masks are 1 for words, 0 for padding."""
        mix = cast(Tensor, self.mix)
        return mix[0] * self._share(source, source_mask, 0) + mix[1] * self._share(output, output_mask, 1)

    def _share(self, features: Tensor, mask: Tensor, side: int) -> Tensor:
        links = (features[..., _LINK] / CERTAIN).clamp(0, 1)
        likely = self.trust * torch.sigmoid(self.logits(features)) + (1 - self.trust) * links
        worth = self.worths(features, mask, side)
        return (likely * worth).sum(1) / (worth.sum(1) + 1e-4)

    def worths(self, features: Tensor, mask: Tensor, side: int) -> Tensor:
        """What words of a side (0: source, 1: output) count (batch, words); punctuation and padding nothing."""
        worth = nn.functional.softplus(2 * self.worth(features[..., WORD_ITSELF])[..., side] + 0.5)
        return worth * mask * (1 - features[..., _PUNCTUATION])

    def arrays(self, floor: float) -> Network:
        """What inference needs, as arrays."""

        def plain(tensor: Tensor) -> Numbers:
            return tensor.detach().numpy().astype(np.float32)

        hidden, out = self.monotone()
        return Network(
            plain(cast(Tensor, self.mean)),
            plain(cast(Tensor, self.scale)),
            plain(hidden.T),
            plain(self.hidden.bias),
            plain(out[0]),
            plain(self.out.bias),
            np.float32(self.trust),  # type: ignore[arg-type]
            plain(self.worth.weight.T),
            plain(self.worth.bias),
            plain(cast(Tensor, self.mix)),
            np.float32(floor),  # type: ignore[arg-type]
        )


def padded(sides: Sequence[Numbers]) -> tuple[Tensor, Tensor]:
    """Features of several texts in one tensor, and the mask of their words."""
    longest = max(1, *(len(side) for side in sides))
    features = torch.zeros(len(sides), longest, sides[0].shape[1])
    mask = torch.zeros(len(sides), longest)
    for row, side in enumerate(sides):
        features[row, : len(side)] = torch.from_numpy(side)
        mask[row, : len(side)] = 1.0
    return features, mask
