"""Reading texts from files: plain lines, paragraphs of Word, or a column of a table, item by item.

An invalid item is replaced by an :class:`~sema.errors.InputError`, so that the others can be scored; errors of the
whole file are raised.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

from sema.errors import InputError, SemaWarning, UsageError, counted
from sema.files.blocks import Mapped
from sema.files.formats import FORMATS, format_of, is_table, open_table, suffixes
from sema.files.office import docx_paragraphs
from sema.files.tables import NumberedRow, Table, text_lines, unpacked_name

COLUMNS = {
    "source": ("source", "original", "complex", "orig_sent", "text"),
    "output": ("output", "simplification", "simplified", "simple", "simp_sent", "text"),
    "reference": ("reference", "references", "text"),
}
"""The columns tried, in this order, if none is named."""

NOT_READ = {
    "xls": "is an old Excel file; save it as .xlsx or .csv",
    "docm?": "is a Word file of a kind that is not read; save it as .docx",
    "od[st]": "is an OpenDocument file, which is not read; save it as .xlsx or .docx",
    "json": "is a JSON document, which is not read; save it as .jsonl, a value a line",
}
"""The message for each kind of file that sema cannot read, by its suffix."""
PARAGRAPHS = ".docx"
"""The suffix of files whose items are paragraphs."""

IDS = ("id", "item", "item_id", "text_id", "sent_id", "sentence_id")
"""Names of id columns; headings may also have capitals, spaces and hyphens."""

TARGET = "target_cefr"
"""The column of target levels."""

Value = str | list[str] | InputError | None
"""A text, a list of them, an error, or ``None`` where there is none: ``null`` and the empty cell of a CSV file."""


@dataclass(frozen=True)
class Column:
    """The texts of one file: ``values[i]`` is on line ``lines[i]`` (from 1; a row, a paragraph).

    ``named`` is the table's column, if one was asked for by name; ``ids`` are its columns of ids, by heading.
    """

    path: str
    values: Sequence[Value]
    lines: Sequence[int]
    named: str | None = None
    ids: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The file's name without its folder, as results show it."""
        return Path(self.path).name if self.path != "-" else "stdin"

    @property
    def names(self) -> tuple[str, ...]:
        """Names for a system, the shortest first: the file's name, with its column, with its folder and its column."""
        column = "" if self.named is None else f":{self.named}"
        return (self.name, f"{self.name}{column}", f"{self.path}{column}")

    def read(self) -> Column:
        """The same texts, all read now."""
        ids = {name: tuple(values) for name, values in self.ids.items()}
        return replace(self, values=tuple(self.values), lines=tuple(self.lines), ids=ids)


def open_column(spec: str, role: str) -> Column:
    """The texts of ``spec``: ``FILE``, ``-`` (standard input), or ``FILE:COLUMN``; many are kept outside memory.

    ``role`` (``source``, ``output`` or ``reference``) determines the default column. A cell of a
    table may hold a list of strings: a source's or output's sentences, or an item's references.

    Raises:
        InputError: a file that cannot be read, or a table without such a column.
    """
    path, named = _split_spec(spec)
    if Path(path).suffix.lower() == PARAGRAPHS:
        return Column(path, *docx_paragraphs(path))
    form = format_of(unpacked_name(path))
    rows = Table(text_lines(path) if form is None else form.read(path))
    chosen = _choose_column(rows.names, named, role, path) if rows.names else None
    texts = Mapped(partial(_cell, path, chosen, form is not None and form.separated), rows)
    return Column(path, texts, Mapped(itemgetter(0), rows), named, _ids(rows))


def open_outputs(specs: Sequence[str]) -> list[Column]:
    """The outputs of every system: ``FILE``, ``FILE:COLUMN``, ``FILE:A,B,C`` (columns), or a folder (files)."""
    columns_named = []
    for spec in specs:
        path, named = _split_spec(spec)
        if named and "," in named and named not in open_table(path).names:
            columns_named += [f"{path}:{name.strip()}" for name in named.split(",") if name.strip()]
        elif Path(spec).is_dir():
            files = sorted(str(entry) for entry in Path(spec).iterdir() if entry.is_file() and entry.name[0] != ".")
            if not files:
                raise InputError("is a folder without files; name one with a file for each system", file=spec)
            columns_named += files
        else:
            columns_named.append(spec)
    return [open_column(spec, "output") for spec in columns_named]


def open_targets(specs: Sequence[str]) -> Column | None:
    """The target levels of the first of these files that is a table with such a column."""
    for spec in specs:
        path, _ = _split_spec(spec)
        if is_table(path) and TARGET in (rows := open_table(path)).names:
            values = Mapped(partial(_target_cell, path), rows)
            return Column(path, values, Mapped(itemgetter(0), rows), ids=_ids(rows))
    return None


def same_length(columns: Sequence[Column]) -> None:
    """Raise ``InputError`` unless all files have as many items as the first."""
    first = columns[0]
    for column in columns[1:]:
        if len(column.values) != len(first.values):
            counts = f"has {counted(len(column.values), 'item')} but {first.path} has {len(first.values)}"
            raise InputError(f"{counts}; give every file one item for each source", file=column.path)


def with_items(column: Column) -> Column:
    """The column; an ``InputError`` if it has no items."""
    if not column.values:
        raise InputError("has no items; give it one text a line", file=column.path)
    return column


def refuse_unreadable(columns: Sequence[Column]) -> None:
    """Raise the first item's error if none of a file's several items can be read: then the file itself is wrong."""
    for column in columns:
        if len(column.values) > 1 and all(isinstance(value, InputError) for value in column.values):
            first: Any = column.values[0]
            message = f"{first.message} (as for all its {len(column.values)} items)"
            raise InputError(message, file=column.path, line=column.lines[0])


