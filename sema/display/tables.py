"""Tables of text cells as plain text, Markdown and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from rich.cells import cell_len

from sema.errors import counted
from sema.model.text import visible
from sema.scoring.results import Summary


@dataclass(frozen=True)
class Cell:
    """A cell's text, whether it is emphasised (the best of its kind), and the superscript after it."""

    text: str
    strong: bool = False
    raised: str = ""


Row = Sequence[Cell | str]


@dataclass(frozen=True)
class Table:
    """A titled table: the first column holds names, the others numbers; ``notes`` stand below it."""

    title: str
    header: Sequence[str]
    rows: Sequence[Row]
    notes: Sequence[str] = ()

    def cells(self) -> list[list[Cell]]:
        """All rows as cells, with control characters escaped."""
        rows = [[cell if isinstance(cell, Cell) else Cell(cell) for cell in row] for row in self.rows]
        return [[replace(cell, text=visible(cell.text)) for cell in row] for row in rows]

    def lines(
        self, escape: Callable[[str], str], strong: str, raised: str, plain: str = "{}", *, aligned: bool = False
    ) -> list[list[str]]:
        """Header and rows as escaped texts; ``strong``, ``raised`` and ``plain`` are the formats of their kinds.

        ``aligned``: the superscripts of a column have equal length, so that the numbers before them line up.
        """
        rows = self.cells()
        widths = [max(len(cell.raised) for cell in column) if aligned else 0 for column in zip(*rows, strict=True)]

        def shown(cell: Cell, width: int = 0) -> str:
            text, above = (strong if cell.strong and cell.text else plain), cell.raised.ljust(width)
            return text.format(escape(cell.text)) + (raised.format(above) if above else "")

        return [[shown(Cell(name)) for name in self.header], *(list(map(shown, row, widths)) for row in rows)]


def to_text(table: Table, width: int | None = None) -> str:
    """Columns aligned with spaces; a strong cell is starred.

    A table wider than ``width`` is split: the columns that do not fit follow below, with the names repeated. Wider
    cells, the title and the notes are wrapped between words; no number is ever cut.
    """
    rows = table.lines(visible, "{}*", " {}", "{} ", aligned=True)
    title, notes = [visible(table.title)] if table.title else [], list(map(visible, table.notes))
    if width is not None:
        rows = _folded_rows(rows, width)
        title, notes = ([line for text in texts for line in folded(text, width)] for texts in (title, notes))
    first, *others = zip(*rows, strict=True)
    names = _padded(first, left=True)
    blocks = [[names]]
    for column in map(_padded, others):
        used = sum(cell_len(shown[0]) + 2 for shown in blocks[-1])
        if width is not None and len(blocks[-1]) > 1 and used + cell_len(column[0]) > width:
            blocks.append([names])
        blocks[-1].append(column)
    parts = ["\n".join("  ".join(line).rstrip() for line in zip(*block, strict=True)) for block in blocks]
    return "\n".join([*title, "\n\n".join(parts), *notes])


def folded(text: str, width: int) -> list[str]:
    """A text wrapped at spaces to lines of at most ``width`` columns; a longer word stays whole."""
    if cell_len(text) <= width:
        return [text]
    lines = [""]
    for word in re.split(r" (?!\()", text):  # keeps an item and its number in brackets together
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if lines[-1] and cell_len(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _folded_rows(rows: Sequence[Sequence[str]], width: int) -> list[list[str]]:
    """Rows wrapped so that the names and one other column fit; continuation lines become rows of their own."""
    names, *others = (max(map(cell_len, column)) for column in zip(*rows, strict=True))
    room = max(width - 2 - max(others, default=0), width // 3)
    rest = width - 2 - min(names, room)
    lines: list[list[str]] = []
    for first, *cells in rows:
        parts = [folded(first, room), *([cell] if cell_len(cell) <= rest else folded(cell, rest) for cell in cells)]
        lines += map(list, zip_longest(*parts, fillvalue=""))
    return lines


def _padded(column: Sequence[str], *, left: bool = False) -> list[str]:
    width = max(map(cell_len, column))
    room = [" " * (width - cell_len(text)) for text in column]
    return [text + space if left else space + text for text, space in zip(column, room, strict=True)]


_MARKDOWN = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", **{char: f"\\{char}" for char in "\\`*[]#|~$"}})
_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W_])")  # one that may begin or end emphasis; inside a word it may not


def markdown_escape(text: str) -> str:
    """The text on one line, with everything escaped that Markdown or HTML would read as markup."""
    return _UNDERSCORE.sub(r"\\_", visible(text).translate(_MARKDOWN))


def to_markdown(table: Table) -> str:
    """A pipe table as GitHub reads it; a strong cell is bold."""
    header, *rows = table.lines(markdown_escape, "**{}**", " {}")
    rule = ["---", *("---:" for _ in header[1:])]
    lines = [f"| {' | '.join(cells)} |" for cells in (header, rule, *rows)]
    title = [f"**{markdown_escape(table.title)}**", ""] if table.title else []
    return "\n".join([*title, *lines, *(f"\n{markdown_escape(note)}" for note in table.notes)])


_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "|": r"\textbar{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        **{char: f"\\{char}" for char in "&%$#_{}"},
    }
)


def latex_escape(text: str) -> str:
    """The text with LaTeX's special characters escaped."""
    return visible(text).translate(_LATEX)


def to_latex(table: Table) -> str:
    """A ``table`` with a ``booktabs`` ``tabular``, ready to paste; a strong cell is bold."""
    header, *rows = (
        " & ".join(cells) + r" \\" for cells in table.lines(latex_escape, r"\textbf{{{}}}", r"\textsuperscript{{{}}}")
    )
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}",
        r"\toprule",
        header,
        r"\midrule",
        *rows,
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{'. '.join(latex_escape(text) for text in (table.title, *table.notes) if text)}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)


FORMATS: dict[str, Callable[[Table], str]] = {"text": to_text, "markdown": to_markdown, "latex": to_latex}


def missing_scores(summary: Summary) -> Iterator[str]:
    """Notes on items left out of the means: those that could not be scored at all, then those each metric lacks."""
    whole = {(failure.system, failure.item) for failure in summary.failed if failure.metric is None}
    if whole:
        broken = len({item for _, item in whole})
        are = "is" if broken == 1 else "are"
        yield f"{counted(broken, 'item')} that could not be scored {are} left out of the means"
    lost = {name: sum(system == name for system, _ in whole) for name in summary.scores}
    for metric in summary.metrics:
        counts = {name: summary.unscored(name).get(metric, 0) - lost[name] for name in summary.scores}
        shown = [f"{counted(count, 'item')} of {name}" for name, count in counts.items() if count]
        if shown:
            yield f"{metric}: no score for {', '.join(shown)}, which the mean leaves out"


def p_value(value: float, sign: str = "") -> str:
    """A p-value with three decimals after ``sign``, or ``<0.001``."""
    return "<0.001" if value < 0.001 else f"{sign}{number(value, 3)}"


def cut(text: str, most: int) -> str:
    """The text, with an ellipsis for its end if it has more than ``most`` characters; of long words a part is left."""
    if len(text) <= most:
        return text
    kept, blank, _ = text[:most].rpartition(" ")
    return f"{kept.rstrip() if blank and 2 * len(kept) > most else text[: most - 1]}…"


def number(value: float, digits: int = 2) -> str:
    """A number for people; NaN is a dash."""
    return "-" if value != value else f"{value:.{digits}f}"
