"""Meaning against level, one point a system: what a simplification costs, and what it brings."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sema.display.visible import visible

if TYPE_CHECKING:
    from sema.evaluation.significance import Estimate

Estimates = Mapping[str, Mapping[str, "Estimate"]]

LEVELS = ("cefr", "hsk_level")
MEANING = "meaning"
WIDTH, HEIGHT = 60, 12
"""Columns and lines of the picture in text."""


def level_metric(metrics: Sequence[str]) -> str | None:
    """The metric of levels among those that stand beside meaning."""
    return next((name for name in LEVELS if name in metrics and MEANING in metrics), None)


def points(estimates: Estimates, level: str) -> dict[str, tuple[float, float]]:
    """Level and meaning of each system that has both."""
    found = {name: (scores[level].value, scores[MEANING].value) for name, scores in estimates.items()}
    return {name: pair for name, pair in found.items() if all(map(math.isfinite, pair))}


def draw(axes: Any, estimates: Estimates, level: str, colours: Sequence[str], markers: str) -> None:
    """Draw the points with their intervals on a plot's axes; easier is on the left, better kept is above."""
    shown = points(estimates, level)
    for place, name in enumerate(estimates):
        if name not in shown:
            continue
        x, y = shown[name]
        colour = colours[place % len(colours)]
        for key, at, line in ((level, y, axes.hlines), (MEANING, x, axes.vlines)):
            found = estimates[name][key]
            if math.isfinite(found.low):
                line(at, found.low, found.high, color=colour, linewidth=1.4)
        axes.plot([x], [y], markers[place % len(markers)], color=colour, markersize=7)
        axes.annotate(name, (x, y), xytext=(6, 5), textcoords="offset points", color=colour, fontsize=8.5)
    axes.margins(0.18)
    axes.set_xlabel(f"{level}: easier to the left")
    axes.set_ylabel(MEANING)


def trade_text(estimates: Estimates, level: str) -> str:
    """The points as lines of text, a letter a system, with what each letter stands for below."""
    shown = points(estimates, level)
    if not shown:
        return ""
    letters = dict(zip(shown, string.ascii_uppercase * (1 + len(shown) // 26), strict=False))
    (left, right), (low, high) = (_limits([pair[axis] for pair in shown.values()]) for axis in (0, 1))
    grid = [[" "] * WIDTH for _ in range(HEIGHT)]
    for name, (x, y) in shown.items():
        column = round((x - left) / (right - left) * (WIDTH - 1))
        line = round((high - y) / (high - low) * (HEIGHT - 1))
        taken = grid[line][column]
        grid[line][column] = letters[name] if taken == " " else "+"
    edge = max(len(f"{high:.1f}"), len(f"{low:.1f}"))
    labels = [f"{high:.1f}", *[""] * (HEIGHT - 2), f"{low:.1f}"]
    rows = [f"{label:>{edge}} |{''.join(cells).rstrip()}" for label, cells in zip(labels, grid, strict=True)]
    axis = f"{'':>{edge}} +{'-' * WIDTH}"
    ends = f"{left:.2f}"
    below = f"{'':>{edge}}  {ends}{f'{right:.2f}':>{WIDTH - len(ends)}}"
    legend = [f"{letters[name]}  {visible(name)}: {level} {x:.2f}, {MEANING} {y:.2f}" for name, (x, y) in shown.items()]
    return "\n".join([f"{MEANING} against {level} (easier to the left)", *rows, axis, below, *legend])


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis that shows all values with some room."""
    room = max((max(values) - min(values)) * 0.1, 0.05)
    return min(values) - room, max(values) + room
