"""Systems side by side: scores with intervals, significance of every difference, and who wins on which items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sema.errors import InputError
from sema.evaluation.significance import CONFIDENCE, SAMPLES, SEED, Difference, Estimate, bootstrap, compare_scores
from sema.metrics.base import MetricScores, Pooled
from sema.scoring.results import Report, SystemScore

TIE = 1e-9
"""Item scores that differ by less are equal."""


@dataclass(frozen=True)
class Duel:
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
    """What :func:`compare` found; ``items`` are those that every system has scores for."""

    signature: str
    metrics: tuple[str, ...]
    higher_is_better: Mapping[str, bool]
    systems: Mapping[str, Mapping[str, Estimate]]
    duels: tuple[Duel, ...]
    items: int
    left_out: int
    samples: int
    seed: int
    confidence: float

    def best(self, metric: str) -> str:
        """The system with the best corpus score; the first of equals."""
        turn = 1 if self.higher_is_better.get(metric, True) else -1
        return max(self.systems, key=lambda name: turn * self.systems[name][metric].value)

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
            "duels": [duel.to_dict() for duel in self.duels],
        }


def compare(
    report: Report,
    *,
    baseline: str | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> Comparison:
    """Compare the systems of a report, pair by pair, or each with ``baseline``.

    Items that could not be scored for some system are left out for all. P-values are not corrected for the number of
    pairs.

    Raises:
        InputError: there are fewer than two systems, none of them is the baseline, or no item has all its scores.
    """
    names = [system.name for system in report.systems]
    if len(names) < 2:
        raise InputError("a comparison needs two systems; give another output with -o")
    if baseline is not None and baseline not in names:
        raise InputError(f"no system is called {baseline!r}; the systems are {', '.join(names)}")
    common = [index for index in range(report.items) if all(not system.items[index].error for system in report.systems)]
    if not common:
        raise InputError("no item could be scored for every system; see the errors of the items")
    results = {system.name: _restrict(system, common) for system in report.systems}

    def estimate(scores: MetricScores) -> Estimate:
        return bootstrap(scores.as_pooled(), samples=samples, seed=seed, confidence=confidence)

    systems = {
        name: {metric: estimate(scores[metric]) for metric in report.metrics} for name, scores in results.items()
    }
    pairs = [
        pair if baseline is None or pair[0] == baseline else pair[::-1]
        for pair in combinations(names, 2)
        if baseline is None or baseline in pair
    ]
    duels = []
    for metric in report.metrics:
        for first, second in pairs:
            left, right = results[first][metric], results[second][metric]
            difference = compare_scores(
                left.as_pooled(), right.as_pooled(), samples=samples, seed=seed, confidence=confidence
            )
            turn = 1 if report.higher_is_better.get(metric, True) else -1
            gaps = [turn * (a - b) for a, b in zip(left.items, right.items, strict=True)]
            duels.append(
                Duel(
                    metric,
                    first,
                    second,
                    difference,
                    _wins(gaps, common),
                    _wins([-gap for gap in gaps], common),
                    sum(abs(gap) <= TIE for gap in gaps),
                )
            )
    left_out = report.items - len(common)
    return Comparison(
        report.signature,
        report.metrics,
        report.higher_is_better,
        systems,
        tuple(duels),
        len(common),
        left_out,
        samples,
        seed,
        confidence,
    )


def _restrict(system: SystemScore, common: Sequence[int]) -> dict[str, MetricScores]:
    """The results of a system for the common items alone."""
    scored = {item.index: place for place, item in enumerate(item for item in system.items if not item.error)}
    places = [scored[index] for index in common]
    restricted = {}
    for metric, scores in system.results.items():
        pooled = scores.as_pooled()
        rows = Pooled(tuple(pooled.rows[place] for place in places), pooled.combine)
        restricted[metric] = MetricScores.summed((scores.items[place] for place in places), rows)
    return restricted


def _wins(gaps: Sequence[float], items: Sequence[int]) -> tuple[tuple[int, float], ...]:
    won = [(item, gap) for item, gap in zip(items, gaps, strict=True) if gap > TIE]
    return tuple(sorted(won, key=lambda win: -win[1]))
