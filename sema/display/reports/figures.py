"""Figures of a report with matplotlib, as SVG that takes its colours from the page, or as SVG, PDF and PNG files.

Meaning against level is also drawn as text; it shows what a simplification costs and what it gains.
"""

from __future__ import annotations

import io
import math
import re
import string
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from sema.display.pictures.items import FATES
from sema.display.pictures.words import say
from sema.display.reports.fonts import fonts_for
from sema.errors import UsageError, required
from sema.files.replacing import replacing
from sema.model.text import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sema.display.reports.chapters import Chapter
    from sema.display.reports.levels import LevelProfile
    from sema.evaluation.significance import Estimate
    from sema.model.language import Language

Estimates = Mapping[str, Mapping[str, "Estimate"]]

PALETTE = ("#0e7c86", "#b4610a", "#6941c6", "#3d7a1f", "#c11574", "#1c63c9", "#8a6d00", "#5d6675")
"""The colours of systems; pages map them to variables, which are lighter in dark mode."""
LETTERS = string.ascii_uppercase + string.ascii_lowercase
LEVELS = ("cefr", "hsk_level")
MEANING = "meaning"
WIDTH, HEIGHT = 60, 12
"""Columns and lines of the text plot."""

KIND_COLOURS = {
    "exact": "#5b6472", "form": "#0b7285", "synonym": "#2b59c3", "paraphrase": "#8437b5", "contextual": "#8f5206",
    "hyponymy": "#b42346", "kept": "#5b6473", "lost": "#a61b3c", "added": "#8a4b00",
}  # fmt: skip
HATCHES = {"form": "//", "synonym": "\\\\", "paraphrase": "xx", "contextual": "..", "hyponymy": "++"}
INK, RULE, CARD = "#1d2430", "#d9d5cd", "#fffffe"
PAGE_COLOURS = {
    **{colour: f"s{place}" for place, colour in enumerate(PALETTE)},
    **{colour: f"k-{kind}" for kind, colour in KIND_COLOURS.items()},
    KIND_COLOURS["lost"]: "lost",
    KIND_COLOURS["added"]: "added",
    KIND_COLOURS["kept"]: "good",
    INK: "ink",
    RULE: "rule",
    CARD: "card",
    "#000000": "ink",
}
"""The page's CSS variable for each colour of a figure."""
SHADES = ("#2e8b6f", "#5aa469", "#b0a030", "#cf8a2d", "#c8603a", "#ad3f4b", "#7d2f56")
"""The colours of levels, from the easiest to the hardest."""
MARKERS = "osD^vPX*"
SHOWN_SYSTEMS, SHOWN_METRICS = 8, 6
FILES = (".svg", ".pdf", ".png")
DOTS = 200
"""Dots per inch, in a PNG file and where a figure has too many points to be drawn one by one."""
POINTS = 200
"""How many outputs a scatter plot shows, evenly taken."""
SIZE = 8.5
"""The font size, in points."""
TRADE_HEIGHT = 3.4
"""The height of the plot of meaning against level, in inches."""
LINE = 0.17
"""The height of a name beside that plot, in inches."""
BAR = 0.62
"""The height of a bar, as a share of the room between two."""
DOTTED: Mapping[str, Any] = {"linestyle": "none", "markersize": 3, "markeredgewidth": 0, "alpha": 0.55}
"""How points of a scatter plot look."""


def level_reader(language: Language) -> str | None:
    """The metric that reads the levels of words in a language."""
    own = (name for name in LEVELS if name in language.metrics)
    return LEVELS[0] if language.levels is not None else next(own, None)


def level_metric(metrics: Sequence[str]) -> str | None:
    """The level metric among the metrics; ``None`` if there is none or meaning is not among them."""
    return next((name for name in LEVELS if name in metrics and MEANING in metrics), None)


def _points(estimates: Estimates, level: str) -> dict[str, tuple[float, float]]:
    """Level and meaning of each system that has both."""
    pairs = {name: (scores[level].value, scores[MEANING].value) for name, scores in estimates.items()}
    return {name: pair for name, pair in pairs.items() if all(map(math.isfinite, pair))}


