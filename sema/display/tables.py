"""Tables of text cells as plain text, Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from sema.display.visible import visible


@dataclass(frozen=True)
class Cell:
    """A cell's text, and whether it is to stand out (the best of its kind)."""

    text: str
    strong: bool = False


Row = Sequence[Cell | str]


@dataclass(frozen=True)
class Table:
    """A titled table: the first column holds names, the others numbers; ``notes`` stand below it."""

    title: str
    header: Sequence[str]
    rows: Sequence[Row]
    notes: Sequence[str] = ()

    def cells(self) -> list[list[Cell]]:
        """All rows as cells, fit to be shown."""
        rows = [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in self.rows]
        return [[Cell(visible(cell.text), cell.strong) for cell in row] for row in rows]


def to_text(table: Table, width: int | None = None) -> str:
    """Columns lined up by spaces; a strong cell is starred.

    A table wider than ``width`` is divided: the columns that do not fit follow below, beside the names again. No number
    is ever cut.
    """
    texts = [[cell.text + ("*" if cell.strong else " ") for cell in row] for row in table.cells()]
    lines = [[f"{visible(name)} " for name in table.header], *texts]
    widths = [max(map(cell_len, column)) for column in zip(*lines, strict=True)]
    blocks = [
        "\n".join("  ".join(_padded(line, [0, *columns], widths)).rstrip() for line in lines)
        for columns in _blocks(widths, width)
    ]
    return "\n".join([*filter(None, [visible(table.title)]), "\n\n".join(blocks), *map(visible, table.notes)])


def _padded(line: Sequence[str], columns: Sequence[int], widths: Sequence[int]) -> list[str]:
    """A line's cells of these columns, as wide as their columns: names to the left, numbers to the right."""
    room = [" " * (widths[column] - cell_len(line[column])) for column in columns]
    return [
        line[column] + space if column == 0 else space + line[column]
        for column, space in zip(columns, room, strict=True)
    ]


def _blocks(widths: Sequence[int], width: int | None) -> list[list[int]]:
    """The columns beside the first, in blocks that fit into ``width`` with it."""
    blocks: list[list[int]] = [[]]
    used = widths[0]
    for column, needed in enumerate(widths[1:], start=1):
        if width is not None and blocks[-1] and used + 2 + needed > width:
            blocks.append([])
            used = widths[0]
        blocks[-1].append(column)
        used += 2 + needed
    return blocks


def to_markdown(table: Table) -> str:
    """A pipe table as GitHub reads it; a strong cell is bold."""

    def row(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    def show(cell: Cell) -> str:
        text = cell.text.replace("|", "\\|")
        return f"**{text}**" if cell.strong and text else text

    rule = row(["---", *("---:" for _ in table.header[1:])])
    lines = [row([visible(name).replace("|", "\\|") for name in table.header]), rule]
    lines += [row([show(cell) for cell in cells]) for cells in table.cells()]
    head = [f"**{visible(table.title)}**", ""] if table.title else []
    return "\n".join([*head, *lines, *(f"\n{visible(note)}" for note in table.notes)])


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}


def latex_escape(text: str) -> str:
    """The text with everything that LaTeX would take for a command escaped."""
    return re.sub(r"[\\~^|<>&%$#_{}]", lambda found: _LATEX[found[0]], visible(text))


def to_latex(table: Table) -> str:
    """A ``table`` with a ``booktabs`` ``tabular``, ready to paste; a strong cell is bold."""

    def show(cell: Cell) -> str:
        text = latex_escape(cell.text)
        return rf"\textbf{{{text}}}" if cell.strong else text

    body = [" & ".join(show(cell) for cell in cells) + r" \\" for cells in table.cells()]
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}",
        r"\toprule",
        " & ".join(map(latex_escape, table.header)) + r" \\",
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{'. '.join(latex_escape(text) for text in (table.title, *table.notes) if text)}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)


FORMATS: dict[str, Callable[[Table], str]] = {"text": to_text, "markdown": to_markdown, "latex": to_latex}


def number(value: float, digits: int = 2) -> str:
    """A number for people; NaN is a dash."""
    return "-" if value != value else f"{value:.{digits}f}"
