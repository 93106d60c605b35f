"""Compares systems: scores with intervals, significance of every difference, and wins per item."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from sema.errors import InputError, UsageError
from sema.evaluation.significance import CONFIDENCE, SAMPLES, SEED, Difference, Estimate, bootstrap, compare_scores
from sema.metrics.base import ROUNDING
from sema.scoring.results import Report

if TYPE_CHECKING:
    from numpy.typing import NDArray

TIE = 1e-9
"""Item scores that differ by less are equal."""


@dataclass(frozen=True)
class SystemPair:
    """Two systems by one metric: the difference (first minus second) and the items that each wins.

    ``first_wins`` and ``second_wins`` are item numbers with the gap between the two, the widest first.
    """

    metric: str
    first: str
    second: str
    difference: Difference
    first_wins: tuple[tuple[int, float], ...]
    second_wins: tuple[tuple[int, float], ...]
    ties: int

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "metric": self.metric,
            "first": self.first,
            "second": self.second,
            "difference": self.difference.to_dict(),
            "first_wins": [item for item, _ in self.first_wins],
            "second_wins": [item for item, _ in self.second_wins],
            "ties": self.ties,
        }


@dataclass(frozen=True)
class Comparison:
    """The result of :func:`compare`; ``items`` counts the items that every system has scores for."""

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

    def best(self, metric: str) -> str:
        """The system with the best corpus score; ties within rounding go to the first."""
        turn = 1 if self.higher_is_better.get(metric, True) else -1
        scores = {name: turn * found[metric].value for name, found in self.systems.items()}
        highest = max(filter(math.isfinite, scores.values()), default=math.nan)
        return next((name for name, score in scores.items() if score >= highest - ROUNDING), next(iter(scores)))

    def to_dict(self) -> dict[str, Any]:
        """The object that ``sema compare --json`` prints."""
        return {
            "signature": self.signature,
            "items": self.items,
            "left_out": self.left_out,
            "samples": self.samples,
            "seed": self.seed,
            "confidence": self.confidence,
            "systems": [
                {"name": name, "scores": {metric: scores[metric].to_dict() for metric in self.metrics}}
                for name, scores in self.systems.items()
            ],
            "pairs": [pair.to_dict() for pair in self.pairs],
        }


def compare(
    report: Report,
    *,
    baseline: str | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Comparison:
    """Compare the systems of a report, pair by pair, or each with ``baseline``.

    Items that failed for some system are left out for all. P-values are not corrected for the number of
    pairs. ``progress`` is called with completed and total resamplings.

    Raises:
        InputError: there are fewer than two systems, none of them is the baseline, or no item has all its scores.
    """
    import numpy as np

    names = [system.name for system in report.systems]
    pairs = _pairs(names, baseline)
    columns = {system.name: system.columns(report.metrics) for system in report.systems}
    common = np.flatnonzero(np.all([column.usable() for column in columns.values()], axis=0))
    if not len(common):
        raise InputError("no item could be scored for every system; see the errors of the items")
    estimate = partial(bootstrap, samples=samples, seed=seed, confidence=confidence)
    differ = partial(compare_scores, samples=samples, seed=seed, confidence=confidence)
    estimates: dict[str, dict[str, Estimate]] = {name: {} for name in names}
    compared: list[SystemPair] = []
    total = len(report.objects) * (len(names) + len(pairs))
    for metric in report.objects:
        rows = {name: column.table(metric.name)[common] for name, column in columns.items()}
        scores = {name: column.values(metric.name)[common] for name, column in columns.items()}
        for name in names:
            estimates[name][metric.name] = estimate(rows[name], metric.value)
            progress(sum(map(len, estimates.values())) + len(compared), total)
        for first, second in pairs:
            difference = differ(rows[first], rows[second], metric.value)
            turn = -1 if metric.higher_is_better is False else 1
            gaps = turn * (scores[first] - scores[second])
            compared.append(_pair(metric.name, first, second, gaps, common, difference))
            progress(sum(map(len, estimates.values())) + len(compared), total)
    return Comparison(
        report.signature,
        report.metrics,
        report.higher_is_better,
        estimates,
        tuple(compared),
        len(common),
        report.items - len(common),
        samples,
        seed,
        confidence,
    )


def _pairs(names: list[str], baseline: str | None) -> list[tuple[str, str]]:
    """All pairs of systems, or those with the baseline, which comes first."""
    if len(names) < 2:
        raise UsageError("a comparison needs two systems or more; give it another output")
    if baseline is None:
        return list(combinations(names, 2))
    if baseline not in names:
        raise UsageError(f"no system is called {baseline!r}; the systems are {', '.join(names)}")
    return [(baseline, name) for name in names if name != baseline]


def _pair(
    metric: str, first: str, second: str, gaps: NDArray[Any], items: NDArray[Any], difference: Difference
) -> SystemPair:
    """The items that each system wins, and the difference of the corpus scores."""
    ties = int((abs(gaps) <= TIE).sum())
    return SystemPair(metric, first, second, difference, _wins(gaps, items), _wins(-gaps, items), ties)


def _wins(gaps: NDArray[Any], items: NDArray[Any]) -> tuple[tuple[int, float], ...]:
    """The items with a gap, the widest first and equals in their order."""
    order = (-gaps).argsort(kind="stable")
    won = order[gaps[order] > TIE]
    return tuple(zip(items[won].tolist(), gaps[won].tolist(), strict=True))
