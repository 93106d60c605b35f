"""Precision, recall and F1 of predictions against gold: word links, Scenes, Participants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from sema.model.scene_graph import Scene

Counts = Counter[Hashable]
Positions = set[tuple[int, int]]
"""Links as pairs of token indexes: source, output."""


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
        """The share of predictions that are gold."""
        return self.both / self.predicted if self.predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of gold that was predicted."""
        return self.both / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of the two."""
        return 2 * self.both / (self.predicted + self.gold) if self.predicted + self.gold else 0.0


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


def scene_relations(scenes: Iterable[Scene]) -> list[Hashable]:
    """The identity of Scenes: the minimal centers of the main relation."""
    return [scene.main_relation for scene in scenes]


def scene_participants(scenes: Iterable[Scene]) -> list[Hashable]:
    """The identity of Participants: their minimal centers and their Scene; implicit Participants are left out."""
    return [(scene.main_relation, centers) for scene in scenes for centers in scene.participants if centers]


def links_of_other_words(source: Sequence[str], output: Sequence[str], links: Iterable[tuple[int, int]]) -> Positions:
    """The links between words that differ in more than case, on which aligners differ most."""
    return {(i, j) for i, j in links if source[i].lower() != output[j].lower()}
