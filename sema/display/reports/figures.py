"""All figures and their files: scores, words, levels, meaning against level, and scores against ratings.

Scores against ratings are drawn as papers on metrics do it: Figure 1 of Sulem, Abend and Rappoport (NAACL 2018),
Figure 3 of Xu et al. (TACL 2016), and Figures 4 to 6 of Alva-Manchego, Scarton and Specia (2021).
"""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sema.display.reports.profiles import LEVELS, LevelProfile
from sema.display.tables import number
from sema.errors import SemaWarning, required
from sema.files.replacing import check_file, replacing
from sema.model.text import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sema.evaluation.significance import Estimate

PALETTE = ("#0e7c86", "#b4610a", "#6941c6", "#3d7a1f", "#c11574", "#1c63c9", "#8a6d00", "#5d6675")
"""The colours of systems."""
INK, RULE, CARD = "#1d2430", "#d9d5cd", "#fffffe"
FILES = (".svg", ".pdf", ".png")
DOTS = 200  # dots per inch, in a PNG file and where a figure has too many points to be drawn one by one
SIZE = 8.5  # the font size, in points
OWN = "DejaVu Sans"  # matplotlib's font, which lacks Chinese, Japanese and Korean
EAST_ASIAN = (
    "Noto Sans CJK", "Noto Sans SC", "Source Han Sans", "WenQuanYi", "Droid Sans Fallback", "PingFang",
    "Hiragino Sans", "Apple SD Gothic", "Arial Unicode", "Microsoft YaHei", "SimHei", "Malgun Gothic",
)  # fmt: skip
"""How the families of usual fonts with these letters begin."""
Estimates = Mapping[str, Mapping[str, "Estimate"]]  # scores with intervals, by system and metric
Ranges = Mapping[str, tuple[float, float]]  # the least and the greatest possible score of each metric

MEANING = "meaning"
MARKERS = "osD^vPX*"
SHADES = ("#2e8b6f", "#5aa469", "#b0a030", "#cf8a2d", "#c8603a", "#ad3f4b", "#7d2f56")  # of levels, the easiest first
BAR = 0.62  # the height of a bar, as a share of the room between two
BITMAP = 2000  # a panel with more points has them as a bitmap in SVG and PDF files
COLUMNS = 4  # of scores against ratings
PANEL = 2.2  # the height of one of these panels, in inches
TRADE, LINE = 3.4, 0.17  # the heights of meaning against level and of a name beside it, in inches


def plain(name: str) -> str:
    """A name as a figure shows it: no control characters, and no formula between dollars."""
    return visible(name).replace("$", r"\$")


def figure_of(height: float) -> Figure:
    """A figure of that height in inches, with a transparent background."""
    figure: Figure = required("matplotlib.figure").Figure(figsize=(9.2, height), layout="constrained")
    figure.patch.set_alpha(0)
    return figure


