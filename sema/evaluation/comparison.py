"""Compares systems: scores with intervals, significance of every difference and its letters, and wins per item."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count
from string import ascii_letters
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.errors import InputError, UsageError, kind_of
from sema.evaluation.clusters import Labels, cluster_count, partition
from sema.evaluation.significance import CONFIDENCE, SAMPLES, SEED, Difference, Estimate, Resampling, Result
from sema.metrics.base import ROUNDING
from sema.scoring.coerce import whole_number
from sema.scoring.item_scores import ItemColumns
from sema.scoring.results import Report

Wins = tuple[tuple[int, float], ...]
"""Item numbers with the gap between two systems, the widest first."""


@dataclass(frozen=True)
class SystemPair(Result):
    """Two systems by one metric: the difference (first minus second) and the items that each wins."""

    metric: str
    first: str
    second: str
    difference: Difference
    first_wins: Wins
    second_wins: Wins
    ties: int

    def to_dict(self) -> dict[str, Any]:
        """The fields by name; of the wins only the item numbers."""
        shown = super().to_dict()
        return shown | {name: [item for item, _ in shown[name]] for name in ("first_wins", "second_wins")}


@dataclass(frozen=True)
class Comparison:
    """The result of :func:`compare`; ``items`` counts the items for which every system has a score by some metric."""

    signature: str
    metrics: tuple[str, ...]
    higher_is_better: Mapping[str, bool]
    systems: Mapping[str, Mapping[str, Estimate]]
    pairs: tuple[SystemPair, ...]
    items: int
    left_out: int
    samples: int
    seed: int
    confidence: float
    clusters: int | None = None
    """The number of clusters (sources), if several items share one; whole clusters are drawn and exchanged."""
    unscored: Mapping[str, int] = field(default_factory=dict)
    """For each metric, how many of the items lack a score for some system and are left out."""

    def best(self, metric: str) -> str:
        """The system with the best corpus score; ties within rounding go to the first."""
        sign = 1 if self.higher_is_better.get(metric, True) else -1
        scores = {name: sign * estimates[metric].value for name, estimates in self.systems.items()}
        highest = max(filter(math.isfinite, scores.values()), default=math.nan)
        return next((name for name, score in scores.items() if score >= highest - ROUNDING), next(iter(scores)))

    def differ(self, pair: SystemPair) -> bool:
        """Whether both tests find the difference significant."""
        return max(pair.difference.p_bootstrap, pair.difference.p_randomization) < 1 - self.confidence

    def letters(self, metric: str) -> dict[str, str]:
        """The letters of significance of each system, ``a`` that of the best; empty if not all pairs were compared."""
        pairs = [pair for pair in self.pairs if pair.metric == metric]
        if len(pairs) < math.comb(len(self.systems), 2):
            return {}
        sign = -1 if self.higher_is_better.get(metric, True) else 1
        best_first = sorted(self.systems, key=lambda name: sign * self.systems[name][metric].value)
        return compact_letters(best_first, [(pair.first, pair.second) for pair in pairs if self.differ(pair)])

    def to_dict(self) -> dict[str, Any]:
        """The object that ``sema compare --json`` prints."""
        settings = ("signature", "items", "left_out", "samples", "seed", "confidence")
        return {
            **{name: getattr(self, name) for name in settings},
            **({} if self.clusters is None else {"clusters": self.clusters}),
            **({"unscored": dict(self.unscored)} if self.unscored else {}),
            "systems": [
                {"name": name, "scores": {metric: scores[metric].to_dict() for metric in self.metrics}}
                for name, scores in self.systems.items()
            ],
            "letters": {metric: letters for metric in self.metrics if (letters := self.letters(metric))},
            "pairs": [pair.to_dict() for pair in self.pairs],
        }


def compare(
    report: Report,
    *,
    baseline: str | None = None,
    clusters: Labels | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Comparison:
    """Compare the systems of a report, pair by pair, or each with ``baseline``.

    For each metric, items without a score for some system are left out for all systems. P-values are not corrected for
    the number of pairs.

    Args:
        report: the systems' scores.
        baseline: the system that the others are compared with; ``None``: all pairs.
        clusters: a label for each item, such as its source: several outputs of one source are not independent, so
            intervals and tests draw whole sources (``same_sources(sources)`` of :mod:`sema.evaluation.clusters`).
        samples, seed, confidence: of the resampling and the intervals.
        progress: called with completed and total resamplings.

    Raises:
        InputError: there are fewer than two systems, none of them is the baseline, or no item has all its scores.
        UsageError: an argument is of a wrong kind or size.
    """
    if not isinstance(report, Report):
        wanted = "give what Scorer.score() returns, or Run.report()"
        raise UsageError(f"compare() takes a report, and this is {kind_of(report)}; {wanted}")
    samples, seed = whole_number(samples, "samples", 1), whole_number(seed, "seed", 0)
    if not 0 < confidence < 1:
        raise UsageError(f"confidence must be between 0 and 1, such as {CONFIDENCE}, not {confidence!r}")
    partition(clusters, report.items)  # which checks that every item has a label
    columns = {system.name: system.columns(report.metrics) for system in report.systems}
    pairs = _pairs(list(columns), baseline)
    shared = {metric: _shared(list(columns.values()), metric) for metric in report.metrics}
    items = np.unique(np.concatenate([*shared.values()]))
    if not len(items):
        raise InputError("no item could be scored for every system; see the errors of the items")
    groups = None if clusters is None else partition([clusters[item] for item in items.tolist()], len(items))
    estimates: dict[str, dict[str, Estimate]] = {name: {} for name in columns}
    compared: list[SystemPair] = []
    done, total = count(1), len(report.objects) * (len(columns) + len(pairs))
    for metric in report.objects:
        common = shared[metric.name]
        own = None if clusters is None else partition([clusters[item] for item in common.tolist()], len(common))
        resampling = Resampling(own, samples, seed, confidence)
        rows = {name: column.table(metric.name)[common] for name, column in columns.items()}
        scores = {name: column.values(metric.name)[common] for name, column in columns.items()}
        for name, by_metric in estimates.items():
            by_metric[metric.name] = resampling.bootstrap(rows[name], metric.value)
            progress(next(done), total)
        for first, second in pairs:
            difference = resampling.compare(rows[first], rows[second], metric.value)
            gaps = (scores[first] - scores[second]) * (1 if metric.higher_is_better else -1)
            wins, losses = _wins(gaps, common), _wins(-gaps, common)
            ties = int((abs(gaps) <= ROUNDING).sum())
            compared.append(SystemPair(metric.name, first, second, difference, wins, losses, ties))
            progress(next(done), total)
    return Comparison(
        report.signature,
        report.metrics,
        report.higher_is_better,
        estimates,
        tuple(compared),
        len(items),
        report.items - len(items),
        samples,
        seed,
        confidence,
        cluster_count(groups),
        {metric: len(items) - len(common) for metric, common in shared.items() if len(common) < len(items)},
    )


def _shared(columns: Sequence[ItemColumns], metric: str) -> NDArray[Any]:
    """The numbers of the items that every system has a score for, by a metric."""
    return np.flatnonzero(~np.isnan([column.values(metric) for column in columns]).any(axis=0))


def _pairs(names: list[str], baseline: str | None) -> list[tuple[str, str]]:
    """All pairs of systems, or those with the baseline, which comes first."""
    if len(names) < 2:
        raise UsageError("a comparison needs two systems or more; give it another output")
    if baseline is None:
        return list(combinations(names, 2))
    if baseline not in names:
        raise UsageError(f"no system is called {baseline!r}; the systems are {', '.join(names)}")
    return [(baseline, name) for name in names if name != baseline]


def _wins(gaps: NDArray[Any], items: NDArray[Any]) -> Wins:
    """The items with a gap, the widest first and equals in their order."""
    order = (-gaps).argsort(kind="stable")
    won = order[gaps[order] > ROUNDING]
    return tuple(zip(items[won].tolist(), gaps[won].tolist(), strict=True))


def compact_letters(names: Sequence[str], differing: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The letters of significance of each name; two names share one if and only if they do not differ.

    The compact letter display by insertion and absorption of Piepho, Journal of Computational and Graphical Statistics
    13 (2004), section 2: every significant difference splits the groups that hold both, and a group inside another one
    is dropped.

    Args:
        names: in the order in which groups take their letters: the group of the first name has ``a``.
        differing: the pairs that differ.

    >>> compact_letters(["best", "middle", "worst"], [("best", "worst")])
    {'best': 'a', 'middle': 'ab', 'worst': 'b'}
    """
    groups = [frozenset(names)]
    for first, second in differing:
        split = [group - {name} for group in groups if {first, second} <= group for name in (second, first)]
        kept = [group for group in groups if not {first, second} <= group]
        groups = []
        for group in sorted([*kept, *split], key=len, reverse=True):
            if not any(group <= larger for larger in groups):
                groups.append(group)
    place = {name: number for number, name in enumerate(names)}
    ordered = sorted(groups, key=lambda group: sorted(place[name] for name in group))
    many = len(ascii_letters)  # ``a`` to ``Z``, then these with numbers
    letters = [ascii_letters[at % many] + (str(at // many) if at >= many else "") for at in range(len(ordered))]
    groups_of = list(zip(letters, ordered, strict=True))
    return {name: "".join(letter for letter, group in groups_of if name in group) for name in names}
