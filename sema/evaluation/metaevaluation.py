"""Meta-evaluation: correlations of per-item scores with ratings (Alva-Manchego, Scarton and Specia 2021).

All items, the half with the lower and the half with the higher ratings, and groups of items such as system types. On
each, Williams' test says whether the best metric correlates significantly more than the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sema.errors import InputError, UsageError
from sema.evaluation.significance import (
    CONFIDENCE,
    Correlation,
    Result,
    Sides,
    WilliamsTest,
    kendall,
    pearson,
    spearman,
    williams,
)

TIE = 1e-9
"""Absolute correlations within this distance are equal: smaller differences depend on the processor."""

HalvesRule = Literal["stable", "authors"]
"""How items with equal ratings are ordered before they are cut into halves: as they stand, or as the paper's authors'
program did."""


@dataclass(frozen=True)
class MetricResult(Result):
    """One metric on one set of items.

    ``behind`` is Williams' test of the best metric of the set against this one, on absolute Pearson correlations; small
    p: the best one is really better. ``None`` for the best metric and where there is nothing to test.
    """

    metric: str
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    behind: WilliamsTest | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ``behind`` as ``williams``."""
        found = super().to_dict()
        behind = found.pop("behind")
        return found if behind is None else {**found, "williams": behind}


@dataclass(frozen=True)
class Split:
    """The results on one set of items; ``best`` is the metric with the highest absolute Pearson correlation.

    Metrics within ``TIE`` of the highest count as equal; of equals the one given first is the best.

    ``williams[i][j]`` is Williams' test of the i-th metric against the j-th, on absolute Pearson correlations; small p:
    the i-th is really better. ``None`` on the diagonal and where there is nothing to test.
    """

    name: str
    n: int
    results: tuple[MetricResult, ...]
    best: str | None
    williams: tuple[tuple[WilliamsTest | None, ...], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain data; ``williams`` by the better metric's name and then by the other's."""
        names = [result.metric for result in self.results]
        return {
            "name": self.name,
            "n": self.n,
            "best": self.best,
            "metrics": [result.to_dict() for result in self.results],
            "williams": {
                name: {other: test.to_dict() for other, test in zip(names, tests, strict=True) if test is not None}
                for name, tests in zip(names, self.williams, strict=False)
            },
        }


@dataclass(frozen=True)
class MetaEvaluation:
    """The result of :func:`metaevaluate` for one column of ratings; ``warnings`` name figures that depend on chance."""

    rating: str
    metrics: tuple[str, ...]
    splits: tuple[Split, ...]
    confidence: float
    halves: HalvesRule = "stable"
    sides: Sides = "two-sided"
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The object that ``sema metaeval --json`` prints for each rating."""
        return {
            "rating": self.rating,
            "confidence": self.confidence,
            "halves": self.halves,
            "p": self.sides,
            "warnings": list(self.warnings),
            "splits": [split.to_dict() for split in self.splits],
        }


def metaevaluate(
    ratings: Sequence[float],
    scores: Mapping[str, Sequence[float]],
    *,
    rating: str = "rating",
    groups: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
    confidence: float = CONFIDENCE,
    halves: HalvesRule = "stable",
    sides: Sides = "two-sided",
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> MetaEvaluation:
    """Correlate metrics with ratings of the same items.

    Args:
        ratings: one an item; higher is better.
        scores: for each metric one score an item; an item with a NaN is left out where it matters.
        rating: the ratings' name in the result.
        groups: each item's group (system type); every group becomes a split of its own.
        systems: each item's system; adds a split of system means.
        confidence: of the intervals.
        halves: how equal ratings are ordered before the items are cut into halves (:func:`split_halves`).
        sides: of the correlations' p-values; ``one-sided`` as in Sulem, Abend and Rappoport (NAACL 2018).
        progress: called with completed and total splits.

    Splits: ``low`` and ``high`` are the halves by rating, then ``all``, the groups, and ``systems``. A split that is
    too small or whose values are all equal has NaN correlations with a note.

    Raises:
        InputError: no metric, or columns of different lengths.
    """
    if not scores:
        raise UsageError("there is no metric to correlate; name columns of scores (metrics)")
    for name, column in (*scores.items(), ("groups", groups or ratings), ("systems", systems or ratings)):
        if len(column) != len(ratings):
            raise InputError(f"{len(ratings)} ratings but {len(column)} values in {name!r}; give one an item")
    low, high = split_halves(ratings, halves)
    places = {"low": low, "high": high, "all": list(range(len(ratings)))}
    if groups is not None:
        for index, group in enumerate(groups):
            places.setdefault(f"group {group}", []).append(index)
    splits: list[Split] = []
    for name, of in places.items():
        columns = {metric: [column[index] for index in of] for metric, column in scores.items()}
        splits.append(_split(name.removeprefix("group "), [ratings[i] for i in of], columns, confidence, sides))
        progress(len(splits), len(places))
    if systems is not None:
        splits.append(_system_split(ratings, scores, systems, confidence, sides))
    warnings = _tie_warnings(ratings, low, high)
    return MetaEvaluation(rating, tuple(scores), tuple(splits), confidence, halves, sides, warnings)


def split_halves(ratings: Sequence[float], rule: HalvesRule = "stable") -> tuple[list[int], list[int]]:
    """The items with the lower and with the higher ratings, as indexes; the median of an odd number is in neither.

    Items with equal ratings keep their order (``stable``), or come in the order that NumPy's unstable quicksort leaves
    them in (``authors``), which is how Table 7 of Alva-Manchego, Scarton and Specia (2021) was made.
    """
    import numpy as np

    # NumPy sorts plain floats by vector instructions where the machine has them, with another order of equals; extended
    # precision still goes by the algorithm that the authors' version used for all.
    column = np.asarray(ratings, dtype=np.longdouble)
    order = np.argsort(column, kind="stable" if rule == "stable" else "quicksort").tolist()
    half = len(order) // 2
    return order[:half], order[len(order) - half :]


def _tie_warnings(ratings: Sequence[float], low: Sequence[int], high: Sequence[int]) -> tuple[str, ...]:
    """A warning if items with the same rating went to different halves."""
    if not low or ratings[low[-1]] != ratings[high[0]]:
        return ()
    edge = ratings[high[0]]
    count = sum(rating == edge for rating in ratings)
    return (
        f"{count} items are rated {edge:g}, on both sides of the median: the figures of the halves hang on their order",
    )


def _system_split(
    ratings: Sequence[float],
    scores: Mapping[str, Sequence[float]],
    systems: Sequence[str],
    confidence: float,
    sides: Sides,
) -> Split:
    members: dict[str, list[int]] = {}
    for index, system in enumerate(systems):
        members.setdefault(system, []).append(index)

    def means(column: Sequence[float]) -> list[float]:
        return [_mean([column[index] for index in indexes]) for indexes in members.values()]

    return _split(
        "systems", means(ratings), {name: means(column) for name, column in scores.items()}, confidence, sides
    )


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if math.isfinite(value)]
    return math.fsum(known) / len(known) if known else math.nan


def _split(
    name: str, ratings: Sequence[float], scores: Mapping[str, Sequence[float]], confidence: float, sides: Sides
) -> Split:
    found = {
        metric: MetricResult(
            metric,
            pearson(column, ratings, confidence, sides),
            spearman(column, ratings, confidence, sides),
            kendall(column, ratings, confidence, sides),
        )
        for metric, column in scores.items()
    }
    known = [result for result in found.values() if math.isfinite(result.pearson.value)]
    if not known:
        return Split(name, len(ratings), tuple(found.values()), None)
    highest = max(abs(result.pearson.value) for result in known)
    best = next(result for result in known if abs(result.pearson.value) >= highest - TIE)

    def test(one: MetricResult, two: MetricResult) -> WilliamsTest | None:
        return None if one is two or one not in known or two not in known else _test(one, two, scores)

    results = tuple(replace(result, behind=test(best, result)) for result in found.values())
    matrix = tuple(tuple(test(one, two) for two in found.values()) for one in found.values())
    return Split(name, len(ratings), results, best.metric, matrix)


def _test(best: MetricResult, other: MetricResult, scores: Mapping[str, Sequence[float]]) -> WilliamsTest:
    between = pearson(scores[best.metric], scores[other.metric])
    sign = math.copysign(1, best.pearson.value) * math.copysign(1, other.pearson.value)
    n = min(best.pearson.n, other.pearson.n)
    return williams(abs(best.pearson.value), abs(other.pearson.value), sign * between.value, n)
