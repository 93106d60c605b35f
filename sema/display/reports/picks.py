"""The example items of a report: the best, the worst, and those on which systems or metrics differ most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sema.display.reports.chapters import Chapter


@dataclass(frozen=True)
class Pick:
    """An item, the systems whose outputs are shown, and why."""

    item: int
    systems: tuple[str, ...]
    why: str


def pick_items(chapter: Chapter, count: int) -> dict[str, list[Pick]]:
    """Up to ``count`` items for each of ``worst``, ``best`` and ``disputed``, by the chapter's primary metric."""
    metric = chapter.metric
    sign = 1 if chapter.report.higher_is_better.get(metric, True) else -1
    scored, changed = [], []
    for texts in chapter.texts:
        index, source = texts["item"], texts["source"]
        for name, value in _scores(chapter, index).items():
            scored.append((sign * value, -len(source), index, name))
            if texts["outputs"].get(name, "").split() != source.split():
                changed.append(scored[-1])

    def single(entries: Iterable[tuple[float, int, int, str]]) -> list[Pick]:
        picks: dict[int, Pick] = {}
        for value, _, index, name in entries:
            picks.setdefault(index, Pick(index, (name,), f"{metric} {sign * value:.1f}"))
        return list(picks.values())[:count]

    # Copies score perfectly and are uninformative; ties go to the longest.
    changed = sorted(changed or scored, key=lambda entry: entry[:3])
    worst = single(changed)
    shown = {(pick.item, *pick.systems) for pick in worst}
    downwards = sorted(changed, key=lambda entry: (-entry[0], *entry[1:3]))
    best = single(entry for entry in downwards if entry[2:] not in shown)
    return {"worst": worst, "best": best, "disputed": _disputed(chapter, count)}


def worst_first(chapter: Chapter) -> list[int]:
    """All items: first those without any score, then by their worst output in the primary metric, worst first."""
    ranked = dict.fromkeys(output.item for output in chapter.report.worst_first(chapter.metric))
    return [*(item for item in range(chapter.report.items) if item not in ranked), *ranked]


def _scores(chapter: Chapter, index: int) -> dict[str, float]:
    """The scores of the systems that have one for an item."""
    by_system = {name: system.items[index].scores.get(chapter.metric) for name, system in chapter.systems.items()}
    return {name: value for name, value in by_system.items() if value is not None and value == value}


def _disputed(chapter: Chapter, count: int) -> list[Pick]:
    """The items with the widest gap between systems; for one system, between two metrics' rankings."""
    systems = [*chapter.systems]
    if len(systems) > 1:
        widest = _widest({index: _scores(chapter, index) for index in range(chapter.report.items)})
        return [
            Pick(item, (high, low), f"{gap:.1f} points of {chapter.metric} between {high} and {low}")
            for gap, item, high, low in widest[:count]
        ]
    widest = _widest(_shares(chapter))
    return [Pick(item, (*systems,), f"high in {high}, low in {low}") for _, item, high, low in widest[:count]]


def _shares(chapter: Chapter) -> dict[int, dict[str, float]]:
    """For each item of the only system its rank by each metric, as a share of all; empty for under three items."""
    from scipy.stats import rankdata

    report = chapter.report
    items = [item for item in report.systems[0].items if item.scores and all(v == v for v in item.scores.values())]
    if len(items) < 3:
        return {}
    better = report.higher_is_better
    ranks = {
        name: rankdata([item.scores[name] * (1 if better.get(name, True) else -1) for item in items]) / len(items)
        for name in report.metrics
    }
    return {
        item.index: {name: float(column[place]) for name, column in ranks.items()} for place, item in enumerate(items)
    }


def _widest(values: Mapping[int, Mapping[str, float]]) -> list[tuple[float, int, str, str]]:
    """Items by how far apart their named values lie, if they differ: gap, item, highest and lowest name."""
    gaps = []
    for item, of_item in values.items():
        pairs = sorted((value, name) for name, value in of_item.items())
        if pairs and pairs[0][0] < pairs[-1][0]:
            gaps.append((pairs[-1][0] - pairs[0][0], -item, pairs[-1][1], pairs[0][1]))
    return [(gap, -item, high, low) for gap, item, high, low in sorted(gaps, reverse=True)]
