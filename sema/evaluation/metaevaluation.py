"""Meta-evaluation: correlations of per-item scores with ratings (Alva-Manchego, Scarton and Specia 2021).

All items, the half with the lower and the half with the higher ratings, and groups of items such as system types. On
each, Williams' test says whether the best metric correlates significantly more than the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from sema.errors import InputError, UsageError
from sema.evaluation.clusters import Array, Labels, cluster_count, partition
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
from sema.metrics.base import mean

TIE = 1e-9
"""Absolute correlations within this distance are equal: smaller differences depend on the processor."""

HalvesRule = Literal["stable", "authors"]
"""How items with equal ratings are ordered before they are cut into halves: as they stand, or as the paper's authors'
program did."""


@dataclass(frozen=True)
class MetricResult(Result):
    """One metric on one set of items.

    ``williams`` is Williams' test of the best metric of the set against this one, on absolute Pearson correlations;
    small p: the best one is really better. ``None`` for the best metric and where there is nothing to test.
    """

    metric: str
    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    williams: WilliamsTest | None = None


@dataclass(frozen=True)
class Split(Result):
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
    clusters: int | None = None
    """How many clusters the items form, where several share one."""

    def to_dict(self) -> dict[str, Any]:
        """Plain data; ``williams`` by the better metric's name and then by the other's."""
        names = [result.metric for result in self.results]
        return {
            "name": self.name,
            "n": self.n,
            **({} if self.clusters is None else {"clusters": self.clusters}),
            "best": self.best,
            "metrics": [result.to_dict() for result in self.results],
            "williams": {
                name: {other: test.to_dict() for other, test in zip(names, tests, strict=True) if test is not None}
                for name, tests in zip(names, self.williams, strict=False)
            },
        }


@dataclass(frozen=True)
class MetaEvaluation(Result):
    """The result of :func:`metaevaluate` for one column of ratings.

    ``warnings`` say what depends on the order of ties, and that correlations are of different items.
    ``p`` says whether its p-values are one-sided or two-sided.
    """

    rating: str
    confidence: float
    halves: HalvesRule
    p: Sides
    warnings: tuple[str, ...]
    splits: tuple[Split, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics."""
        return tuple(result.metric for result in self.splits[0].results)


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
    clusters: Labels | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> MetaEvaluation:
    """Correlate metrics with ratings of the same items.

    Args:
        ratings: one an item; higher is better. An item with a NaN is left out.
        scores: for each metric one score an item; an item with a NaN is left out for that metric.
        rating: the ratings' name in the result.
        groups: each item's group (system type); every group becomes a split of its own.
        systems: each item's system; adds a split of system means.
        confidence: of the intervals.
        halves: how equal ratings are ordered before the items are cut into halves (:func:`split_halves`).
        sides: of the correlations' p-values; ``one-sided`` as in Sulem, Abend and Rappoport (NAACL 2018).
        clusters: a label for each item, such as its source. Items of one cluster are not independent: intervals and
            tests use their effective number (:mod:`sema.evaluation.clusters`).
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
    rated = [item for item, value in enumerate(ratings) if math.isfinite(value)]
    parts = [("low", low), ("high", high), ("all", rated), *_members(groups or (), rated).items()]
    # Each part is correlated over means: of single items, or of all items of a system.
    rows = [(name, [[item] for item in items]) for name, items in parts]
    if systems is not None:
        rows.append(("systems", list(_members(systems, rated).values())))
    numbers = partition(clusters, len(ratings))
    splits: list[Split] = []
    for name, members in rows:
        own = None if numbers is None or name == "systems" else numbers[[items[0] for items in members]]
        splits.append(_split(name, members, ratings, scores, confidence, sides, own))
        progress(len(splits), len(rows))
    warnings = []
    if low:
        ordered = sorted(ratings[item] for item in rated)
        below, median, *above = ordered[len(low) - 1 : len(rated) - len(low) + 1]
        if median in (below, *above):
            equal = f"{ordered.count(median)} items are rated {median:g}, the median"
            warnings.append(f"{equal}: the figures of the halves depend on their order")
    if len({tuple(map(math.isfinite, column)) for column in scores.values()}) > 1:
        lacking = "not all metrics have scores of the same items"
        warnings.append(f"{lacking}: correlations are of a metric's own items, Williams' tests of those that both have")
    return MetaEvaluation(rating, confidence, halves, sides, tuple(warnings), tuple(splits))


def split_halves(ratings: Sequence[float], rule: HalvesRule = "stable") -> tuple[list[int], list[int]]:
    """The items with the lower and with the higher ratings, as indexes; the median of an odd number is in neither,
    nor are items without a rating (NaN).

    Items with equal ratings keep their order (``stable``), or get the order of NumPy's unstable quicksort
    (``authors``), as in Table 7 of Alva-Manchego, Scarton and Specia (2021).
    """
    # NumPy sorts plain floats with vector instructions where the machine has them, which orders ties differently.
    # For extended precision it still uses the algorithm that the authors' version used for all types.
    column = np.asarray(ratings, dtype=np.longdouble)
    order = np.argsort(column, kind="stable" if rule == "stable" else "quicksort")
    order = order[np.isfinite(column[order])].tolist()
    half = len(order) // 2
    return order[:half], order[len(order) - half :]


def system_means(systems: Sequence[str], *columns: Sequence[float]) -> list[list[float]]:
    """The means of columns over each system's items, as in the split ``systems``."""
    return _means(list(_members(systems, range(len(systems))).values()), *columns)


