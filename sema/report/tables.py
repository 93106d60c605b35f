"""Tables of text cells as plain text, Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A cell's text, and whether it is to stand out (the best of its kind)."""

    text: str
    strong: bool = False


@dataclass(frozen=True)
class Table:
    """A titled table: the first column holds names, the others numbers; ``notes`` stand below it."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell | str]]
    notes: Sequence[str] = ()

    def cells(self) -> list[list[Cell]]:
        """All rows as cells."""
        return [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in self.rows]


def to_text(table: Table) -> str:
    """Columns lined up by spaces; a strong cell is starred."""
    texts = [[cell.text + ("*" if cell.strong else " ") for cell in row] for row in table.cells()]
    lines = [[f"{name} " for name in table.header], *texts]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.header))]
    shown = [
        "  ".join(
            [line[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True))]
        )
        for line in lines
    ]
    return "\n".join(line.rstrip() for line in [table.title, *shown, *table.notes] if line)


def to_markdown(table: Table) -> str:
    """A pipe table as GitHub reads it; a strong cell is bold."""

    def row(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    def show(cell: Cell) -> str:
        text = cell.text.replace("|", "\\|")
        return f"**{text}**" if cell.strong and text else text

    rule = row(["---", *("---:" for _ in table.header[1:])])
    lines = [row([name.replace("|", "\\|") for name in table.header]), rule]
    lines += [row([show(cell) for cell in cells]) for cells in table.cells()]
    head = [f"**{table.title}**", ""] if table.title else []
    return "\n".join([*head, *lines, *(f"\n{note}" for note in table.notes)])


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
    return re.sub(r"[\\~^|<>&%$#_{}]", lambda found: _LATEX[found[0]], text)


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
