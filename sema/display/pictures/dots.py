"""Systems' scores as a picture: a line for each metric, a mark for each system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sema.display.pictures.svg import clean, element, label, picture, text_width

PALETTE = ("#0e7c86", "#b4610a", "#6941c6", "#3d7a1f", "#c11574", "#1c63c9", "#8a6d00", "#5d6675")
"""The colours of systems; in pages the same names stand for lighter ones in the dark."""
WIDTH, ROW, TOP, BOTTOM = 420.0, 34.0, 26.0, 22.0
SHAPES = (
    (5, 0, "a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z"),
    (4.5, 4.5, "h9v9h-9z"),
    (0, 6, "l6 6l-6 6l-6 -6z"),
    (0, 6, "l6 10h-12z"),
)
"""A disc, a square, a diamond and a triangle: how far to the left of and above its middle each starts, and its path."""


def scores_svg(
    systems: Sequence[tuple[str, Mapping[str, float | None]]], metrics: Sequence[str], *, styled: bool = True
) -> str:
    """Draw scores, each metric on a scale of its own: 0 to 100, or from the least to the greatest beyond that.

    Args:
        systems: name and scores of each.
        metrics: from top to bottom.
        styled: whether the picture brings its colours along (:func:`sema.display.pictures.svg.picture`).
    """
    left = 24 + max([text_width(metric, 13) for metric in metrics], default=0.0)
    parts, x = [], left
    for place, (name, _) in enumerate(systems):
        parts += [_mark(x + 6, TOP - 13, place), label(x + 16, TOP - 9, name, size=12, anchor="start")]
        x += 34 + text_width(name, 12)
    for row, metric in enumerate(metrics):
        y = TOP + ROW * (row + 0.5)
        placed = [(place, name, scores.get(metric)) for place, (name, scores) in enumerate(systems)]
        known = [(place, name, value) for place, name, value in placed if value is not None and value == value]
        values = [value for *_, value in known]
        low, high = min([0.0, *values]), max([100.0, *values])
        parts.append(label(left - 12, y + 4, metric, size=13, anchor="end"))
        parts.append(element("line", x1=left, x2=left + WIDTH, y1=y, y2=y))
        for end, at, anchor in ((low, left, "start"), (high, left + WIDTH, "end")):
            parts.append(label(at, y + 16, f"{end:g}", size=10, anchor=anchor, class_="soft"))
        for place, name, value in known:
            parts.append(_mark(left + WIDTH * (value - low) / (high - low), y, place, f"{name}: {value:.2f}"))
    width = max(left + WIDTH, x) + 24
    return picture(width, TOP + ROW * len(metrics) + BOTTOM, "Scores of systems", parts, styled=styled)


def _mark(x: float, y: float, place: int, tooltip: str = "") -> str:
    """The shape and colour of the system at ``place``."""
    left, above, path = SHAPES[place % len(SHAPES)]
    colour = PALETTE[place % len(PALETTE)]
    title = element("title", clean(tooltip)) if tooltip else ""
    return element("path", title, d=f"M{x - left:.1f} {y - above:.1f}{path}", style=f"fill:{colour};stroke:{colour}")
