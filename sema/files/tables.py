"""The rows of text, JSONL, CSV, TSV and Parquet files with their lines, read a block at a time; compressed ones too.

A row is a line of text, the value of a JSON line, or a dict of a table's cells by name. An invalid row is replaced by
an :class:`~sema.errors.InputError`; errors of the whole file are raised when it is opened.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
import sys
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, BinaryIO, Literal

from sema.errors import InputError, counted, required
from sema.files.blocks import BLOCK, BlockSequence
from sema.files.packed import no_text, unpacked, unpacked_name
from sema.runtime.contents import bounded

SEPARATORS = ";\t,|"
"""Separators to try if the header lacks the one that the file's suffix implies (a comma or a tab)."""
ENDS = re.compile(b"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
"""A line of a CSV file with its end (LF, CRLF or CR), if it has one."""
HEAD = 4096
"""Bytes read from the beginning of a file to recognise its kind."""

Identity = tuple[int, int, int, int]
NumberedRow = tuple[int, Any]
Place = tuple[int, int]
"""Where a row begins: the byte and the line (from 1)."""
PlacedRow = tuple[int, int, Any]
"""A row after its :data:`Place`."""


class CheckedFile:
    """A file read in parts; input that can be read only once (standard input ``-``, a pipe) is kept in memory."""

    def __init__(self, path: str) -> None:
        if "\0" in path:
            raise InputError("cannot name a file; check the name", file=path)
        self.path = path
        self._data: bytes | None = None
        self._identity: Identity | None = None
        with self._reading():
            if path == "-":
                self._data = bounded(sys.stdin.buffer, path)
            else:
                with open(path, "rb") as file:
                    self._identity = _identity(file)
                    packed = unpacked_name(path) != path
                    if packed or not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                        read = bounded(file, path)
                        self._data = unpacked(read, path) if packed else read
        with self.open() as file:
            self.head = file.read(HEAD)
        """The first bytes."""
        self.start = 3 if self.head.startswith(b"\xef\xbb\xbf") else 0
        """Where the text begins: after a byte order mark."""

    @contextmanager
    def open(self, place: int = 0) -> Iterator[BinaryIO]:
        """The file from byte ``place`` on; an ``InputError`` if it has changed."""
        with self._reading(), open(self.path, "rb") if self._data is None else io.BytesIO(self._data) as file:
            if self._data is None and _identity(file) != self._identity:
                raise InputError("was changed while it was read; start again", file=self.path)
            file.seek(place)
            yield file

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except IsADirectoryError as error:
            raise InputError("is a folder; name a file", file=self.path) from error
        except FileNotFoundError as error:
            raise InputError("there is no such file; check the name", file=self.path) from error
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"cannot be read: {reason}; check its permissions", file=self.path) from error


