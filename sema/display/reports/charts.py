"""The charts of a report: scores with intervals, distributions, what became of words, metrics and levels."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sema.display.pictures.items import FATES
from sema.display.reports import figures
from sema.display.reports.trade import HEIGHT, LEVELS, Estimates, draw_trade, level_metric

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sema.display.reports.chapters import Chapter
    from sema.display.reports.levels import LevelProfile

HATCHES = {"form": "//", "synonym": "\\\\", "paraphrase": "xx", "contextual": "..", "hyponymy": "++", "wrong": "--"}
SHADES = ("#2e8b6f", "#5aa469", "#b0a030", "#cf8a2d", "#c8603a", "#ad3f4b", "#7d2f56")  # of levels, the easiest first
SHOWN_SYSTEMS, SHOWN_METRICS = 8, 6
POINTS = 200  # how many outputs a scatter plot shows, evenly taken


def intervals_figure(
    estimates: Estimates, metrics: Sequence[str], ranges: Mapping[str, tuple[float, float]] = MappingProxyType({})
) -> Figure:
    """A panel for each metric: every system's corpus score with its interval; below, meaning against level.

    No axis reaches beyond the metric's range.
    """
    columns = min(3, len(metrics))
    rows = -(-len(metrics) // columns)
    height, level = rows * (0.62 + 0.27 * len(estimates)) + 0.25, level_metric(metrics)
    above: Any = (figure := figures.figure_of(height + (HEIGHT if level else 0)))
    if level:
        parts: Any = figure.subfigures(2, 1, height_ratios=(height, HEIGHT))
        above, below = parts
        draw_trade(below.subplots(), estimates, level, ranges)
    panels = above.subplots(rows, columns, squeeze=False, sharey=True).ravel()
    for axes, metric in zip(panels, metrics, strict=False):
        figures.calm(axes, metric, grid="x")
        for place, scores in enumerate(estimates.values()):
            estimate, (colour, marker) = scores[metric], figures.look(place)
            if math.isfinite(estimate.low):
                ends = [estimate.low, estimate.high]
                axes.plot(ends, [place, place], color=colour, linewidth=2.2, solid_capstyle="round")
            axes.plot([estimate.value], [place], marker, color=colour, markersize=6, clip_on=False)
        figures.keep_within(axes, ranges.get(metric))
        axes.set_yticks(range(len(estimates)), list(map(figures.plain, estimates)))
        axes.set_ylim(len(estimates) - 0.5, -0.5)
    for axes in panels[len(metrics) :]:
        axes.set_visible(False)
    return figure


def distributions_figure(chapter: Chapter) -> Figure:
    """Histograms of the items' scores: systems down, metrics across."""
    systems = chapter.report.systems[:SHOWN_SYSTEMS]
    names = chapter.report.metrics
    metrics, level = list(names[:SHOWN_METRICS]), next((name for name in LEVELS if name in names), names[0])
    if level not in metrics:  # it replaces the last
        metrics[-1] = level
    columns = [system.columns(names) for system in systems]
    figure = figures.figure_of(0.5 + 0.72 * len(systems))
    panels = figure.subplots(len(systems), len(metrics), squeeze=False, sharex="col")
    for metric, down in zip(metrics, panels.T, strict=True):
        values = [[value for value in column.values(metric).tolist() if value == value] for column in columns]
        flat = [value for row in values for value in row]
        low, high = (min(flat), max(flat)) if flat else (0.0, 100.0)
        if low >= 0 and high <= 100 and chapter.report.metric(metric).range == (0.0, 100.0):
            low, high = 0.0, 100.0
        for place, (axes, row) in enumerate(zip(down, values, strict=True)):
            figures.calm(axes, metric if place == 0 else "")
            ends = (low, high if high > low else low + 1)
            axes.hist(row, bins=20, range=ends, color=figures.PALETTE[place % len(figures.PALETTE)], rwidth=0.86)
            axes.set_yticks([])
    for axes, system in zip(panels[:, 0], systems, strict=True):
        look = {"color": figures.INK, "fontsize": figures.SIZE}
        axes.set_ylabel(figures.plain(system.name), rotation=0, ha="right", va="center", **look)
    return figure


