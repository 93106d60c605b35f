"""The example items of a report: the best, the worst, and those on which systems or metrics differ most."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.display.reports.chapters import Chapter
from sema.scoring.results import Report


@dataclass(frozen=True)
class Pick:
    """An item, the systems whose outputs are shown, and why."""

    item: int
    systems: tuple[str, ...]
    why: str


def pick_items(chapter: Chapter, count: int) -> dict[str, list[Pick]]:
    """Up to ``count`` items for each of ``worst``, ``best`` and ``disputed``, by the chapter's primary metric."""
    metric, scored = chapter.metric, chapter.report.worst_first(chapter.metric)
    sign = 1 if chapter.report.higher_is_better.get(metric, True) else -1
    lengths: dict[int, int] = {}
    copies: set[tuple[int, str]] = set()
    for texts in chapter.texts:
        item, source = texts["item"], texts["source"]
        lengths[item] = len(source)
        copies |= {(item, name) for name, text in texts["outputs"].items() if text.split() == source.split()}
    # Copies score perfectly and are uninformative; ties go to the longest.
    changed = [output for output in scored if (output.item, output.system) not in copies] or scored

    def first(sign: int, shown: Collection[tuple[int, str]] = ()) -> list[Pick]:
        picks: dict[int, Pick] = {}
        for score, item, system in sorted(changed, key=lambda one: (sign * one.score, -lengths[one.item], one.item)):
            if (item, system) not in shown:
                picks.setdefault(item, Pick(item, (system,), f"{metric} {score:.1f}"))
        return list(picks.values())[:count]

    worst = first(sign)
    best = first(-sign, {(pick.item, pick.systems[0]) for pick in worst})
    return {"worst": worst, "best": best, "disputed": _disputed(chapter, count)}


def worst_first(chapter: Chapter) -> list[int]:
    """All items: first those without any score, then by their worst output in the primary metric, worst first."""
    ranked = dict.fromkeys(output.item for output in chapter.report.worst_first(chapter.metric))
    return [*(item for item in range(chapter.report.items) if item not in ranked), *ranked]


def _disputed(chapter: Chapter, count: int) -> list[Pick]:
    """The items with the widest gap between systems; for one system, between two metrics' rankings."""
    report, metric = chapter.report, chapter.metric
    if len(report.systems) > 1:
        scores = {system.name: system.columns(report.metrics).values(metric) for system in report.systems}
        return [
            Pick(item, (high, low), f"{gap:.1f} points of {metric} between {high} and {low}")
            for gap, item, high, low in _widest(scores)[:count]
        ]
    return [
        Pick(item, report.names, f"high in {high}, low in {low}")
        for _, item, high, low in _widest(_shares(report))[:count]
    ]


def _shares(report: Report) -> dict[str, NDArray[Any]]:
    """Each item of the only system as its rank by each metric (a share of all), NaN unless all metrics scored it.

    Empty for under three such items.
    """
    from scipy.stats import rankdata

    columns = report.systems[0].columns(report.metrics)
    better = report.higher_is_better
    scores = np.array([columns.values(name) * (1 if better.get(name, True) else -1) for name in report.metrics])
    scored = ~np.isnan(scores).any(axis=0)
    if scored.sum() < 3:
        return {}
    scores[:, ~scored] = np.nan
    return dict(zip(report.metrics, rankdata(scores, axis=1, nan_policy="omit") / scored.sum(), strict=True))


def _widest(columns: Mapping[str, NDArray[Any]]) -> list[tuple[float, int, str, str]]:
    """Items by how far apart their values in the columns lie, if they differ: gap, item, highest and lowest column."""
    gaps = []
    for item, values in enumerate(zip(*(column.tolist() for column in columns.values()), strict=True)):
        known = sorted((value, name) for value, name in zip(values, columns, strict=True) if value == value)
        if known and known[0][0] < known[-1][0]:
            gaps.append((known[-1][0] - known[0][0], item, known[-1][1], known[0][1]))
    return sorted(gaps, key=lambda gap: (-gap[0], gap[1]))
