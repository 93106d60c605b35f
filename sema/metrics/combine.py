"""Means of two metrics: ``mean:sari,samsa`` (arithmetic), ``gmean:bleu,sari`` (geometric)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Self

from sema.errors import UsageError
from sema.metrics.base import Item, Metric, Row
from sema.model.item import guarded

if TYPE_CHECKING:
    from sema.model.language import Parts


def arithmetic(first: float, second: float) -> float:
    """The mean of two scores."""
    return (first + second) / 2


def geometric(first: float, second: float) -> float:
    """The geometric mean of two scores; 0 where one is 0 or less (a negative iBLEU or Levenshtein score)."""
    return math.sqrt(first * second) if first > 0 and second > 0 else 0.0


FAMILIES: Mapping[str, Callable[[float, float], float]] = {"mean": arithmetic, "gmean": geometric}
"""The mean by the part of a metric's name before the colon."""


class CombinedMetric(Metric):
    """The mean, item by item, of two metrics; the corpus score is the mean of their corpus scores."""

    def __init__(self, family: str, first: Metric, second: Metric) -> None:
        self.name = f"{family}:{first.name},{second.name}"
        if first.higher_is_better != second.higher_is_better:
            raise UsageError(
                f"{self.name!r} averages a metric that should be high with one that should not; choose others"
            )
        self.family, self.first, self.second = family, first, second
        self._mean = mean = FAMILIES[family]
        self.description = f"the {mean.__name__} mean of {first.name} and {second.name}"
        self.higher_is_better = first.higher_is_better
        self.range = mean(first.range[0], second.range[0]), mean(first.range[1], second.range[1])
        self.requires = first.requires | second.requires
        self.whole_sources = first.whole_sources or second.whole_sources
        self.one_language = first.one_language or second.one_language

    @property
    def full_name(self) -> str:
        return f"{self.family}:{self.first.full_name},{self.second.full_name}"

    def bind(self, parts: Parts) -> Self:
        bound = copy(self)
        bound.first, bound.second = self.first.bind(parts), self.second.bind(parts)
        bound.requires = bound.first.requires | bound.second.requires
        return bound

    @property
    def signature(self) -> str:
        return "+".join(f"{part.name}({part.signature})" for part in (self.first, self.second))

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The length of the first's rows, a count of 1, its numbers, then the second's; zeros if one has no score."""
        parts = [part.rows(guarded(items, part.requires, part.name)) for part in (self.first, self.second)]
        pairs = zip(*parts, strict=True)
        rows = []
        for first, second in pairs:
            row = (float(len(first)), 1.0, *first, *second)
            undefined = math.isnan(self.first.item_value(first)) or math.isnan(self.second.item_value(second))
            rows.append((0.0,) * len(row) if undefined else row)
        return rows

    def value(self, row: Row) -> float:
        return self._of_parts(row, self.first.value, self.second.value)

    def item_value(self, row: Row) -> float:
        return self._of_parts(row, self.first.item_value, self.second.item_value)

    def _of_parts(self, row: Row, first: Callable[[Row], float], second: Callable[[Row], float]) -> float:
        """The mean of the two metrics' scores from their parts of a row; NaN if no item has both scores."""
        widths, items, *numbers = row
        if not items:
            return math.nan
        width = round(widths / items)
        return self._mean(first(tuple(numbers[:width])), second(tuple(numbers[width:])))
