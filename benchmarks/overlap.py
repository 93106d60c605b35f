"""Precision, recall and F1 of predictions against gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

Counts = Counter[Hashable]


@dataclass(frozen=True)
class Overlap:
    """The overlap of two collections; shares are 0-1, and 0 if a collection is empty."""

    both: int = 0
    predicted: int = 0
    gold: int = 0

    def __add__(self, other: Overlap) -> Overlap:
        return Overlap(self.both + other.both, self.predicted + other.predicted, self.gold + other.gold)

    @property
    def precision(self) -> float:
        return self.both / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        return self.both / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        return 2 * self.both / (self.predicted + self.gold) if self.predicted + self.gold else 0.0

    def prf(self, kind: str = "", whole: float = 1) -> dict[str, float]:
        """The three figures by their letters after ``kind``, as shares of ``whole``."""
        figures = {"P": self.precision, "R": self.recall, "F1": self.f1}
        return {kind + name: whole * figure for name, figure in figures.items()}


def overlap(predicted: Iterable[Iterable[Hashable]], gold: Iterable[Iterable[Hashable]]) -> Overlap:
    """Compare collections item by item; a repeated element counts as often as on the side that has fewer of it.

    Raises:
        ValueError: one side has more items.
    """
    total = Overlap()
    for predicted_item, gold_item in zip(predicted, gold, strict=True):
        left, right = Counts(predicted_item), Counts(gold_item)
        total += Overlap((left & right).total(), left.total(), right.total())
    return total
