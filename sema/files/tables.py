"""The rows of text, JSONL, CSV, TSV and Parquet files with their lines; compressed ones too.

A row is a line of text, the value of a JSON line, or a dict of a table's cells by name. An invalid row is replaced by
an :class:`~sema.errors.InputError`; errors of the whole file are raised when it is opened.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import re
import stat
import sys
import zipfile
import zlib
from codecs import BOM_UTF8, iterdecode
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import count, islice
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal

from sema.errors import InputError, counted, required
from sema.files.blocks import BLOCK, Stored
from sema.runtime.contents import MOST, bounded

SEPARATORS = ";\t,|"  # tried if the header lacks the one that the suffix implies (a comma or a tab)
HEAD = 4096  # bytes read from the beginning of a file to recognise its kind

NumberedRow = tuple[int, Any]  # a row after its line (from 1; in Parquet and Excel, its row)
_BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError, RuntimeError)
"""Exceptions of the standard library for damaged files, unsupported methods and missing passwords."""


def _only_member(data: IO[bytes]) -> IO[bytes]:
    archive = zipfile.ZipFile(data)
    # macOS adds hidden files: .DS_Store, and for each file one of its own in __MACOSX.
    members = [
        info
        for info in archive.infolist()
        if not info.is_dir() and not info.filename.rpartition("/")[2].startswith(".")
    ]
    if len(members) != 1:
        raise InputError(f"holds {len(members)} files; unpack it and name the one that is meant")
    return archive.open(members[0])


OPENERS: dict[str, Callable[[IO[bytes]], Any]] = {
    ".gz": gzip.open,
    ".bz2": bz2.open,
    ".xz": lzma.open,
    ".zip": _only_member,
}
"""How files are unpacked, by suffix."""

WIDE = "UTF-16; save it as UTF-8"
KINDS = {
    b"\x1f\x8b\x08": "a gzip file; give it the suffix .gz, or unpack it",
    b"BZh91AY&SY": "a bzip2 file; give it the suffix .bz2, or unpack it",
    b"\xfd7zXZ\x00": "an xz file; give it the suffix .xz, or unpack it",
    b"PK\x03\x04": "a zip file, as Word's and Excel's files are, too; unpack it, or save the texts as UTF-8",
    b"PAR1": "a Parquet file; give it the suffix .parquet",
    b"%PDF-": "a PDF file; save its texts as UTF-8",
    b"\xff\xfe": WIDE,
    b"\xfe\xff": WIDE,
}
"""The kind of a file that is not text, with advice, by its first bytes."""


def unpacked_name(path: str) -> str:
    """A file's name without the suffix of a compression."""
    return path[: -len(Path(path).suffix)] if Path(path).suffix.lower() in OPENERS else path


def unpacked(data: bytes, path: str) -> bytes:
    """The content of a compressed file; an ``InputError`` if it is damaged, too large, or has several files."""
    try:
        with OPENERS[Path(path).suffix.lower()](io.BytesIO(data)) as file:
            content: bytes = file.read(MOST + 1)
    except InputError as error:
        raise InputError(error.message, file=path) from error
    except _BROKEN as error:
        raise InputError(f"cannot be unpacked: {error}; unpack it yourself", file=path) from error
    if len(content) > MOST:
        raise InputError(f"unpacks to more than {MOST >> 30} GB; unpack it, and name what it holds", file=path)
    return content


def no_text(head: bytes) -> str | None:
    """The kind of a file that is not UTF-8 text, with advice, by its first bytes; ``None`` if it may be text."""
    kind = next((kind for mark, kind in KINDS.items() if head.startswith(mark)), None)
    return WIDE if kind is None and head.count(0) > len(head) / 3 else kind


class Table(Stored[NumberedRow]):
    """All rows of a file; ``names`` are the names of cells, in order of first occurrence."""

    def __init__(self, rows: Iterable[NumberedRow]) -> None:
        names: dict[str, None] = {}

        def noted() -> Iterator[NumberedRow]:
            for line, row in rows:
                if isinstance(row, dict):
                    names.update(dict.fromkeys(row))
                yield line, row

        super().__init__(noted())
        self.names: Sequence[str] = list(names)


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """The bytes of a file (``-``: standard input), unpacked; what goes wrong with it becomes an ``InputError``.

    What is no plain file, or is compressed, is read into memory.
    """
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else open(path, "rb") as file:
            if unpacked_name(path) != path:
                yield io.BytesIO(unpacked(bounded(file, path), path))
            else:
                is_plain = path != "-" and stat.S_ISREG(os.fstat(file.fileno()).st_mode)
                yield file if is_plain else io.BytesIO(bounded(file, path))
    except IsADirectoryError as error:
        raise InputError("is a folder; name a file", file=path) from error
    except FileNotFoundError as error:
        raise InputError("there is no such file; check the name", file=path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}; check its permissions", file=path) from error
    except ValueError as error:
        if isinstance(error, InputError) or "\0" not in path:
            raise
        raise InputError("cannot name a file; check the name", file=path) from error


