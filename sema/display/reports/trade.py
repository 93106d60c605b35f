"""Meaning against level, as a figure and as text: what a simplification costs, and what it gains."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

from sema.display.reports.figures import CARD, PALETTE, SIZE, calm, figure_of, keep_within, look, plain
from sema.model.text import visible

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from sema.evaluation.significance import Estimate

Estimates = Mapping[str, Mapping[str, "Estimate"]]
LEVELS = ("cefr", "hsk_level")
MEANING = "meaning"
LETTERS = string.ascii_uppercase + string.ascii_lowercase
COLUMNS, LINES = 60, 12  # of the text plot
HEIGHT = 3.4  # of the figure, in inches
LINE = 0.17  # the height of a name beside it, in inches


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
    letters = dict(zip(shown, cycle(LETTERS), strict=False))
    (left, right), (low, high) = (_limits([pair[axis] for pair in shown.values()]) for axis in (0, 1))
    grid = [[" "] * COLUMNS for _ in range(LINES)]
    for name, (x, y) in shown.items():
        column = round((x - left) / (right - left) * (COLUMNS - 1))
        line = round((high - y) / (high - low) * (LINES - 1))
        grid[line][column] = letters[name] if grid[line][column] == " " else "+"
    labels = [f"{high:.1f}", *[""] * (LINES - 2), f"{low:.1f}"]
    edge = max(map(len, labels))
    rows = [f"{label:>{edge}} |{''.join(cells).rstrip()}" for label, cells in zip(labels, grid, strict=True)]
    ends = f"{left:.2f}"
    axis = [f"{'':>{edge}} +{'-' * COLUMNS}", f"{'':>{edge}}  {ends}{f'{right:.2f}':>{COLUMNS - len(ends)}}"]
    legend = [f"{letters[name]}  {visible(name)}: {level} {x:.2f}, {MEANING} {y:.2f}" for name, (x, y) in shown.items()]
    return "\n".join([f"{MEANING} against {level} (easier to the left)", *rows, *axis, *legend])


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis that shows all values with some room."""
    room = max((max(values) - min(values)) * 0.1, 0.05)
    return min(values) - room, max(values) + room


def _cross(axes: Any, scores: Mapping[str, Estimate], level: str, **look: Any) -> None:
    """The intervals of a system's level and meaning, through its point."""
    for key, other, line in ((level, MEANING, axes.hlines), (MEANING, level, axes.vlines)):
        if math.isfinite(scores[key].low):
            line(scores[other].value, scores[key].low, scores[key].high, **look)


def draw_trade(axes: Any, estimates: Estimates, level: str, ranges: Mapping[str, tuple[float, float]]) -> None:
    """Meaning against level with intervals; easier is on the left, more meaning kept is above."""
    calm(axes, grid="both")
    axes.set(xlabel=f"{level}: easier to the left", ylabel=MEANING)
    shown = _points(estimates, level)
    for place, name in enumerate(estimates):
        if name not in shown:
            continue
        (x, y), (colour, marker) = shown[name], look(place)
        _cross(axes, estimates[name], level, color=colour, linewidth=1.4)
        axes.plot([x], [y], marker, color=colour, markersize=7, clip_on=False)
        axes.annotate(plain(name), (x, y), xytext=(6, 5), textcoords="offset points", color=colour, fontsize=SIZE)
    axes.margins(0.18)
    keep_within(axes, ranges.get(level))
    keep_within(axes, ranges.get(MEANING), "y")


def trade_figure(estimates: Estimates, level: str) -> Figure:
    """Meaning against level of many systems, each drawn as its number; the names are listed beside the plot."""
    shown = _points(estimates, level)
    figure = figure_of(max(HEIGHT, 0.5 + LINE * len(shown)))
    axes = figure.subplots()
    calm(axes, grid="both")
    axes.set(xlabel=f"{level}: easier to the left", ylabel=MEANING)
    for place, (name, (x, y)) in enumerate(shown.items()):
        colour = PALETTE[place % len(PALETTE)]
        _cross(axes, estimates[name], level, color=colour, linewidth=0.5, alpha=0.5)
        axes.plot([x], [y], "o", color=CARD, markersize=9, markeredgecolor=colour, markeredgewidth=1.2)
        axes.annotate(str(place + 1), (x, y), color=colour, fontsize=SIZE - 2, ha="center", va="center")
        beside: dict[str, Any] = {"xycoords": "axes fraction", "va": "center", "annotation_clip": False}
        axes.annotate(plain(name), (1.03, 1 - (place + 0.5) / len(shown)), color=colour, fontsize=SIZE - 0.5, **beside)
    return figure