def _members(labels: Sequence[str], items: Iterable[int]) -> dict[str, list[int]]:
    """Those of the items that have each label."""
    members: dict[str, list[int]] = {}
    for item in items if labels else ():
        members.setdefault(labels[item], []).append(item)
    return members


def _means(rows: Sequence[Sequence[int]], *columns: Sequence[float]) -> list[list[float]]:
    """The means of columns over each row's items, without items that have no finite value in one of the columns."""
    known = np.isfinite(np.asarray(columns, dtype=float)).all(axis=0)
    shared = [[item for item in items if known[item]] for items in rows]
    return [[mean([column[item] for item in items]) for items in shared] for column in columns]


def _split(
    name: str,
    rows: Sequence[Sequence[int]],
    ratings: Sequence[float],
    scores: Mapping[str, Sequence[float]],
    confidence: float,
    sides: Sides,
    clusters: Array | None,
) -> Split:
    results = []
    for metric, column in scores.items():
        own, rated = _means(rows, column, ratings)
        r, rho, tau = (kind(own, rated, confidence, sides, clusters) for kind in (pearson, spearman, kendall))
        results.append(MetricResult(metric, r, rho, tau))
    sizes = [abs(result.pearson.value) for result in results]
    highest = max(filter(math.isfinite, sizes), default=None)
    if highest is None:
        return Split(name, len(rows), tuple(results), None, clusters=cluster_count(clusters))
    matrix: list[list[WilliamsTest | None]] = [[None] * len(results) for _ in results]
    for (i, one), (j, two) in combinations(enumerate(scores.values()), 2):
        if math.isfinite(sizes[i]) and math.isfinite(sizes[j]):
            own, other, rated = _means(rows, one, two, ratings)
            matrix[i][j], matrix[j][i] = _tests(own, other, rated, clusters)
    best = next(place for place, size in enumerate(sizes) if size >= highest - TIE)
    behind = (replace(result, williams=test) for result, test in zip(results, matrix[best], strict=True))
    tests = tuple(map(tuple, matrix))
    return Split(name, len(rows), tuple(behind), results[best].metric, tests, cluster_count(clusters))


def _tests(
    first: Sequence[float], second: Sequence[float], ratings: Sequence[float], clusters: Array | None
) -> tuple[WilliamsTest, WilliamsTest]:
    """Williams' tests that the first metric correlates more, and that the second does."""
    pairs = combinations((first, second, ratings), 2)
    between, one, two = (pearson(*pair, clusters=clusters) for pair in pairs)
    sign = math.copysign(1, one.value) * math.copysign(1, two.value)
    shared = sign * between.value, min(one.independent, two.independent)
    sizes = abs(one.value), abs(two.value)
    return williams(*sizes, *shared), williams(*sizes[::-1], *shared)