def _identity(file: BinaryIO) -> Identity:
    status = os.fstat(file.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


class TableFile(BlockSequence[NumberedRow]):
    """All rows of a file with their lines (from 1; in Parquet, the row).

    Attributes:
        names: the names of cells, in order of first occurrence.
        only: the columns whose cells are needed; this makes reading Parquet files faster.
    """

    names: Sequence[str] = ()
    only: Sequence[str] | None = None


class _ReadInOrder(TableFile):
    """The rows of a text file that is read from its beginning on: a first pass notes where each block begins."""

    def __init__(self, path: str) -> None:
        self._file = CheckedFile(path)
        if kind := no_text(self._file.head):
            raise InputError(f"is {kind}", file=path, line=1)
        super().__init__(self._note_places())

    def _note_places(self) -> int:
        """Note where each block begins; returns the number of rows."""
        self._places: list[Place] = []
        count = 0
        with self._file.open(self._file.start) as file:
            for byte, line, _ in self._rows(file, self._file.start, 1):
                if count % BLOCK == 0:
                    self._places.append((byte, line))
                count += 1
        return count

    @abstractmethod
    def _rows(self, file: BinaryIO, byte: int, line: int) -> Iterator[PlacedRow]:
        """The rows from this byte, the position of ``file``, on; it is the beginning of this line."""

    def _block(self, number: int) -> list[NumberedRow]:
        byte, line = self._places[number]
        with self._file.open(byte) as file:
            return [(line, row) for _, line, row in islice(self._rows(file, byte, line), BLOCK)]


class TextLines(_ReadInOrder):
    """The lines of a file, ended by LF or CRLF only: other line separators of Python belong to the text."""

    def _rows(self, file: BinaryIO, byte: int, line: int) -> Iterator[PlacedRow]:
        for number, raw in enumerate(file, line):
            yield byte, number, _decoded(raw.removesuffix(b"\n").removesuffix(b"\r"), self._file.path, number)
            byte += len(raw)


class JsonTable(TextLines):
    """The values of a JSONL file."""

    def __init__(self, path: str) -> None:
        self._names: dict[str, None] = {}
        super().__init__(path)
        self.names = list(self._names)

    def _rows(self, file: BinaryIO, byte: int, line: int) -> Iterator[PlacedRow]:
        for start, number, text in super()._rows(file, byte, line):
            row = text if isinstance(text, InputError) else _json_row(text, self._file.path, number)
            if isinstance(row, dict):
                self._names.update(dict.fromkeys(row))
            yield start, number, row


class CsvTable(_ReadInOrder):
    """The rows of a file of separated cells below a header line.

    The header determines the separator: spreadsheets write ``.csv`` with semicolons in many countries. A quotation mark
    at the beginning of a cell opens a quoted cell. In a file with tabs it is an ordinary character if only then every
    line has as many cells as the header.
    """

    def __init__(self, path: str, separator: str) -> None:
        csv.field_size_limit(2**31 - 1)
        self._separator = separator
        self._quoting: Literal[0, 3] = csv.QUOTE_MINIMAL
        self._header: list[str] = []
        self._lines_are_rows = True
        super().__init__(path)
        if any(isinstance(row, dict) for _, row in self):
            self.names = self._header

    def _note_places(self) -> int:
        first = self._file.head.splitlines()[0].decode("utf-8", "replace") if self._file.head else ""
        if self._separator not in first:
            self._separator = next((other for other in SEPARATORS if other in first), self._separator)
        try:
            count = super()._note_places()
        except InputError:
            if not self._has_bare_quotes():
                raise
        else:
            if self._lines_are_rows or not self._has_bare_quotes():
                return count
        self._quoting, self._header = csv.QUOTE_NONE, []
        return super()._note_places()

    def _has_bare_quotes(self) -> bool:
        """Whether cells are unquoted, between tabs, and each line has as many as the header if quotes are ordinary."""
        if self._separator != "\t":
            return False
        with self._file.open(self._file.start) as file:
            lines = csv.reader(_CsvLines(file, 0), delimiter="\t", quoting=csv.QUOTE_NONE)
            names = next(lines, [])
            quoted = all(len(name) > 1 and name[0] == name[-1] == '"' for name in names)
            return not quoted and all(len(row) == len(names) for row in lines if row)

    def _rows(self, file: BinaryIO, byte: int, line: int) -> Iterator[PlacedRow]:
        path, lines, base = self._file.path, _CsvLines(file, byte), line
        reader = csv.reader(lines, delimiter=self._separator, quoting=self._quoting, strict=True)
        try:
            if not self._header:
                self._header = checked_names(next(reader, []), path)
                if not self._header:
                    raise InputError("is empty; its first line must name the columns", file=path, line=1)
            blank: list[Place] = []
            while True:
                line = base + reader.line_num
                start = lines.place, line
                row = next(reader, None)
                if row is None:
                    return  # blank lines at the end are no rows
                self._lines_are_rows &= base + reader.line_num == line + 1
                if not row and len(self._header) > 1:
                    blank.append(start)
                    continue
                for place, number in blank:
                    message = f"is a blank line among rows of {len(self._header)} cells"
                    yield place, number, InputError(message, file=path, line=number)
                blank.clear()
                yield *start, _csv_row(row or [""], self._header, path, line)
        except csv.Error as error:
            message = f"cannot be read as a table: {error}; write it anew"
            if "unexpected end" in str(error):
                message = "opens a quote that nothing closes; close it, or double the quotes in cells"
            raise InputError(message, file=path, line=line) from error


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
    """The rows of a Parquet file; to step back, it is read from the beginning."""

    kept = 64  # the rows of a chunk are read again, to be saved, when those of later ones have been read

    def __init__(self, path: str) -> None:
        self._path, self._source = path, CheckedFile(path)
        with self._opened() as file:
            self.names = checked_names(list(file.schema_arrow.names), path)
            if file.metadata.num_rows < 0:
                raise InputError("is not a valid Parquet file: its row count is negative", file=path)
            super().__init__(file.metadata.num_rows)
        self._rows: Iterator[NumberedRow] = iter(())
        self._next = -1

    def _block(self, number: int) -> list[NumberedRow]:
        if number != self._next:
            self._rows = self._read(number * BLOCK)
        self._next = number + 1
        block = list(islice(self._rows, BLOCK))
        if len(block) != min(BLOCK, len(self) - number * BLOCK):
            message = f"says that it has {len(self)} rows and holds another number; write it anew"
            raise InputError(message, file=self._path)
        return block

    def _read(self, start: int) -> Iterator[NumberedRow]:
        """The rows from number ``start`` (from 0) on; those before it are not made into Python's objects."""
        dotted = any("." in name for name in self.only or ())  # a dot would mean a part of a column
        wanted = None if self.only is None or dotted else list(self.only)
        first = 0
        with self._opened() as file:
            for batch in file.iter_batches(BLOCK, columns=wanted):
                left, first = batch.slice(max(0, start - first)), first + batch.num_rows
                line = first - left.num_rows + 1
                columns = [_parquet_column(column, self._path, line) for column in left.columns]
                for number, cells in enumerate(zip(*columns, strict=True), line):
                    yield number, dict(zip(left.schema.names, cells, strict=True))

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        pyarrow, parquet = required("pyarrow"), required("pyarrow.parquet")
        with self._source.open() as data:
            try:
                yield parquet.ParquetFile(data)
            except InputError:
                raise
            except (pyarrow.ArrowException, OSError, ValueError) as error:
                message = f"is not a valid Parquet file: {str(error).splitlines()[0]}"
                raise InputError(message, file=self._path) from error


def _decoded(raw: bytes, path: str, line: int) -> str | InputError:
    """UTF-8 as text, or the error that names the invalid byte."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"byte 0x{raw[error.start]:02x} at position {error.start + 1}"
        return InputError(f"is not UTF-8 ({what}); convert the file to UTF-8", file=path, line=line)


def checked_names(names: list[str], path: str, line: int = 1) -> list[str]:
    """The names of a table's columns; an ``InputError`` if two are the same."""
    twice = repeated(names)
    if twice is not None:
        what = f"names the column {twice!r} twice" if twice else "has two columns without a name"
        raise InputError(f"{what}; give every column a name of its own", file=path, line=line)
    return names


def repeated(names: Sequence[str]) -> str | None:
    """The first name that is listed twice."""
    return next((name for name in names if names.count(name) > 1), None)


def _csv_row(row: Sequence[str], header: Sequence[str], path: str, line: int) -> dict[str, Any] | InputError:
    if len(row) == len(header):
        return dict(zip(header, row, strict=True))
    counts = f"has {counted(len(row), 'cell')} but the first line names {len(header)} columns"
    message = f"{counts}; quote cells that hold a separator"
    return InputError(message, file=path, line=line)


def _json_row(text: str, path: str, line: int) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except InputError as error:
        return InputError(error.message, file=path, line=line)
    except json.JSONDecodeError as error:
        reason = error.msg
    except RecursionError:
        reason = "nested too deeply"
    except ValueError:  # Python reads no integer of more than 4,300 digits
        reason = "a number of too many digits"
    return InputError(f"is not valid JSON ({reason}); write one JSON value a line", file=path, line=line)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) < len(pairs):
        raise InputError(f"has the key {repeated([name for name, _ in pairs])!r} twice; keep one")
    return entries


def _parquet_column(column: Any, path: str, first: int) -> list[Any]:
    """A column's cells, from row ``first`` on; a text that is not UTF-8 is replaced by an error."""
    try:
        values: list[Any] = column.to_pylist()
        return values
    except UnicodeDecodeError:
        pyarrow = required("pyarrow")
        cells = column.cast(pyarrow.large_binary() if column.type == pyarrow.large_string() else pyarrow.binary())
        lines = enumerate(cells.to_pylist(), first)
        return [None if cell is None else _decoded(cell, path, line) for line, cell in lines]
