"""The formats of tables: how files are read, and how per-item results are written."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from sema.errors import InputError, required
from sema.files.office import xlsx_rows
from sema.files.replacing import check_file, replacing
from sema.files.tables import NumberedRow, Table, csv_rows, json_rows, opened, parquet_rows, unpacked_name
from sema.model.text import visible

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""Beginnings of cells that a spreadsheet runs as formulas (or strips before a formula)."""


def harmless(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with a ``'`` before each text that would run as a formula, and control characters escaped."""
    return {name: _cleaned(cell) if isinstance(cell, str) else cell for name, cell in row.items()}


def _cleaned(cell: str) -> str:
    try:
        float(cell)  # as in -1.5
    except ValueError:
        return f"'{visible(cell)}" if cell.startswith(FORMULA_STARTS) else visible(cell)
    return visible(cell)


Rows = Iterable[Mapping[str, Any]]


@dataclass(frozen=True)
class TableFormat:
    """A kind of table.

    Attributes:
        write: writes rows under these columns.
        read: reads the rows of a file of that kind.
        package: what must be installed to write it, or ``None``.
        upload: whether a server accepts such files: text, and formats that state their unpacked size.
        header_is_text: whether the header line could be the first text of a plain list.
        separated: whether it is text in separated cells: a spreadsheet may run one as a formula, and an empty one is
            missing.
    """

    write: Callable[[Rows, Sequence[str], BinaryIO], None]
    read: Callable[[str], Iterator[NumberedRow]]
    package: str | None = None
    upload: bool = False
    header_is_text: bool = False
    separated: bool = False


def format_of(path: str | Path) -> TableFormat | None:
    """The format of a file by its suffix, or ``None`` if it is no table."""
    return FORMATS.get(Path(path).suffix.lower())


def is_table(path: str) -> bool:
    """Whether a file's suffix, before that of a compression, names a format of tables."""
    return format_of(unpacked_name(path)) is not None


def open_table(path: str) -> Table:
    """The rows of a table; a file that is not a table of its suffix's kind is an ``InputError``."""
    form = format_of(unpacked_name(path))
    if form is None:
        with opened(path):
            raise InputError(f"is not a table; give {suffixes('read')}", file=path)
    return Table(form.read(path))


def suffixes(ability: str) -> str:
    """The suffixes of the formats with that attribute (``read``, ``write``, ``upload``), for messages."""
    return ", ".join(suffix for suffix, form in FORMATS.items() if getattr(form, ability))


def check_path(path: str) -> TableFormat:
    """The format of a file that results go to; raises an error, before long work, if it could not be written."""
    check_file(path, "results of items", FORMATS)
    form = FORMATS[Path(path).suffix.lower()]
    if form.package:
        required(form.package)
    return form


def write_items(
    rows: Rows,
    names: Sequence[str],
    path: str,
    *,
    labels: Sequence[str] = (),
    under: str = "scores",
    raw_cells: bool = False,
) -> None:
    """Write rows (``system``, ``item``, numbers by name ``under`` a key, perhaps ``error``) by the file's suffix.

    ``labels`` name further cells of text, such as the item's id. JSONL keeps the numbers nested; the other formats have
    a column for each of ``names``. An existing file is replaced once everything is written, and unchanged if that
    fails. Texts in CSV and TSV that a spreadsheet would run as formulas get a ``'`` before them, unless ``raw_cells``.
    """
    form = check_path(path)
    if form.write is not _write_json:
        rows = (flat(row, names, under, labels) for row in rows)
    if form.separated and not raw_cells:
        rows = map(harmless, rows)
    with replacing(Path(path)) as file:
        form.write(rows, ["system", "item", *labels, *names, "error"], file)


def flat(row: Mapping[str, Any], names: Sequence[str], under: str, labels: Sequence[str] = ()) -> dict[str, Any]:
    """A row with a cell for each of the ``names``; empty where the row has no number of that name."""
    texts = {name: row.get(name) for name in ("system", "item", *labels)}
    return {**texts, **dict.fromkeys(names), **row.get(under, {}), "error": row.get("error")}


def _write_json(rows: Rows, columns: Sequence[str], file: BinaryIO) -> None:
    file.writelines(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)


def _write_cells(separator: str, rows: Rows, columns: Sequence[str], file: BinaryIO) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    writer = csv.DictWriter(text, columns, delimiter=separator)
    writer.writeheader()
    writer.writerows(rows)
    text.detach()


def write_cells(rows: Rows, columns: Sequence[str], path: str, *, raw_cells: bool = False) -> None:
    """Write rows with any columns to a file of separated cells, as :func:`write_items` does."""
    with replacing(Path(path)) as file:
        FORMATS[Path(path).suffix.lower()].write(rows if raw_cells else map(harmless, rows), columns, file)


def _write_xlsx(rows: Rows, columns: Sequence[str], file: BinaryIO) -> None:
    """Write one sheet; texts are never formulas."""
    openpyxl = required("openpyxl")
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("items")

    def cell(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        written = openpyxl.cell.WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("\ufffd", value))
        written.data_type = "s"
        return written

    sheet.append(columns)
    for row in rows:
        sheet.append([cell(value) for value in row.values()])
    book.save(file)


def _write_parquet(rows: Rows, columns: Sequence[str], file: BinaryIO) -> None:
    parquet, pyarrow, kept = required("pyarrow.parquet"), required("pyarrow"), [*rows]
    texts = {"system", "error", *(name for row in kept for name, value in row.items() if isinstance(value, str))}
    types = {**dict.fromkeys(texts, pyarrow.string()), "item": pyarrow.int64()}
    schema = pyarrow.schema([(name, types.get(name, pyarrow.float64())) for name in columns])
    parquet.write_table(pyarrow.Table.from_pylist(kept, schema=schema), file)


def _cells(separator: str) -> TableFormat:
    write, read = partial(_write_cells, separator), partial(csv_rows, separator=separator)
    return TableFormat(write, read, upload=True, header_is_text=True, separated=True)


FORMATS = {
    ".jsonl": TableFormat(_write_json, json_rows, upload=True),
    ".csv": _cells(","),
    ".tsv": _cells("\t"),
    ".xlsx": TableFormat(_write_xlsx, xlsx_rows, package="openpyxl", upload=True, header_is_text=True),
    ".parquet": TableFormat(_write_parquet, parquet_rows, package="pyarrow"),
}
"""Every format by the suffix of its files."""
