"""What a simplifier is: something that offers simplifications of a text, each with the features of a linear model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, Self, runtime_checkable

from sema.model.nbest import Candidate
from sema.model.text import Text


@runtime_checkable
class Simplifier(Protocol):
    """Simplifies texts; a candidate's score is the sum of its features times their weights.

    Attributes:
        features: what each feature says, by name.
        weights: the weights in use, by feature; a feature that is not named weighs nothing.
    """

    features: Mapping[str, str]
    weights: Mapping[str, float]

    @property
    def signature(self) -> str:
        """Name, version, rules and weights, for results."""
        ...

    def weighted(self, weights: Mapping[str, float]) -> Self:
        """The same with other weights; what was loaded is shared."""
        ...

    def candidates(self, texts: Sequence[Text], count: int) -> list[tuple[Candidate, ...]]:
        """For each text at most ``count`` candidates, at least one, the best by the weights first."""
        ...
