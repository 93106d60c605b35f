"""All charts: scores, words, levels, meaning against level, and scores against ratings.

Scores against ratings are drawn as papers on metrics do it: Figure 1 of Sulem, Abend and Rappoport (NAACL 2018),
Figure 3 of Xu et al. (TACL 2016), and Figures 4 to 6 of Alva-Manchego, Scarton and Specia (2021).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from sema.display.pictures.items import FATES
from sema.display.reports.figures import CARD, INK, KIND_COLOURS, PALETTE, SIZE, calm, figure_of, legend, plain
from sema.display.reports.levels import LEVELS, MEANING, Estimates, LevelProfile, level_and_meaning, level_metric
from sema.display.tables import number
from sema.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sema.display.reports.chapters import Chapter
    from sema.evaluation.significance import Estimate

Shown = TypeVar("Shown")
Looks = Mapping[str, tuple[str, str]]
"""The colour and the marker of each system or group, by name."""

MARKERS = "osD^vPX*"
HATCHES = {"form": "//", "synonym": "\\\\", "paraphrase": "xx", "contextual": "..", "hyponymy": "++", "wrong": "--"}
SHADES = ("#2e8b6f", "#5aa469", "#b0a030", "#cf8a2d", "#c8603a", "#ad3f4b", "#7d2f56")  # of levels, the easiest first
BAR = 0.62  # the height of a bar, as a share of the room between two
SHOWN_SYSTEMS, SHOWN_METRICS = 8, 6
POINTS = 200  # how many outputs the scatter plot of a report shows, evenly taken
BITMAP = 2000  # a panel with more points has them as a bitmap in SVG and PDF files
COLUMNS, MOST_PANELS = 4, 60  # of scores against ratings
PANEL = 2.2  # the height of one of these panels, in inches
TRADE, LINE = 3.4, 0.17  # the heights of meaning against level and of a name beside it, in inches


def _looks(names: Iterable[str]) -> Looks:
    return {name: (PALETTE[at % len(PALETTE)], MARKERS[at % len(MARKERS)]) for at, name in enumerate(names)}


def _lines(shown: Sequence[Shown], columns: int) -> list[Sequence[Shown]]:
    return [shown[start : start + columns] for start in range(0, len(shown), columns)]


def _panels(figure: Any, lines: Sequence[Sequence[Shown]], columns: int, **shared: Any) -> Iterator[tuple[Any, Shown]]:
    """Axes in ``columns`` for everything in the lines; what remains of the grid is not shown."""
    for panels, line in zip(figure.subplots(len(lines), columns, squeeze=False, **shared), lines, strict=True):
        for axes in panels[len(line) :]:
            axes.set_visible(False)
        yield from zip(panels, line, strict=False)


def intervals_figure(
    estimates: Estimates, metrics: Sequence[str], ranges: Mapping[str, tuple[float, float]] = MappingProxyType({})
) -> Figure:
    """A panel for each metric: every system's corpus score with its interval; below, meaning against level.

    No axis reaches beyond the metric's range.
    """
    columns = min(3, len(metrics))
    lines = _lines(metrics, columns)
    height, level = len(lines) * (0.62 + 0.27 * len(estimates)) + 0.25, level_metric(metrics)
    above: Any = (figure := figure_of(height + (TRADE if level else 0)))
    if level:
        parts: Any = figure.subfigures(2, 1, height_ratios=(height, TRADE))
        above, below = parts
        _draw_trade(below.subplots(), estimates, level, ranges)
    for axes, metric in _panels(above, lines, columns, sharey=True):
        calm(axes, metric, grid="x")
        for place, (name, (colour, marker)) in enumerate(_looks(estimates).items()):
            estimate = estimates[name][metric]
            if math.isfinite(estimate.low):
                ends = [estimate.low, estimate.high]
                axes.plot(ends, [place, place], color=colour, linewidth=2.2, solid_capstyle="round")
            axes.plot([estimate.value], [place], marker, color=colour, markersize=6, clip_on=False)
        _keep_within(axes, ranges.get(metric))
        axes.set_yticks(range(len(estimates)), list(map(plain, estimates)))
        axes.set_ylim(len(estimates) - 0.5, -0.5)
    return figure


def _keep_within(axes: Any, limits: tuple[float, float] | None, axis: str = "x") -> None:
    """Clip an axis to the metric's range, if the margin around its values reaches beyond."""
    if limits is not None:
        low, high = getattr(axes, f"get_{axis}lim")()
        getattr(axes, f"set_{axis}lim")(max(low, limits[0]), min(high, limits[1]))


