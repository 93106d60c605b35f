"""Means of two metrics: ``mean:sari,samsa`` (arithmetic), ``gmean:bleu,sari`` (geometric)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sema.errors import InputError
from sema.metrics.base import Item, Metric, MetricScores, Pooled


def arithmetic(first: float, second: float) -> float:
    """The mean of two scores."""
    return (first + second) / 2


def geometric(first: float, second: float) -> float:
    """The geometric mean of two scores; 0 where one is 0 or less (a negative iBLEU or Levenshtein score)."""
    return math.sqrt(first * second) if first > 0 and second > 0 else 0.0


MEANS: dict[str, Callable[[float, float], float]] = {"mean": arithmetic, "gmean": geometric}


@dataclass(frozen=True)
class CombinedMetric:
    """The mean, item by item, of two metrics; the corpus score is the mean of their corpus scores."""

    name: str
    first: Metric
    second: Metric
    combine: Callable[[float, float], float]

    @property
    def description(self) -> str:
        """One line of description."""
        kind = "arithmetic" if self.combine is arithmetic else "geometric"
        return f"the {kind} mean of {self.first.name} and {self.second.name}"

    @property
    def higher_is_better(self) -> bool:
        """As the parts, which agree."""
        return self.first.higher_is_better

    @property
    def needs_scenes(self) -> bool:
        """Whether a part needs scenes."""
        return self.first.needs_scenes or self.second.needs_scenes

    @property
    def needs_references(self) -> bool:
        """Whether a part needs references."""
        return self.first.needs_references or self.second.needs_references

    @property
    def signature(self) -> str:
        """The parts' signatures, each in brackets behind its name."""
        return "+".join(f"{part.name}({part.signature})" for part in (self.first, self.second))

    def score(self, items: Sequence[Item]) -> MetricScores:
        """Score every item with both and take the means."""
        first, second = self.first.score(items), self.second.score(items)
        left, right = first.as_pooled(), second.as_pooled()
        width = len(left.rows[0])

        def corpus(sums: Sequence[float]) -> float:
            return self.combine(left.combine(sums[:width]), right.combine(sums[width:]))

        rows = tuple(a + b for a, b in zip(left.rows, right.rows, strict=True))
        return MetricScores.summed(map(self.combine, first.items, second.items), Pooled(rows, corpus))


def create(name: str, build: Callable[[str], Metric]) -> Metric:
    """Build ``mean:A,B`` or ``gmean:A,B``; ``build`` makes a metric from its name.

    Raises:
        InputError: there are not two parts, or they point in opposite directions.
    """
    family, _, rest = name.partition(":")
    parts = [part.strip() for part in rest.split(",")]
    if len(parts) != 2 or not all(parts):
        raise InputError(f"{name!r} must name two metrics, as in {family}:sari,samsa")
    first, second = build(parts[0]), build(parts[1])
    if first.higher_is_better != second.higher_is_better:
        raise InputError(f"{name!r} averages a metric that should be high with one that should be low; choose others")
    return CombinedMetric(name, first, second, MEANS[family])
