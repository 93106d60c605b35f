"""The rows of JSONL, CSV, TSV and Parquet files, each with its line.

A row is what a JSON line holds, or a dict of a table's named cells. What is wrong with one row is an
:class:`~sema.errors.InputError` in its place; what is wrong with the file is raised.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from sema.errors import InputError, missing_package

SUFFIXES = (".jsonl", ".csv", ".tsv", ".parquet")
SEPARATORS = {";": "semicolons", "\t": "tabs", ",": "commas", "|": "bars"}


def is_table(path: str) -> bool:
    """Whether a file's name says that it is a table."""
    return Path(path).suffix.lower() in SUFFIXES


def table_rows(path: str) -> list[tuple[int, Any]]:
    """All rows of a table with their lines (from 1; in Parquet, the row).

    Raises:
        InputError: the file cannot be read, is not a table of its kind, or two of its columns have one name.
        ResourceError: the package that reads it is missing.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".parquet":
        return _parquet_rows(path)
    data = read_bytes(path)
    if suffix == ".jsonl":
        return [(line, _json_row(text, path, line)) for line, text in enumerate(text_lines(data, path), start=1)]
    return list(_csv_rows(data, path, "\t" if suffix == ".tsv" else ","))


def read_bytes(path: str) -> bytes:
    """A file's bytes (``-`` is standard input) without a byte order mark.

    Raises:
        InputError: it cannot be read, or is UTF-16.
    """
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
    except ValueError as error:  # a NUL in the name
        raise InputError("cannot name a file; check the name", file=path) from error
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError("is UTF-16; save it as UTF-8", file=path, line=1)
    return data.removeprefix(b"\xef\xbb\xbf")


def text_lines(data: bytes, path: str) -> list[str | InputError]:
    """Lines end at LF or CRLF only: other characters that Python's ``splitlines`` breaks at belong to the text."""
    raw = data.split(b"\n")
    if raw and not raw[-1]:
        raw.pop()
    return [decode(line.removesuffix(b"\r"), path, number) for number, line in enumerate(raw, start=1)]


def decode(raw: bytes, path: str, line: int) -> str | InputError:
    """UTF-8 as text, or the error that says which byte is none."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = raw[error.start]
        return InputError(
            f"is not UTF-8 (byte 0x{byte:02x} at position {error.start + 1}); convert the file to UTF-8",
            file=path,
            line=line,
        )


def _csv_rows(data: bytes, path: str, separator: str) -> Iterator[tuple[int, dict[str, Any] | InputError]]:
    csv.field_size_limit(2**31 - 1)
    text = io.StringIO(data.decode("utf-8", errors="surrogateescape"), newline="")
    reader = csv.reader(text, delimiter=separator, strict=True)
    line = 1
    try:
        header = next(reader, None)
        if not header:
            raise InputError("is empty; its first line must name the columns", file=path, line=1)
        _check_header(header, separator, path)
        blank: list[int] = []
        while True:
            line = reader.line_num + 1
            row = next(reader, None)
            if row is None:
                return  # blank lines at the end are no rows
            if not row and len(header) > 1:
                blank.append(line)
                continue
            for empty in blank:
                yield empty, InputError(f"is a blank line among rows of {len(header)} cells", file=path, line=empty)
            blank.clear()
            yield line, _csv_row(row or [""], header, path, line)
    except csv.Error as error:
        if "unexpected end" in str(error):
            raise InputError(
                "opens a quote that nothing closes; close it, or double the quotes in cells", file=path, line=line
            ) from error
        raise InputError(f"cannot be read as a table: {error}; write it anew", file=path, line=line) from error


def _check_header(header: Sequence[str], separator: str, path: str) -> None:
    if len(header) == 1:
        for other, name in SEPARATORS.items():
            if other != separator and other in header[0]:
                raise InputError(
                    f"its columns are separated by {name}; save it with {SEPARATORS[separator]}", file=path, line=1
                )
    _check_names(header, path)


def _check_names(names: Sequence[str], path: str) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        what = f"names the column {twice!r} twice" if twice else "has two columns without a name"
        raise InputError(f"{what}; give every column a name of its own", file=path, line=1)


def _csv_row(row: Sequence[str], header: Sequence[str], path: str, line: int) -> dict[str, Any] | InputError:
    if len(row) != len(header):
        cells = "1 cell" if len(row) == 1 else f"{len(row)} cells"
        return InputError(
            f"has {cells} but the first line names {len(header)} columns; quote cells that hold a separator",
            file=path,
            line=line,
        )
    return dict(zip(header, row, strict=True))


def _json_row(text: str | InputError, path: str, line: int) -> Any:
    if isinstance(text, InputError):
        return text

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            raise _RepeatedKey(next(name for name in names if names.count(name) > 1))
        return found

    try:
        return json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        reason = error.msg
    except _RepeatedKey as error:
        return InputError(f"has the key {error.args[0]!r} twice; keep one", file=path, line=line)
    except RecursionError:
        reason = "nested too deeply"
    except ValueError:  # Python reads no integer of more than 4,300 digits
        reason = "a number of too many digits"
    return InputError(f"is not valid JSON ({reason}); write one JSON value a line", file=path, line=line)


class _RepeatedKey(Exception):
    """An object has a key twice."""


def _parquet_rows(path: str) -> list[tuple[int, Any]]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise missing_package("pyarrow") from error
    try:
        table = parquet.ParquetFile(io.BytesIO(read_bytes(path))).read()
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"is not a valid Parquet file: {str(error).splitlines()[0]}", file=path) from error
    _check_names(table.column_names, path)
    columns = [_parquet_column(column, path) for column in table.columns]
    rows = zip_longest(*columns) if columns else [()] * table.num_rows
    return [(line, dict(zip(table.column_names, cells, strict=True))) for line, cells in enumerate(rows, start=1)]


def _parquet_column(column: Any, path: str) -> list[Any]:
    """A column's cells; a text that is not UTF-8 is an error in its place."""
    import pyarrow

    try:
        found: list[Any] = column.to_pylist()
        return found
    except UnicodeDecodeError:
        cells = column.cast(pyarrow.large_binary() if column.type == pyarrow.large_string() else pyarrow.binary())
        return [
            None if cell is None else decode(cell, path, line) for line, cell in enumerate(cells.to_pylist(), start=1)
        ]
