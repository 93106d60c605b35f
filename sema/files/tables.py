"""The rows of JSONL, CSV, TSV and Parquet files, each with its line, read a block at a time.

A row is what a JSON line holds, or a dict of a table's named cells. An invalid row is
replaced by an :class:`~sema.errors.InputError`; errors of the whole file are raised when it is opened.
"""

from __future__ import annotations

import csv
import json
import re
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice, zip_longest
from typing import Any, BinaryIO

from sema.errors import InputError, missing_package
from sema.files.blocks import BLOCK, BlockSequence
from sema.files.checked_file import CheckedFile

SEPARATORS = {";": "semicolons", "\t": "tabs", ",": "commas", "|": "bars"}
ENDS = re.compile(b"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line of a CSV file, with whichever end."""

NumberedRow = tuple[int, Any]


class TableFile(BlockSequence[NumberedRow]):
    """All rows of a table with their lines (from 1; in Parquet, the row).

    Attributes:
        names: the names of cells, in order of first occurrence.
    """

    names: Sequence[str]


class TextLines(BlockSequence["str | InputError"]):
    """The lines of a file, ended by LF or CRLF only: other line separators of Python belong to the text."""

    def __init__(self, path: str) -> None:
        self._file = CheckedFile(path)
        self._places = array("q")
        count, place = 0, self._file.start
        with self._file.open(place) as file:
            for raw in file:
                if count % BLOCK == 0:
                    self._places.append(place)
                count += 1
                place += len(raw)
        super().__init__(count)

    def _block(self, number: int) -> list[str | InputError]:
        first = number * BLOCK + 1
        with self._file.open(self._places[number]) as file:
            return [
                decode(raw.removesuffix(b"\n").removesuffix(b"\r"), self._file.path, line)
                for line, raw in enumerate(islice(file, BLOCK), start=first)
            ]


class JsonTable(TableFile):
    """The values of a JSONL file."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._lines = TextLines(path)
        super().__init__(len(self._lines))
        names: dict[str, None] = {}
        for _, row in self:
            if isinstance(row, dict):
                names.update(dict.fromkeys(row))
        self.names = list(names)

    def _block(self, number: int) -> list[NumberedRow]:
        start = number * BLOCK
        lines = enumerate(self._lines[start : start + BLOCK], start=start + 1)
        return [(line, _json_row(text, self._path, line)) for line, text in lines]


class CsvTable(TableFile):
    """The rows of a file of separated cells below a header line."""

    def __init__(self, path: str, separator: str) -> None:
        csv.field_size_limit(2**31 - 1)
        self._file, self._separator = CheckedFile(path), separator
        self._header: list[str] = []
        self._places = array("q")
        """For each block the byte and line where its first row begins."""
        count = 0
        self.names = []
        with self._file.open(self._file.start) as file:
            for place, line, row in self._rows(file, self._file.start, 1):
                if count % BLOCK == 0:
                    self._places.extend((place, line))
                if not self.names and isinstance(row, dict):
                    self.names = self._header
                count += 1
        super().__init__(count)

    def _block(self, number: int) -> list[NumberedRow]:
        place, first = self._places[2 * number : 2 * number + 2]
        with self._file.open(place) as file:
            rows = islice(self._rows(file, place, first), BLOCK)
            return [(line, row) for _, line, row in rows]

    def _rows(self, file: BinaryIO, place: int, line: int) -> Iterator[tuple[int, int, dict[str, Any] | InputError]]:
        """The rows from a byte and line on, each with its place; the first line of the file is the header."""
        path, lines = self._file.path, _CsvLines(file, place)
        reader = csv.reader(lines, delimiter=self._separator, strict=True)
        base = line
        try:
            if not self._header:
                self._header = next(reader, [])
                if not self._header:
                    raise InputError("is empty; its first line must name the columns", file=path, line=1)
                _check_header(self._header, self._separator, path)
            blank: list[tuple[int, int]] = []
            while True:
                place, line = lines.place, base + reader.line_num
                row = next(reader, None)
                if row is None:
                    return  # blank lines at the end are no rows
                if not row and len(self._header) > 1:
                    blank.append((place, line))
                    continue
                for start, empty in blank:
                    message = f"is a blank line among rows of {len(self._header)} cells"
                    yield start, empty, InputError(message, file=path, line=empty)
                blank.clear()
                yield place, line, _csv_row(row or [""], self._header, path, line)
        except csv.Error as error:
            if "unexpected end" in str(error):
                message = "opens a quote that nothing closes; close it, or double the quotes in cells"
                raise InputError(message, file=path, line=line) from error
            raise InputError(f"cannot be read as a table: {error}; write it anew", file=path, line=line) from error


class _CsvLines:
    """A CSV file's lines for ``csv.reader``, which reads only what its next row needs; ``place`` is the next byte."""

    def __init__(self, file: BinaryIO, place: int) -> None:
        self._lines = (line for raw in file for line in ENDS.findall(raw))
        self.place = place

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.place += len(line)
            yield line.decode("utf-8", errors="surrogateescape")


class ParquetTable(TableFile):
    """The rows of a Parquet file; ``only`` this column's cells are read, once it is set."""

    def __init__(self, path: str) -> None:
        self._path, self._source = path, CheckedFile(path)
        with self._opened() as file:
            self.names = file.schema_arrow.names
            _check_names(self.names, path)
            if file.metadata.num_rows < 0:
                raise InputError("is not a valid Parquet file: it has less than no rows", file=path)
            super().__init__(file.metadata.num_rows)
        self.only: str | None = None
        self._blocks: Iterator[list[NumberedRow]] = iter(())
        self._next = -1

    def _block(self, number: int) -> list[NumberedRow]:
        if number != self._next:
            self._blocks = self._read(number)
        self._next = number + 1
        block = next(self._blocks, [])
        if len(block) != min(BLOCK, len(self) - number * BLOCK):
            message = f"says that it has {len(self)} rows and holds another number; write it anew"
            raise InputError(message, file=self._path)
        return block

    def _read(self, number: int) -> Iterator[list[NumberedRow]]:
        """The blocks from that number on; pages are unpacked on demand."""
        with self._opened() as file:
            rows = islice(self._rows(file), number * BLOCK, None)
            while block := list(islice(rows, BLOCK)):
                yield block

    def _rows(self, file: Any) -> Iterator[NumberedRow]:
        wanted = None if self.only is None or "." in self.only else [self.only]  # a dot would mean a part of a column
        line = 0
        for batch in file.iter_batches(BLOCK, columns=wanted):
            columns = [_parquet_column(column, self._path) for column in batch.columns]
            for cells in zip_longest(*columns) if columns else [()] * batch.num_rows:
                line += 1
                yield line, dict(zip(batch.schema.names, cells, strict=True))

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError as error:
            raise missing_package("pyarrow") from error
        with self._source.open() as data:
            try:
                yield parquet.ParquetFile(data)
            except (pyarrow.ArrowException, OSError, ValueError) as error:
                if isinstance(error, InputError):
                    raise
                raise InputError(
                    f"is not a valid Parquet file: {str(error).splitlines()[0]}", file=self._path
                ) from error


def decode(raw: bytes, path: str, line: int) -> str | InputError:
    """UTF-8 as text, or the error that names the invalid byte."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = raw[error.start]
        return InputError(
            f"is not UTF-8 (byte 0x{byte:02x} at position {error.start + 1}); convert the file to UTF-8",
            file=path,
            line=line,
        )


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


def _parquet_column(column: Any, path: str) -> list[Any]:
    """A column's cells; a text that is not UTF-8 is replaced by an error."""
    import pyarrow

    try:
        found: list[Any] = column.to_pylist()
        return found
    except UnicodeDecodeError:
        cells = column.cast(pyarrow.large_binary() if column.type == pyarrow.large_string() else pyarrow.binary())
        return [
            None if cell is None else decode(cell, path, line) for line, cell in enumerate(cells.to_pylist(), start=1)
        ]
