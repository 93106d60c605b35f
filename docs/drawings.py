"""Pictures that only the documentation shows: words in boxes by their state, grids of numbers, and bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sema.display.pictures.svg import element, label, picture, text_width

COLOURS = {"kept": "var(--scene)", "added": "var(--k-contextual)", "deleted": "var(--k-hyponymy)"}
LEFT, ROW, PADDING = 120.0, 44.0, 8.0


LEGEND = {state: f"rightly {state}" for state in COLOURS}


def words_svg(title: str, rows: Mapping[str, Sequence[tuple[str, str]]], legend: Mapping[str, str] = LEGEND) -> str:
    """Rows of words, each in a box by its state (a key of :data:`COLOURS`, explained by ``legend``) or in none."""
    parts, widest = [], 0.0
    for place, (name, words) in enumerate(rows.items()):
        y, x = 40 + ROW * place, LEFT
        parts.append(label(LEFT - 16, y, name, size=12, anchor="end", class_="soft"))
        for word, state in words:
            width = text_width(word) + 2 * PADDING
            if state:
                dashes = {"added": "5 3", "deleted": "2 3"}.get(state, "")
                style = f"fill:none;stroke:{COLOURS[state]};stroke-width:1.8;stroke-dasharray:{dashes or 'none'}"
                parts.append(element("rect", x=x, y=y - 19, width=width, height=28.0, rx=6, style=style))
            parts.append(label(x + width / 2, y, word))
            x += width + 10
        widest = max(widest, x)
    y, x = 40 + ROW * len(rows), LEFT
    for state, text in legend.items():
        parts.append(element("rect", x=x, y=y - 10, width=12.0, height=12.0, rx=3, style=f"fill:{COLOURS[state]}"))
        parts.append(label(x + 18, y, text, size=12, anchor="start", class_="soft"))
        x += 130
    return picture(max(widest, x) + 20, y + 24, title, parts)


def bars_svg(title: str, bars: Sequence[tuple[str, float]], *, unit: str) -> str:
    """Bars with their values; bars of negative values extend to the left of a common line."""
    left = 24 + max(text_width(name, 13) for name, _ in bars)
    most = max(abs(value) for _, value in bars) or 1.0
    below = 170.0 if any(value < 0 for _, value in bars) else 0.0
    zero, parts = left + below + 12, []
    for place, (name, value) in enumerate(bars):
        y, length = 30 + 28.0 * place, 170 * abs(value) / most
        parts.append(label(left, y + 4, name, size=13, anchor="end"))
        start = zero - length if value < 0 else zero
        colour = COLOURS["deleted" if value < 0 else "kept"]
        parts.append(element("rect", x=start, y=y - 8, width=length, height=16.0, style=f"fill:{colour}"))
        parts.append(
            label(
                zero + (0 if value < 0 else length) + 8,
                y + 4,
                f"{value:+.1f}" if below else f"{value:g}",
                size=12,
                anchor="start",
                class_="soft",
            )
        )
    bottom = 30 + 28.0 * len(bars)
    parts.append(label(zero, bottom + 8, unit, size=12, class_="soft", anchor="start"))
    return picture(zero + 250, bottom + 24, title, parts)


def grid_svg(title: str, down: Sequence[str], across: Sequence[str], values: Sequence[Sequence[float]]) -> str:
    """A table of numbers; the greatest of each row has a box, the greatest of each column a dashed one."""
    cell, parts = 92.0, []
    for column, word in enumerate(across):
        parts.append(label(LEFT + cell * (column + 0.5), 36, word))
    for row, word in enumerate(down):
        y = 76 + ROW * row
        parts.append(label(LEFT - 16, y, word, anchor="end"))
        for column in range(len(across)):
            value, x = values[row][column], LEFT + cell * column
            best_down = value == max(line[column] for line in values)
            for box, inset, dashes in ((value == max(values[row]), 4, "none"), (best_down, 9, "5 3")):
                if box:
                    style = f"fill:none;stroke:{COLOURS['kept']};stroke-width:1.8;stroke-dasharray:{dashes}"
                    size = {"width": cell - 2 * inset, "height": 42.0 - 2 * inset}
                    parts.append(element("rect", x=x + inset, y=y - 26 + inset, rx=6, style=style, **size))
            parts.append(label(x + cell / 2, y, f"{value:g}"))
    y = 76 + ROW * len(down)
    parts.append(
        label(
            LEFT,
            y,
            "whole box: the best of its row; dashed: the best of its column",
            size=12,
            anchor="start",
            class_="soft",
        )
    )
    return picture(LEFT + max(cell * len(across), 380), y + 24, title, parts)