def system_names(outputs: Sequence[Column]) -> list[str]:
    """The systems' names: files' names, with column and folder if needed; a ``UsageError`` if one is given twice."""
    listed: list[str] = []
    for names in zip(*(column.names for column in outputs), strict=True):
        listed = list(names)
        if len(set(listed)) == len(listed):
            return listed
    if not outputs:
        return []
    twice = next(name for name in listed if listed.count(name) > 1)
    raise UsageError("is given twice as an output; name each file once", file=twice)


def reference_rows(references: Sequence[Column]) -> Sequence[list[str | InputError]]:
    """Each item's references without missing ones: one from every file, or all of a list in a table's cell.

    Warns:
        SemaWarning: the first time that a blank reference stands beside others.
    """
    warned = False

    def joined(lines: Sequence[int], *values: Value) -> list[str | InputError]:
        nonlocal warned
        lists = (value if isinstance(value, list) else [value] for value in values)
        texts = [(place, text) for place, own in enumerate(lists) for text in own if text is not None]
        blank = [place for place, text in texts if isinstance(text, str) and not text.strip()]
        if not warned and 0 < len(blank) < len(texts):
            warned, place = True, blank[0]
            what = "a blank reference counts as an empty text; write one, or in a table null"
            where = f"{references[place].path}:{lines[place]}"
            warnings.warn(f"{where}: {what} (others may be like it)", SemaWarning, stacklevel=2)
        return [text for _, text in texts]

    lines = Mapped(lambda *own: own, *(column.lines for column in references))
    return Mapped(joined, lines, *(column.values for column in references))


def _target_cell(path: str, numbered: NumberedRow) -> Any:
    line, row = numbered
    value = row.get(TARGET) if isinstance(row, dict) else row if isinstance(row, InputError) else None
    if isinstance(value, str):
        return value if value.strip() else None
    if value is None or isinstance(value, InputError | int | float):
        return value
    return InputError(f"{TARGET!r} is not a level; write A1 to C2", file=path, line=line)


def read_column(spec: str, role: str) -> Column:
    """:func:`open_column`, read at once, so that the file may be deleted."""
    return open_column(spec, role).read()


def read_rows(path: str) -> list[tuple[int, dict[str, Any]]]:
    """All rows of a table with their lines, nested ``scores`` as columns; an ``InputError`` if one is invalid."""
    numbered_rows = open_table(path)
    if not numbered_rows:
        raise InputError("has no rows", file=path)
    rows = []
    for line, row in numbered_rows:
        if isinstance(row, InputError):
            raise row
        if not isinstance(row, dict):
            raise InputError("is not a row with named columns; write a JSON object a line", file=path, line=line)
        nested = row.get("scores")
        rows.append((line, {**row, **nested} if isinstance(nested, dict) else row))
    return rows


def _split_spec(spec: str) -> tuple[str, str | None]:
    path, colon, column = spec.rpartition(":")
    if not colon or Path(spec).exists():
        path = spec
    for kind, message in NOT_READ.items():
        if re.search(rf"\.{kind}$", path, re.IGNORECASE):
            raise InputError(message, file=path)
    if path == spec:
        return spec, None
    if is_table(path):
        return path, column
    if Path(path).is_file():
        raise InputError(f"has no columns to name; {suffixes('read')} have", file=path)
    return spec, None


def _choose_column(names: Sequence[str], named: str | None, role: str, path: str) -> str:
    """The named column, or the first known column of any row; rows without it are errors.

    All rows are considered. If only the first row decided, a file with ``text`` there, but ``source`` and ``text`` in
    the others, would mix texts of two kinds.
    """
    wanted = COLUMNS[role] if named is None else (named,)
    usual = {usual_heading(name): name for name in reversed(names)} | {name: name for name in names}
    for name in (*wanted, *map(usual_heading, wanted)):
        if name in usual:
            return usual[name]
    if named is None and len(names) == 1 and not FORMATS[Path(unpacked_name(path)).suffix.lower()].header_is_text:
        return names[0]
    shown = ", ".join(repr(name if len(name) <= 40 else f"{name[:40]}…") for name in names[:20])
    message = f"has no column {wanted[0]!r}; the first line must name the columns: name one of {shown} as "
    kind = InputError if named is None else UsageError
    raise kind(f"{message}{Path(path).name}:COLUMN", file=path, line=1)


def usual_heading(heading: str) -> str:
    """A heading as :data:`IDS` spells it."""
    return re.sub(r"[\s-]+", "_", heading.strip()).casefold()


def _ids(rows: Table) -> dict[str, Sequence[Any]]:
    """A table's columns of ids, by heading."""
    return {name: Mapped(partial(_id_cell, name), rows) for name in rows.names if usual_heading(name) in IDS}


def _id_cell(name: str, numbered: NumberedRow) -> Any:
    return numbered[1].get(name) if isinstance(numbered[1], dict) else None


def _cell(path: str, column: str | None, separated: bool, numbered: NumberedRow) -> Value:
    line, cell = numbered
    if column is not None and not isinstance(cell, InputError):
        if not isinstance(cell, dict) or column not in cell:
            return InputError(f"has no {column!r}; give every row that column", file=path, line=line)
        cell = cell[column]
    if cell is None or (separated and cell == ""):
        return None
    if isinstance(cell, str | InputError) or (isinstance(cell, list) and all(isinstance(p, str) for p in cell)):
        return cell
    return InputError("must be a string or a list of strings", file=path, line=line)
