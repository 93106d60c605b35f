"""The example items of a report: the best, the worst, and those on which systems or metrics differ most."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sema.display.reports.chapters import Chapter


@dataclass(frozen=True)
class Pick:
    """An item, the systems whose outputs are shown, and why."""

    item: int
    systems: tuple[str, ...]
    why: str


def pick_items(chapter: Chapter, count: int) -> dict[str, list[Pick]]:
    """Up to ``count`` items for each of ``best``, ``worst`` and ``disputed``, by the chapter's primary metric."""
    metric = chapter.metric
    turn = 1 if chapter.report.higher_is_better.get(metric, True) else -1
    scored = sorted(
        (
            (turn * item.scores[metric], chapter.shapes.lengths[item.index], item.index, system.name)
            for system in chapter.report.systems
            for item in system.items
            if item.error is None and item.scores[metric] == item.scores[metric]
        ),
        key=lambda entry: (-entry[0], -entry[1], entry[2]),  # ties go to the longest
    )

    def single(entries: Iterable[tuple[float, int, int, str]]) -> list[Pick]:
        picks: list[Pick] = []
        for value, _, index, name in entries:
            if len(picks) == count:
                break
            if all(pick.item != index for pick in picks):
                picks.append(Pick(index, (name,), f"{metric} {turn * value:.1f}"))
        return picks

    # Copies score perfectly and are uninformative.
    changed = [entry for entry in scored if entry[2] not in chapter.shapes.copies[entry[3]]] or scored
    best = single(changed)
    shown = {(pick.item, *pick.systems) for pick in best}
    upwards = sorted(changed, key=lambda entry: (entry[0], -entry[1], entry[2]))
    worst = single([entry for entry in upwards if (entry[2], entry[3]) not in shown])
    return {"best": best, "worst": worst, "disputed": _disputed(chapter, count)}


def _disputed(chapter: Chapter, count: int) -> list[Pick]:
    """The items with the widest gap between systems; for one system, between two metrics' rankings."""
    report, metric = chapter.report, chapter.metric
    if len(report.systems) > 1:
        spread = []
        for index in range(report.items):
            values = [
                (system.items[index].scores[metric], system.name)
                for system in report.systems
                if system.items[index].error is None
                and system.items[index].scores[metric] == system.items[index].scores[metric]
            ]
            if len(values) > 1:
                low, high = min(values), max(values)
                spread.append((high[0] - low[0], -index, high[1], low[1]))
        spread.sort(reverse=True)
        return [
            Pick(-index, (high, low), f"{gap:.1f} points of {metric} between {high} and {low}")
            for gap, index, high, low in spread[:count]
            if gap > 0
        ]
    if len(report.metrics) < 2:
        return []
    return _between_metrics(chapter, count)


def _between_metrics(chapter: Chapter, count: int) -> list[Pick]:
    from scipy.stats import rankdata

    system = chapter.report.systems[0]
    items = [item for item in system.items if item.error is None and all(v == v for v in item.scores.values())]
    if len(items) < 3:
        return []
    better = chapter.report.higher_is_better
    ranks = {
        name: rankdata([item.scores[name] * (1 if better.get(name, True) else -1) for item in items]) / len(items)
        for name in chapter.report.metrics
    }
    gaps = []
    for place, item in enumerate(items):
        values = [(float(column[place]), name) for name, column in ranks.items()]
        low, high = min(values), max(values)
        gaps.append((high[0] - low[0], -item.index, high[1], low[1]))
    gaps.sort(reverse=True)
    return [
        Pick(-index, (system.name,), f"high in {high}, low in {low}")
        for gap, index, high, low in gaps[:count]
        if gap > 0
    ]