def fates_figure(chapter: Chapter) -> Figure | None:
    """What became of the source's words, system by system, and how much was added; none without links."""
    profiles = {name: profile for name, profile in chapter.profiles.items() if profile.counted}
    if not profiles:
        return None
    figure = figures.figure_of(0.9 + 0.34 * len(profiles))
    axes, more = figure.subplots(1, 2, sharey=True, width_ratios=(4, 1))
    shares = {name: {fate: profile.share(fate) for fate in FATES} for name, profile in profiles.items()}
    colours = figures.KIND_COLOURS
    figures.stacked(axes, shares, {fate: {"color": colours[fate], "hatch": HATCHES.get(fate, "")} for fate in FATES})
    added = [100 * profile.share("added") for profile in profiles.values()]
    more.barh(list(map(figures.plain, profiles)), added, color=colours["added"], height=figures.BAR)
    figures.calm(axes, "% of source words")
    figures.calm(more, "% of output added")
    figures.legend(figure, ncols=8, handlelength=1.4)
    return figure


def scatter_figure(chapter: Chapter) -> Figure | None:
    """The primary metric against each of the others, a point for an output; none for a single metric."""
    others = [name for name in chapter.report.metrics if name != chapter.metric][:4]
    if not others:
        return None
    figure = figures.figure_of(2.5)
    panels = figure.subplots(1, max(3, len(others)), squeeze=False, sharey=True)[0]
    systems = chapter.report.systems[:SHOWN_SYSTEMS]
    share = max(10, POINTS // len(systems))
    for place, system in enumerate(systems):
        items = [item.scores for item in system.items if item.scores]
        items = items[:: max(1, -(-len(items) // share))]
        heights, (colour, marker) = [scores[chapter.metric] for scores in items], figures.look(place)
        for axes, metric in zip(panels, others, strict=False):
            across = [scores[metric] for scores in items]
            axes.plot(across, heights, marker, color=colour, label=figures.plain(system.name), **figures.DOTTED)
    for axes, metric in zip(panels, others, strict=False):
        figures.calm(axes, grid="both", across=metric, up="" if axes is not panels[0] else chapter.metric)
    for axes in panels[len(others) :]:
        axes.set_visible(False)
    if len(chapter.report.systems) > 1:
        figures.legend(figure, *panels[0].get_legend_handles_labels(), ncols=6, markerscale=1.8)
    return figure


def levels_figure(profiles: Mapping[str, LevelProfile]) -> Figure:
    """A bar for each text, divided by the levels of its words; for a single text, one for each level with its words."""
    if len(profiles) == 1:
        return _levels_with_words(*profiles.values())
    figure = figures.figure_of(0.9 + 0.34 * len(profiles))
    axes = figure.subplots()
    labels = sorted({label for profile in profiles.values() for label in profile.words})
    looks = {label: {"color": SHADES[place % len(SHADES)]} for place, label in enumerate(labels)}
    figures.stacked(axes, {name: profile.shares for name, profile in profiles.items()}, looks)
    figures.calm(axes, "% of words")
    figures.legend(figure, ncols=8, handlelength=1.4)
    return figure


def _levels_with_words(profile: LevelProfile) -> Figure:
    figure = figures.figure_of(0.6 + 0.42 * max(1, len(profile.words)))
    axes = figure.subplots()
    for place, (label, share) in enumerate(profile.shares.items()):
        axes.barh([place], [100 * share], color=SHADES[place % len(SHADES)], height=figures.BAR)
        words, end = figures.plain(f"{100 * share:.0f} %  {profile.commonest(label, 8)}"), (100 * share, place)
        axes.annotate(words, end, xytext=(5, 0), textcoords="offset points", va="center", fontsize=figures.SIZE)
    figures.calm(axes, "% of words, and the commonest")
    axes.set_yticks(range(len(profile.shares)), list(profile.shares))
    axes.set_xlim(0, 200)  # the right half is for the words
    axes.set_xticks(range(0, 101, 25))
    axes.invert_yaxis()
    return figure
