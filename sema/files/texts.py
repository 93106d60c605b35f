"""Reading texts from files: plain lines, JSONL, CSV, TSV and Parquet, item by item.

What is wrong with one item is an :class:`~sema.errors.InputError` in its place, so that the others can go on; what is
wrong with the file is raised.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sema.errors import InputError, ResourceError

TABLES = (".jsonl", ".csv", ".tsv", ".parquet")
COLUMNS = {
    "source": ("source", "original", "complex", "orig_sent", "text"),
    "output": ("output", "simplification", "simple", "simp_sent", "text"),
    "reference": ("reference", "references", "text"),
}
"""The columns that are looked for, in this order, where none is named."""

Value = str | list[str] | InputError


@dataclass(frozen=True)
class Column:
    """The texts of one file: ``values[i]`` stands on line ``lines[i]`` (from 1; in Parquet, its row)."""

    path: str
    values: tuple[Value, ...]
    lines: tuple[int, ...]

    @property
    def name(self) -> str:
        """The file's name without its folder, as results show it."""
        return Path(self.path).name if self.path != "-" else "stdin"


def read_column(spec: str, role: str) -> Column:
    """Read the texts of ``spec``: ``FILE``, ``-`` (standard input), or ``FILE:COLUMN`` for a table.

    ``role`` (``source``, ``output`` or ``reference``) decides which column is taken where none is named. A cell of a
    table may hold a list of strings: a source's or output's sentences, or an item's references.

    Raises:
        InputError: a file that cannot be read, or a table without such a column.
    """
    path, column = _split_spec(spec)
    suffix = Path(path).suffix.lower()
    if suffix not in TABLES:
        data = _read_bytes(path)
        lines = _lines(data, path)
        return Column(path, tuple(lines), tuple(range(1, len(lines) + 1)))
    rows = _parquet_rows(path) if suffix == ".parquet" else list(_text_rows(path, suffix))
    values: list[Value] = []
    chosen = column
    for line, row in rows:
        if isinstance(row, dict) and chosen is None:
            chosen = _choose_column(list(row), role, path)
        values.append(_cell(row, chosen, path, line))
    return Column(path, tuple(values), tuple(line for line, _ in rows))


def read_rows(path: str) -> list[tuple[int, dict[str, Any]]]:
    """Read all rows of a table with their line numbers; the ``scores`` of a row of ours become columns of their own.

    Raises:
        InputError: a file that cannot be read, is no table, has no rows, or has a row that is not one.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in TABLES:
        raise InputError(f"is no table; give {', '.join(TABLES)}", file=path)
    found = _parquet_rows(path) if suffix == ".parquet" else list(_text_rows(path, suffix))
    if not found:
        raise InputError("has no rows", file=path)
    rows = []
    for line, row in found:
        if isinstance(row, InputError):
            raise row
        if not isinstance(row, dict):
            raise InputError("is no row with named columns; write a JSON object a line", file=path, line=line)
        nested = row.get("scores")
        rows.append((line, {**row, **nested} if isinstance(nested, dict) else row))
    return rows


def _split_spec(spec: str) -> tuple[str, str | None]:
    path, colon, column = spec.rpartition(":")
    if colon and Path(path).suffix.lower() in TABLES and not Path(spec).exists():
        return path, column
    return spec, None


def _read_bytes(path: str) -> bytes:
    if path == "-":
        return sys.stdin.buffer.read()
    try:
        data = Path(path).read_bytes()
    except IsADirectoryError as error:
        raise InputError("is a folder; name a file", file=path) from error
    except FileNotFoundError as error:
        raise InputError("there is no such file; check the name", file=path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}; check its permissions", file=path) from error
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError("is UTF-16; save it as UTF-8", file=path, line=1)
    return data.removeprefix(b"\xef\xbb\xbf")


def _decode(raw: bytes, path: str, line: int) -> str | InputError:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = raw[error.start]
        return InputError(
            f"is not UTF-8 (byte 0x{byte:02x} at position {error.start + 1}); convert the file to UTF-8",
            file=path,
            line=line,
        )


def _lines(data: bytes, path: str) -> list[Value]:
    """Lines end at LF or CRLF only: other characters that Python's ``splitlines`` breaks at belong to the text."""
    raw = data.split(b"\n")
    if raw and not raw[-1]:
        raw.pop()
    return [_decode(line.removesuffix(b"\r"), path, number) for number, line in enumerate(raw, start=1)]


def _text_rows(path: str, suffix: str) -> Iterator[tuple[int, Any]]:
    data = _read_bytes(path)
    if suffix == ".jsonl":
        for line, text in enumerate(_lines(data, path), start=1):
            yield line, _json_row(text, path, line)
        return
    decoded = data.decode("utf-8", errors="surrogateescape")
    csv.field_size_limit(2**31 - 1)
    reader = csv.DictReader(io.StringIO(decoded, newline=""), delimiter="\t" if suffix == ".tsv" else ",")
    try:
        if not reader.fieldnames:
            raise InputError("is empty; its first line must name the columns", file=path, line=1)
        line = reader.line_num + 1
        for row in reader:
            yield line, {name: cell for name, cell in row.items() if name is not None}
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"is no sound table: {error}", file=path, line=reader.line_num) from error


def _json_row(text: Value, path: str, line: int) -> Any:
    if not isinstance(text, str):
        return text
    try:
        return json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "nested too deeply"
        return InputError(f"is no JSON ({reason}); write one JSON value a line", file=path, line=line)


def _parquet_rows(path: str) -> list[tuple[int, Any]]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ResourceError("Parquet files need pyarrow: pip install 'sema-metrics[parquet]'") from error
    try:
        rows = parquet.read_table(io.BytesIO(_read_bytes(path))).to_pylist()
    except (pyarrow.ArrowException, OSError) as error:
        raise InputError(f"is no Parquet file: {str(error).splitlines()[0]}", file=path) from error
    return list(enumerate(rows, start=1))


def _choose_column(names: Sequence[str], role: str, path: str) -> str:
    for name in COLUMNS[role]:
        if name in names:
            return name
    if len(names) == 1:
        return names[0]
    raise InputError(
        f"has no column {COLUMNS[role][0]!r}; name one of {', '.join(map(repr, names))} as {Path(path).name}:COLUMN",
        file=path,
        line=1,
    )


def _cell(row: Any, column: str | None, path: str, line: int) -> Value:
    if isinstance(row, InputError):
        return row
    if isinstance(row, dict):
        if column not in row:
            return InputError(f"has no {column!r}; give every row that column", file=path, line=line)
        row = row[column]
    if isinstance(row, str):
        if any("\udc80" <= char <= "\udcff" for char in row):
            return InputError("is not UTF-8; convert the file to UTF-8", file=path, line=line)
        return row
    if isinstance(row, list) and all(isinstance(part, str) for part in row):
        return row
    return InputError("is neither a text nor a list of texts; quote it", file=path, line=line)