def _draw_trade(axes: Any, estimates: Estimates, level: str, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Meaning against level with intervals, the names beside the points; no axis reaches beyond the metric's range."""
    points, looks = _trade_points(axes, estimates, level), _looks(estimates)
    for name, (x, y) in points.items():
        colour, marker = looks[name]
        _cross(axes, estimates[name], level, color=colour, linewidth=1.4)
        axes.plot([x], [y], marker, color=colour, markersize=7, clip_on=False)
        axes.annotate(plain(name), (x, y), xytext=(6, 5), textcoords="offset points", color=colour, fontsize=SIZE)
    axes.margins(0.18)
    _keep_within(axes, ranges.get(level))
    _keep_within(axes, ranges.get(MEANING), "y")


def trade_figure(estimates: Estimates, level: str) -> Figure:
    """Meaning against level of many systems, each drawn as its number; the names are listed beside the plot."""
    figure = figure_of(max(TRADE, 0.5 + LINE * len(level_and_meaning(estimates, level))))
    axes: Any = figure.subplots()
    points = _trade_points(axes, estimates, level)
    for place, (name, (x, y)) in enumerate(points.items()):
        colour = PALETTE[place % len(PALETTE)]
        _cross(axes, estimates[name], level, color=colour, linewidth=0.5, alpha=0.5)
        axes.plot([x], [y], "o", color=CARD, markersize=9, markeredgecolor=colour, markeredgewidth=1.2)
        axes.annotate(str(place + 1), (x, y), color=colour, fontsize=SIZE - 2, ha="center", va="center")
        beside: dict[str, Any] = {"xycoords": "axes fraction", "va": "center", "annotation_clip": False}
        axes.annotate(plain(name), (1.03, 1 - (place + 0.5) / len(points)), color=colour, fontsize=SIZE - 0.5, **beside)
    return figure


def _trade_points(axes: Any, estimates: Estimates, level: str) -> dict[str, tuple[float, float]]:
    """Level and meaning of the systems that have both, and axes for them: easier is left, more meaning kept above."""
    calm(axes, grid="both")
    axes.set(xlabel=f"{level}: easier to the left", ylabel=MEANING)
    return level_and_meaning(estimates, level)


def _cross(axes: Any, scores: Mapping[str, Estimate], level: str, **look: Any) -> None:
    """The intervals of a system's level and meaning, through its point."""
    for key, other, line in ((level, MEANING, axes.hlines), (MEANING, level, axes.vlines)):
        if math.isfinite(scores[key].low):
            line(scores[other].value, scores[key].low, scores[key].high, **look)


def distributions_figure(chapter: Chapter) -> Figure:
    """Histograms of the items' scores: systems down, metrics across."""
    systems = chapter.report.systems[:SHOWN_SYSTEMS]
    names = chapter.report.metrics
    metrics, level = list(names[:SHOWN_METRICS]), next((name for name in LEVELS if name in names), names[0])
    if level not in metrics:  # it replaces the last
        metrics[-1] = level
    columns = [system.columns(names) for system in systems]
    figure = figure_of(0.5 + 0.72 * len(systems))
    panels = figure.subplots(len(systems), len(metrics), squeeze=False, sharex="col")
    for metric, down in zip(metrics, panels.T, strict=True):
        values = [[value for value in column.values(metric).tolist() if value == value] for column in columns]
        flat = [value for row in values for value in row]
        low, high = (min(flat), max(flat)) if flat else (0.0, 100.0)
        if low >= 0 and high <= 100 and chapter.report.metric(metric).range == (0.0, 100.0):
            low, high = 0.0, 100.0
        for place, (axes, row) in enumerate(zip(down, values, strict=True)):
            calm(axes, metric if place == 0 else "")
            ends = (low, high if high > low else low + 1)
            axes.hist(row, bins=20, range=ends, color=PALETTE[place % len(PALETTE)], rwidth=0.86)
            axes.set_yticks([])
    for axes, system in zip(panels[:, 0], systems, strict=True):
        axes.set_ylabel(plain(system.name), rotation=0, ha="right", va="center", color=INK, fontsize=SIZE)
    return figure


def fates_figure(chapter: Chapter) -> Figure | None:
    """What became of the source's words, system by system, and how much was added; none without links."""
    profiles = {name: profile for name, profile in chapter.profiles.items() if profile.counted}
    if not profiles:
        return None
    figure = figure_of(0.9 + 0.34 * len(profiles))
    axes, more = figure.subplots(1, 2, sharey=True, width_ratios=(4, 1))
    shares = {name: {fate: profile.share(fate) for fate in FATES} for name, profile in profiles.items()}
    looks = {fate: {"color": KIND_COLOURS[fate], "hatch": HATCHES.get(fate, "")} for fate in FATES}
    _stacked(axes, "% of source words", shares, looks)
    added = [100 * profile.share("added") for profile in profiles.values()]
    more.barh(list(map(plain, profiles)), added, color=KIND_COLOURS["added"], height=BAR)
    calm(more, "% of output added")
    return figure


def levels_figure(profiles: Mapping[str, LevelProfile]) -> Figure:
    """A bar for each text, divided by the levels of its words; for a single text, one for each level with its words."""
    if len(profiles) == 1:
        return _levels_with_words(*profiles.values())
    figure = figure_of(0.9 + 0.34 * len(profiles))
    labels = sorted({label for profile in profiles.values() for label in profile.words})
    looks = {label: {"color": SHADES[place % len(SHADES)]} for place, label in enumerate(labels)}
    shares = {name: profile.shares for name, profile in profiles.items()}
    _stacked(figure.subplots(), "% of words", shares, looks)
    return figure


def _stacked(
    axes: Any, title: str, shares: Mapping[str, Mapping[str, float]], looks: Mapping[str, Mapping[str, Any]]
) -> None:
    """A bar for each name, divided by the shares (in [0, 1]) of the labels of ``looks``, which the legend explains."""
    names, starts = list(map(plain, shares)), [0.0] * len(shares)
    for label, look in looks.items():
        values = [100 * parts.get(label, 0) for parts in shares.values()]
        if any(values):
            axes.barh(names, values, left=starts, label=label, edgecolor=CARD, linewidth=0.4, height=BAR, **look)
            starts = [start + value for start, value in zip(starts, values, strict=True)]
    axes.set_xlim(0, 100)
    axes.invert_yaxis()
    calm(axes, title)
    legend(axes.figure, *axes.get_legend_handles_labels(), ncols=8, handlelength=1.4)


def _levels_with_words(profile: LevelProfile) -> Figure:
    figure = figure_of(0.6 + 0.42 * max(1, len(profile.words)))
    axes = figure.subplots()
    for place, (label, share) in enumerate(profile.shares.items()):
        axes.barh([place], [100 * share], color=SHADES[place % len(SHADES)], height=BAR)
        words, end = plain(f"{100 * share:.0f} %  {profile.commonest(label, 8)}"), (100 * share, place)
        axes.annotate(words, end, xytext=(5, 0), textcoords="offset points", va="center", fontsize=SIZE)
    calm(axes, "% of words, and the commonest")
    axes.set_yticks(range(len(profile.shares)), list(profile.shares))
    axes.set_xlim(0, 200)  # the right half is for the words
    axes.set_xticks(range(0, 101, 25))
    axes.invert_yaxis()
    return figure


def scatter_figure(chapter: Chapter) -> Figure | None:
    """The primary metric against each of the others, a point for an output; none for a single metric."""
    others = [name for name in chapter.report.metrics if name != chapter.metric][:4]
    if not others:
        return None
    systems = chapter.report.systems[:SHOWN_SYSTEMS]
    share = max(10, POINTS // len(systems))
    outputs: list[tuple[Mapping[str, float], str]] = []
    for system in systems:
        items = [(item.scores, system.name) for item in system.items if item.scores]
        outputs += items[:: max(1, -(-len(items) // share))]
    figure, looks = figure_of(2.5), _looks(system.name for system in systems)
    for axes, metric in _panels(figure, [others], max(3, len(others)), sharey=True):
        points = [(scores[metric], scores[chapter.metric], name) for scores, name in outputs]
        handles = _draw_points(axes, points, looks)
        calm(axes, grid="both", across=metric, up=chapter.metric if metric == others[0] else "")
    if len(chapter.report.systems) > 1:
        _explain(figure, handles)
    return figure


Points = Sequence[tuple[float, float, str]]
"""The places of points, and the group of each."""


def _draw_points(axes: Any, points: Points, looks: Looks, **options: Any) -> dict[str, Any]:
    """Draw the points of every group; returns the groups' handles for a legend."""
    handles = {}
    for group, (colour, marker) in looks.items():
        across, up = ([point[axis] for point in points if point[2] == group] for axis in (0, 1))
        dots = {"linestyle": "none", "markersize": 3, "markeredgewidth": 0, "alpha": 0.55, **options}
        (handles[group],) = axes.plot(across, up, marker, color=colour, **dots)
    return handles


def _explain(figure: Figure, handles: Mapping[str, Any]) -> None:
    legend(figure, list(handles.values()), list(map(plain, handles)), ncols=6, markerscale=1.8)


@dataclass(frozen=True)
class Cloud:
    """One panel: a metric's scores (up) against ratings (across) of the same items, or of systems by their means."""

    metric: str
    rating: str
    ratings: Sequence[float]  # points with a NaN, here or in the scores, are not drawn
    scores: Sequence[float]
    r: float  # Pearson's correlation of the points
    groups: Sequence[str] = ()  # each point's group, which gives it its colour; none: all alike


def regression_figure(rows: Sequence[Sequence[Cloud]]) -> Figure:
    """A panel for each cloud, with its points, its least-squares line and its correlation; long rows are broken.

    Raises:
        UsageError: there are too many panels for one figure.
    """
    clouds = [cloud for row in rows for cloud in row]
    if len(clouds) > MOST_PANELS:
        raise UsageError(
            f"{len(clouds)} pictures are too many for one figure; name fewer metrics or columns of ratings"
        )
    lines = [line for row in rows for line in _lines(row, COLUMNS)]
    looks = _looks(dict.fromkeys(group for cloud in clouds for group in cloud.groups))
    figure = figure_of(PANEL * len(lines) + (0.25 if looks else 0))
    handles: dict[str, Any] = {}
    for axes, cloud in _panels(figure, lines, max(3, *map(len, lines))):
        drawn = _draw_cloud(axes, cloud, looks if cloud.groups else {"": (PALETTE[0], "o")})
        handles |= drawn if cloud.groups else {}
    if looks:
        _explain(figure, handles)
    return figure


def _draw_cloud(axes: Any, cloud: Cloud, looks: Looks) -> dict[str, Any]:
    groups = cloud.groups or [""] * len(cloud.scores)
    given = zip(cloud.ratings, cloud.scores, groups, strict=True)
    points = [point for point in given if math.isfinite(point[0]) and math.isfinite(point[1])]
    title = f"r = {number(cloud.r, 3)} (N = {len(points)})"
    calm(axes, title, grid="both", across=plain(cloud.rating), up=plain(cloud.metric))
    handles = _draw_points(axes, points, looks, rasterized=len(points) > BITMAP)
    across = [rating for rating, _, _ in points]
    line = regression_line(across, [score for _, score, _ in points])
    if line is not None:
        slope, intercept = line
        ends = [min(across), max(across)]
        axes.plot(ends, [intercept + slope * end for end in ends], color=INK, linewidth=1.2)
    return handles


def regression_line(ratings: Sequence[float], scores: Sequence[float]) -> tuple[float, float] | None:
    """Slope and intercept of the least-squares line of scores on ratings; none unless the ratings differ."""
    from scipy.stats import linregress

    if len(set(ratings)) < 2:
        return None
    fitted = linregress(ratings, scores)
    return float(fitted.slope), float(fitted.intercept)