@contextmanager
def _opened_text(path: str) -> Iterator[BinaryIO]:
    with opened(path) as file:
        kind = no_text(file.read(HEAD))
        if kind:
            raise InputError(f"is {kind}", file=path, line=1)
        file.seek(0)
        if b"\r" in (first := file.readline()).strip(b"\r") and not first.endswith(b"\n"):
            raise InputError("is text with CR alone as line ends, as on old Macs; save it with LF", file=path, line=1)
        file.seek(0)
        yield file


def text_lines(path: str) -> Iterator[NumberedRow]:
    """The lines of a file, ended by LF or CRLF only: other line separators of Python belong to the text."""
    with _opened_text(path) as file:
        for number, raw in enumerate(file, 1):
            line = raw.removeprefix(BOM_UTF8) if number == 1 else raw
            if line or number > 1:
                yield number, _decoded(line.removesuffix(b"\n").removesuffix(b"\r"), path, number)


def json_rows(path: str) -> Iterator[NumberedRow]:
    """The values of a JSONL file."""
    for line, text in text_lines(path):
        yield line, text if isinstance(text, InputError) else _json_row(text, path, line)


def csv_rows(path: str, separator: str) -> Iterator[NumberedRow]:
    """The rows of a file of separated cells below a header line.

    The header determines the separator: spreadsheets write ``.csv`` with semicolons in many countries. A quotation mark
    at the beginning of a cell opens a quoted cell, unless :func:`_has_bare_quotes`.
    """
    csv.field_size_limit(2**31 - 1)
    with _opened_text(path) as file:
        first = file.readline().decode("utf-8", "replace")
        if separator not in first:
            separator = next((other for other in SEPARATORS if other in first), separator)
        bare = separator == "\t" and _has_bare_quotes(file)
        file.seek(0)
        quoting: Literal[0, 3] = csv.QUOTE_NONE if bare else csv.QUOTE_MINIMAL
        reader = csv.reader(_csv_lines(file), delimiter=separator, quoting=quoting, strict=True)
        line = 1
        blank: list[int] = []
        try:
            header = checked_names(next(reader, []), path)
            if not header:
                raise InputError("is empty; its first line must name the columns", file=path, line=1)
            line = reader.line_num + 1
            for row in reader:
                if row or len(header) == 1:
                    for number in blank:  # blank lines at the end are no rows
                        message = f"is a blank line among rows of {len(header)} cells"
                        yield number, InputError(message, file=path, line=number)
                    blank.clear()
                    yield line, _csv_row(row or [""], header, path, line)
                else:
                    blank.append(line)
                line = reader.line_num + 1
        except csv.Error as error:
            message = f"cannot be read as a table: {error}; write it again"
            if "unexpected end" in str(error):
                message = "opens a quote that nothing closes; close it, or double the quotes in cells"
            raise InputError(message, file=path, line=line) from error


def _csv_lines(file: BinaryIO) -> Iterator[str]:
    return iterdecode(file, "utf-8-sig", errors="surrogateescape")


def _has_bare_quotes(file: BinaryIO) -> bool:
    """Whether quotation marks are ordinary characters of a file with tabs: cells begin with some that they do not end
    with, all lines have as many cells as the header, and the header is not quoted."""
    file.seek(0)
    lines = (line.rstrip("\r\n").split("\t") for line in _csv_lines(file) if line.strip("\r\n"))
    names, opens = next(lines, []), False
    if all(len(name) > 1 and name[0] == name[-1] == '"' for name in names):
        return False
    for row in lines:
        if len(row) != len(names):
            return False
        opens = opens or any(cell.startswith('"') and not (len(cell) > 1 and cell.endswith('"')) for cell in row)
    return opens


def parquet_rows(path: str) -> Iterator[NumberedRow]:
    """The rows of a Parquet file."""
    pyarrow, parquet = required("pyarrow"), required("pyarrow.parquet")
    with opened(path) as data:
        try:
            file = parquet.ParquetFile(data)
            names, line = checked_names(list(file.schema_arrow.names), path), count(1)
            for batch in file.iter_batches(BLOCK):
                numbers = list(islice(line, batch.num_rows))
                columns = [_parquet_column(column, path, numbers) for column in batch.columns]
                for number, *cells in zip(numbers, *columns, strict=True):
                    yield number, dict(zip(names, cells, strict=True))
        except InputError:
            raise
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            message = f"is not a valid Parquet file: {str(error).splitlines()[0]}"
            raise InputError(message, file=path) from error


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
    if len(row) != len(header):
        counts = f"has {counted(len(row), 'cell')} but the first line names {len(header)} columns"
        return InputError(f"{counts}; quote cells that hold a separator", file=path, line=line)
    if re.search("[\udc80-\udcff]", "".join(row)):
        return InputError("is not UTF-8; convert the file to UTF-8", file=path, line=line)
    return dict(zip(header, row, strict=True))


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


def _parquet_column(column: Any, path: str, numbers: Sequence[int]) -> list[Any]:
    """A column's cells, of rows with these numbers; a text that is not UTF-8 is replaced by an error."""
    try:
        values: list[Any] = column.to_pylist()
        return values
    except UnicodeDecodeError:
        pyarrow = required("pyarrow")
        cells = column.cast(pyarrow.large_binary() if column.type == pyarrow.large_string() else pyarrow.binary())
        rows = zip(numbers, cells.to_pylist(), strict=True)
        return [None if cell is None else _decoded(cell, path, number) for number, cell in rows]