def calm(axes: Any, title: str = "", grid: str = "", across: str = "", up: str = "") -> None:
    """Axes without frame, background or ticks; the title on the left; ``grid`` names the axes whose grid is shown.

    ``across`` and ``up`` are the names of the axes.
    """
    axes.patch.set_alpha(0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color(RULE)
    axes.tick_params(colors=INK, length=0, labelsize=SIZE)
    axes.set_title(title, loc="left", fontsize=SIZE + 0.5, fontweight="bold", color=INK)
    axes.set_xlabel(across, color=INK, fontsize=SIZE)
    axes.set_ylabel(up, color=INK, fontsize=SIZE)
    if grid:
        axes.grid(axis=grid, color=RULE, linewidth=0.6)


def check_figure_path(path: str) -> None:
    """Raise an error for a file that is none of :data:`FILES` or cannot be made, or if there is no matplotlib."""
    check_file(path, "figures", FILES)
    required("matplotlib")


def write_figure(figure: Figure, path: str) -> None:
    """Write a figure to an SVG, PDF or PNG file, by its suffix.

    SVG and PDF keep text as text; PNG has a white background. Letters that matplotlib's own font lacks are drawn in an
    installed font that has them.

    Raises:
        InputError: the suffix is none of :data:`FILES`, or the file cannot be written.

    Warns:
        SemaWarning: no installed font has some of the letters.
    """
    check_figure_path(path)
    from matplotlib import rc_context
    from matplotlib.font_manager import get_font_names
    from matplotlib.text import Text

    families = [OWN, *sorted(name for name in get_font_names() if name.startswith(EAST_ASIAN))]
    texts: list[Any] = figure.findobj(Text)
    for text in texts:
        text.set_family(families)
    kind = Path(path).suffix.lower()[1:]
    # Undated, so that the same figure is the same file.
    metadata = {"svg": {"Creator": "sema", "Date": None}, "pdf": {"Creator": "sema", "CreationDate": None}}
    ground = "white" if kind == "png" else "auto"
    options = {"svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "sema", "font.family": families}
    with rc_context(options), warnings.catch_warnings(record=True) as caught, replacing(Path(path)) as file:
        warnings.simplefilter("always")
        figure.savefig(file, format=kind, dpi=DOTS, metadata=metadata.get(kind, {"Software": "sema"}), facecolor=ground)
    said = "\n".join(str(warning.message) for warning in caught)
    if missing := {chr(int(code)) for code in re.findall(r"Glyph (\d+) .*missing", said)}:
        warnings.warn(
            f"no installed font has {''.join(sorted(missing))}, so that figures may cut names or show boxes; install "
            "one that does, such as Noto Sans CJK",
            SemaWarning,
            stacklevel=2,
        )


def _styles_of(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The colour and the marker of each system or group."""
    return {name: (PALETTE[at % len(PALETTE)], MARKERS[at % len(MARKERS)]) for at, name in enumerate(names)}


def _panels(figure: Any, lines: Sequence[Sequence[Any]], columns: int, **shared: Any) -> Iterator[tuple[Any, Any]]:
    """Axes in ``columns`` for everything in the lines; what remains of the grid is not shown."""
    for panels, line in zip(figure.subplots(len(lines), columns, squeeze=False, **shared), lines, strict=True):
        for axes in panels[len(line) :]:
            axes.set_visible(False)
        yield from zip(panels, line, strict=False)


def intervals_figure(estimates: Estimates, metrics: Sequence[str], ranges: Ranges = MappingProxyType({})) -> Figure:
    """A panel for each metric: every system's corpus score with its interval; below, meaning against level.

    No axis reaches beyond the metric's range.
    """
    columns = min(3, len(metrics))
    lines = [metrics[start : start + columns] for start in range(0, len(metrics), columns)]
    level = next((name for name in LEVELS if name in metrics and MEANING in metrics), None)
    height, more = len(lines) * (0.62 + 0.27 * len(estimates)) + 0.25, _trade_height(estimates) if level else 0
    above: Any = (figure := figure_of(height + more))
    if level:
        parts: Any = figure.subfigures(2, 1, height_ratios=(height, more))
        above, below = parts
        _draw_trade(below.subplots(), estimates, level, ranges)
    for axes, metric in _panels(above, lines, columns, sharey=True):
        calm(axes, metric, grid="x")
        for place, (name, (colour, marker)) in enumerate(_styles_of(estimates).items()):
            estimate = estimates[name][metric]
            if math.isfinite(estimate.low):
                ends = [estimate.low, estimate.high]
                axes.plot(ends, [place, place], color=colour, linewidth=2.2, solid_capstyle="round")
            axes.plot([estimate.value], [place], marker, color=colour, markersize=6, clip_on=False)
        _keep_within(axes, ranges.get(metric))
        axes.set_yticks(range(len(estimates)), list(map(plain, estimates)))
        axes.set_ylim(len(estimates) - 0.5, -0.5)
    return figure


def trade_figure(estimates: Estimates, level: str) -> Figure:
    """Meaning against level, a point for each system."""
    figure = figure_of(_trade_height(estimates))
    _draw_trade(figure.subplots(), estimates, level, {})
    return figure


def _trade_height(estimates: Estimates) -> float:
    return max(TRADE, 0.5 + LINE * len(estimates))


def _draw_trade(axes: Any, estimates: Estimates, level: str, ranges: Ranges) -> None:
    """Meaning against level with intervals, each system as its number; the names are listed beside the plot.

    Easier is left, more meaning kept is above; a system without one of the two scores is left out.
    """
    calm(axes, grid="both", across=f"{level}: easier to the left", up=MEANING)
    shown = [
        (f"{place}", plain(name), scores[level], scores[MEANING])
        for place, (name, scores) in enumerate(estimates.items(), start=1)
        if math.isfinite(scores[level].value) and math.isfinite(scores[MEANING].value)
    ]
    for row, (place, name, x, y) in enumerate(shown):
        colour = PALETTE[row % len(PALETTE)]
        for line, at, ends in ((axes.hlines, y, x), (axes.vlines, x, y)):
            if math.isfinite(ends.low):
                line(at.value, ends.low, ends.high, color=colour, linewidth=0.8, alpha=0.6)
        axes.plot([x.value], [y.value], "o", color=CARD, markersize=9, markeredgecolor=colour, markeredgewidth=1.2)
        middle: dict[str, Any] = {"color": colour, "ha": "center", "va": "center"}
        axes.annotate(place, (x.value, y.value), fontsize=SIZE - 2, **middle)
        beside: dict[str, Any] = {"xycoords": "axes fraction", "annotation_clip": False, "va": "center"}
        height = 1 - (row + 0.5) * min(1 / len(shown), 0.06)
        axes.annotate(f"{place} {name}", (1.03, height), color=colour, fontsize=SIZE - 0.5, **beside)
    axes.margins(0.1)
    _keep_within(axes, ranges.get(level))
    _keep_within(axes, ranges.get(MEANING), "y")


def _keep_within(axes: Any, limits: tuple[float, float] | None, axis: str = "x") -> None:
    """Clip an axis to the metric's range, if the margin around its values reaches beyond."""
    if limits is not None:
        low, high = getattr(axes, f"get_{axis}lim")()
        getattr(axes, f"set_{axis}lim")(max(low, limits[0]), min(high, limits[1]))


def levels_figure(profile: LevelProfile) -> Figure:
    """A bar for each level of a text's words, with the commonest words."""
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
    """A panel for each cloud, with its points, its least-squares line and its correlation; long rows are broken."""
    lines = [row[start : start + COLUMNS] for row in rows for start in range(0, len(row), COLUMNS)]
    styles = _styles_of(dict.fromkeys(group for row in rows for cloud in row for group in cloud.groups))
    figure = figure_of(PANEL * len(lines) + (0.25 if styles else 0))
    handles: dict[str, Any] = {}
    for axes, cloud in _panels(figure, lines, max(3, *map(len, lines))):
        drawn = _draw_cloud(axes, cloud, styles if cloud.groups else {"": (PALETTE[0], MARKERS[0])})
        handles |= drawn if cloud.groups else {}
    if styles:
        look: dict[str, Any] = {"frameon": False, "fontsize": SIZE - 0.5, "labelcolor": INK, "markerscale": 1.8}
        figure.legend(list(handles.values()), list(map(plain, handles)), loc="outside lower left", ncols=6, **look)
    return figure


def _draw_cloud(axes: Any, cloud: Cloud, styles: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """Draw the points of every group, and their line; returns the groups' handles for a legend."""
    from scipy.stats import linregress

    given = zip(cloud.ratings, cloud.scores, cloud.groups or [""] * len(cloud.scores), strict=True)
    points = [point for point in given if math.isfinite(point[0]) and math.isfinite(point[1])]
    title = f"r = {number(cloud.r, 3)} (N = {len(points)})"
    calm(axes, title, grid="both", across=plain(cloud.rating), up=plain(cloud.metric))
    handles = {}
    for group, (colour, marker) in styles.items():
        across, up = ([point[axis] for point in points if point[2] == group] for axis in (0, 1))
        dots = {"linestyle": "none", "markersize": 3, "markeredgewidth": 0, "alpha": 0.55}
        drawn = axes.plot(across, up, marker, color=colour, rasterized=len(points) > BITMAP, **dots)
        handles[group] = drawn[0]
    ratings = [rating for rating, _, _ in points]
    if len(set(ratings)) > 1:
        fitted = linregress(ratings, [score for _, score, _ in points])
        ends = [min(ratings), max(ratings)]
        axes.plot(ends, [fitted.intercept + fitted.slope * end for end in ends], color=INK, linewidth=1.2)
    return handles