def trade_text(estimates: Estimates, level: str) -> str:
    """Meaning against level as a text plot, with a letter for each system and a legend below."""
    shown = _points(estimates, level)
    if not shown:
        return ""
    letters = dict(zip(shown, LETTERS * (1 + len(shown) // len(LETTERS)), strict=False))
    (left, right), (low, high) = (_limits([pair[axis] for pair in shown.values()]) for axis in (0, 1))
    grid = [[" "] * WIDTH for _ in range(HEIGHT)]
    for name, (x, y) in shown.items():
        column = round((x - left) / (right - left) * (WIDTH - 1))
        line = round((high - y) / (high - low) * (HEIGHT - 1))
        grid[line][column] = letters[name] if grid[line][column] == " " else "+"
    labels = [f"{high:.1f}", *[""] * (HEIGHT - 2), f"{low:.1f}"]
    edge = max(map(len, labels))
    rows = [f"{label:>{edge}} |{''.join(cells).rstrip()}" for label, cells in zip(labels, grid, strict=True)]
    axis = f"{'':>{edge}} +{'-' * WIDTH}"
    ends = f"{left:.2f}"
    below = f"{'':>{edge}}  {ends}{f'{right:.2f}':>{WIDTH - len(ends)}}"
    legend = [f"{letters[name]}  {visible(name)}: {level} {x:.2f}, {MEANING} {y:.2f}" for name, (x, y) in shown.items()]
    return "\n".join([f"{MEANING} against {level} (easier to the left)", *rows, axis, below, *legend])


def plain(name: str) -> str:
    """A name as a figure shows it: no control characters, and no formula between dollars."""
    return visible(name).replace("$", r"\$")


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis that shows all values with some room."""
    room = max((max(values) - min(values)) * 0.1, 0.05)
    return min(values) - room, max(values) + room


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
    if title:
        axes.set_title(title, loc="left", fontsize=SIZE + 0.5, fontweight="bold", color=INK)
    if grid:
        axes.grid(axis=grid, color=RULE, linewidth=0.6)
    if across:
        axes.set_xlabel(across, color=INK, fontsize=SIZE)
    if up:
        axes.set_ylabel(up, color=INK, fontsize=SIZE)


def stacked(axes: Any, shares: Mapping[str, Mapping[str, float]], looks: Mapping[str, Mapping[str, Any]]) -> None:
    """A bar for each name, divided by the shares (in [0, 1]) of the labels of ``looks``."""
    names, starts = list(map(plain, shares)), [0.0] * len(shares)
    for label, look in looks.items():
        values = [100 * parts.get(label, 0) for parts in shares.values()]
        if any(values):
            axes.barh(names, values, left=starts, label=label, edgecolor=CARD, linewidth=0.4, height=BAR, **look)
            starts = [start + value for start, value in zip(starts, values, strict=True)]
    axes.set_xlim(0, 100)
    axes.invert_yaxis()


def legend(figure: Any, *entries: Any, **options: Any) -> None:
    """A legend below the panels."""
    figure.legend(*entries, loc="outside lower left", frameon=False, fontsize=SIZE - 0.5, labelcolor=INK, **options)


def look(place: int) -> tuple[str, str]:
    """The colour and the marker of the system at ``place``."""
    return PALETTE[place % len(PALETTE)], MARKERS[place % len(MARKERS)]


def _keep_within(axes: Any, limits: tuple[float, float] | None, axis: str = "x") -> None:
    """Clip an axis to the metric's range, if the margin around its values reaches beyond."""
    if limits is not None:
        low, high = getattr(axes, f"get_{axis}lim")()
        getattr(axes, f"set_{axis}lim")(max(low, limits[0]), min(high, limits[1]))


def intervals_figure(
    estimates: Estimates, metrics: Sequence[str], ranges: Mapping[str, tuple[float, float]] = MappingProxyType({})
) -> Figure:
    """A panel for each metric: every system's corpus score with its interval; below, meaning against level.

    ``ranges`` are those of the metrics: no axis reaches beyond them.
    """
    columns = min(3, len(metrics))
    rows = -(-len(metrics) // columns)
    height, level = rows * (0.62 + 0.27 * len(estimates)) + 0.25, level_metric(metrics)
    figure = figure_of(height + (TRADE_HEIGHT if level else 0))
    above: Any = figure
    if level:
        parts: Any = figure.subfigures(2, 1, height_ratios=(height, TRADE_HEIGHT))
        above = parts[0]
        _draw_trade(parts[1].subplots(), estimates, level, ranges)
    panels = above.subplots(rows, columns, squeeze=False, sharey=True).ravel()
    for axes, metric in zip(panels, metrics, strict=False):
        calm(axes, metric, grid="x")
        for place, scores in enumerate(estimates.values()):
            estimate, (colour, marker) = scores[metric], look(place)
            if math.isfinite(estimate.low):
                axes.plot(
                    [estimate.low, estimate.high], [place, place], color=colour, linewidth=2.2, solid_capstyle="round"
                )
            axes.plot([estimate.value], [place], marker, color=colour, markersize=6, clip_on=False)
        _keep_within(axes, ranges.get(metric))
        axes.set_yticks(range(len(estimates)), list(map(plain, estimates)))
        axes.set_ylim(len(estimates) - 0.5, -0.5)
    for axes in panels[len(metrics) :]:
        axes.set_visible(False)
    return figure


def _trade_axes(axes: Any, level: str) -> None:
    """Axes for meaning against level."""
    calm(axes, grid="both")
    axes.set_xlabel(f"{level}: easier to the left")
    axes.set_ylabel(MEANING)


def _cross(axes: Any, scores: Mapping[str, Estimate], level: str, **look: Any) -> None:
    """The intervals of a system's level and meaning, through its point."""
    for key, other, line in ((level, MEANING, axes.hlines), (MEANING, level, axes.vlines)):
        if math.isfinite(scores[key].low):
            line(scores[other].value, scores[key].low, scores[key].high, **look)


def _draw_trade(axes: Any, estimates: Estimates, level: str, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Meaning against level with intervals; easier is on the left, more meaning kept is above."""
    _trade_axes(axes, level)
    shown = _points(estimates, level)
    for place, (name, scores) in enumerate(estimates.items()):
        if name not in shown:
            continue
        (x, y), (colour, marker) = shown[name], look(place)
        _cross(axes, scores, level, color=colour, linewidth=1.4)
        axes.plot([x], [y], marker, color=colour, markersize=7, clip_on=False)
        axes.annotate(plain(name), (x, y), xytext=(6, 5), textcoords="offset points", color=colour, fontsize=SIZE)
    axes.margins(0.18)
    _keep_within(axes, ranges.get(level))
    _keep_within(axes, ranges.get(MEANING), "y")


def trade_figure(estimates: Estimates, level: str) -> Figure:
    """Meaning against level of many systems, each drawn as its number; the names are listed beside the plot."""
    shown = _points(estimates, level)
    figure = figure_of(max(TRADE_HEIGHT, 0.5 + LINE * len(shown)))
    axes = figure.subplots()
    _trade_axes(axes, level)
    for place, (name, (x, y)) in enumerate(shown.items()):
        colour = PALETTE[place % len(PALETTE)]
        _cross(axes, estimates[name], level, color=colour, linewidth=0.5, alpha=0.5)
        axes.plot([x], [y], "o", color=CARD, markersize=9, markeredgecolor=colour, markeredgewidth=1.2)
        axes.annotate(str(place + 1), (x, y), color=colour, fontsize=SIZE - 2, ha="center", va="center")
        beside = 1 - (place + 0.5) / len(shown)
        axes.annotate(
            plain(name),
            (1.03, beside),
            xycoords="axes fraction",
            color=colour,
            fontsize=SIZE - 0.5,
            va="center",
            annotation_clip=False,
        )
    return figure


def _shown_metrics(metrics: Sequence[str]) -> list[str]:
    """The first metrics; a level metric further back replaces the last of them."""
    shown, levels = list(metrics[:SHOWN_METRICS]), [name for name in LEVELS if name in metrics]
    return shown if not levels or levels[0] in shown else [*shown[:-1], levels[0]]


def distributions_figure(chapter: Chapter) -> Figure:
    """Histograms of the items' scores: systems down, metrics across."""
    systems = chapter.report.systems[:SHOWN_SYSTEMS]
    metrics = _shown_metrics(chapter.report.metrics)
    columns = [system.columns(chapter.report.metrics) for system in systems]
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
    stacked(axes, shares, {fate: {"color": KIND_COLOURS[fate], "hatch": HATCHES.get(fate, "")} for fate in FATES})
    added = [100 * profile.share("added") for profile in profiles.values()]
    more.barh(list(map(plain, profiles)), added, color=KIND_COLOURS["added"], height=BAR)
    calm(axes, "% of source words")
    calm(more, "% of output added")
    legend(figure, ncols=8, handlelength=1.4)
    return figure


def scatter_figure(chapter: Chapter) -> Figure | None:
    """The primary metric against each of the others, a point for an output; none for a single metric."""
    others = [name for name in chapter.report.metrics if name != chapter.metric][:4]
    if not others:
        return None
    figure = figure_of(2.5)
    panels = figure.subplots(1, max(3, len(others)), squeeze=False, sharey=True)[0]
    systems = chapter.report.systems[:SHOWN_SYSTEMS]
    share = max(10, POINTS // len(systems))
    for place, system in enumerate(systems):
        items = [item.scores for item in system.items if item.scores]
        items = items[:: max(1, -(-len(items) // share))]
        heights, (colour, marker) = [scores[chapter.metric] for scores in items], look(place)
        for axes, metric in zip(panels, others, strict=False):
            across = [scores[metric] for scores in items]
            axes.plot(across, heights, marker, color=colour, label=plain(system.name), **DOTTED)
    for axes, metric in zip(panels, others, strict=False):
        calm(axes, grid="both", across=metric, up="" if axes is not panels[0] else chapter.metric)
    for axes in panels[len(others) :]:
        axes.set_visible(False)
    if len(chapter.report.systems) > 1:
        legend(figure, *panels[0].get_legend_handles_labels(), ncols=6, markerscale=1.8)
    return figure


def levels_figure(profiles: Mapping[str, LevelProfile]) -> Figure:
    """A bar for each text, divided by the levels of its words; for a single text, one for each level with its words."""
    return _levels_of_texts(profiles) if len(profiles) > 1 else _levels_with_words(next(iter(profiles.values())))


def _levels_of_texts(profiles: Mapping[str, LevelProfile]) -> Figure:
    figure = figure_of(0.9 + 0.34 * len(profiles))
    axes = figure.subplots()
    labels = sorted({label for profile in profiles.values() for label in profile.words})
    looks = {label: {"color": SHADES[place % len(SHADES)]} for place, label in enumerate(labels)}
    stacked(axes, {name: profile.shares for name, profile in profiles.items()}, looks)
    calm(axes, "% of words")
    legend(figure, ncols=8, handlelength=1.4)
    return figure


def _levels_with_words(profile: LevelProfile) -> Figure:
    figure = figure_of(0.6 + 0.42 * max(1, len(profile.words)))
    axes = figure.subplots()
    for place, (label, share) in enumerate(profile.shares.items()):
        axes.barh([place], [100 * share], color=SHADES[place % len(SHADES)], height=BAR)
        words = plain(f"{100 * share:.0f} %  {profile.commonest(label, 8)}")
        axes.annotate(
            words, (100 * share, place), xytext=(5, 0), textcoords="offset points", va="center", fontsize=SIZE
        )
    calm(axes, "% of words, and the commonest")
    axes.set_yticks(range(len(profile.shares)), list(profile.shares))
    axes.set_xlim(0, 200)  # the right half is for the words
    axes.set_xticks(range(0, 101, 25))
    axes.invert_yaxis()
    return figure


def page_svg(figure: Figure, title: str, key: str) -> str:
    """The figure as part of a page: with CSS variables as colours, ids starting with ``key``, and the page's width."""
    from matplotlib import rc_context

    out = io.StringIO()
    options = {"svg.fonttype": "none", "svg.hashsalt": key, "font.family": ["sans-serif"], "hatch.linewidth": 0.5}
    with rc_context(options), fonts_for(figure):
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Title": title})
    svg = out.getvalue()[out.getvalue().index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r'\b(id|xlink:href|href)="(#?)', rf'\1="\2{key}-', svg)
    svg = svg.replace("url(#", f"url(#{key}-")
    for colour, name in PAGE_COLOURS.items():
        svg = svg.replace(colour, f"var(--{name})")
    svg = re.sub(r"font: ([0-9.]+)px [^;\"]*", r"font-size: \1px; font-family: inherit", svg)
    svg = re.sub(r' (width|height)="[^"]*"', "", svg, count=2)  # those of the svg element
    svg = re.sub(r"(\d+\.\d\d)\d+", r"\1", svg)
    # Translated only now, since matplotlib would need a font for the words of another language.
    svg = re.sub(r"(?<=>)[^<>\n]+(?=</text>)", lambda text: say(text[0]), svg)
    return svg.replace("<svg", '<svg role="img"', 1)


def check_figure_path(path: str) -> None:
    """Raise ``UsageError`` for a file that is none of :data:`FILES`."""
    if Path(path).suffix.lower() not in FILES:
        raise UsageError(f"a figure goes to {', '.join(FILES[:-1])} or {FILES[-1]}; name such a file", file=path)


def write_figure(figure: Figure, path: str) -> None:
    """Write a figure to an SVG, PDF or PNG file, by its suffix.

    SVG and PDF keep text as text; PNG has a white background.

    Raises:
        InputError: the suffix is none of :data:`FILES`, or the file cannot be written.
    """
    from matplotlib import rc_context

    check_figure_path(path)
    with (
        rc_context({"svg.fonttype": "none", "pdf.fonttype": 42, "svg.hashsalt": "sema"}),
        fonts_for(figure),
        replacing(Path(path)) as file,
    ):
        kind = Path(path).suffix.lower()[1:]
        # Undated, so that the same figure is the same file.
        metadata = {"svg": {"Creator": "sema", "Date": None}, "pdf": {"Creator": "sema", "CreationDate": None}}
        ground = "white" if kind == "png" else "auto"
        figure.savefig(file, format=kind, dpi=DOTS, metadata=metadata.get(kind, {"Software": "sema"}), facecolor=ground)
