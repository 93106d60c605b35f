"""Files of Excel and Word: the rows of a sheet, and the paragraphs of a document."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from typing import IO, Any
from xml.etree.ElementTree import Element
from zipfile import BadZipFile, ZipFile

from sema.errors import InputError, SemaError, SemaWarning, required
from sema.files.tables import NumberedRow, checked_names, opened

MOST = 64 << 20  # the largest unpacked size of a file
DOCUMENT = "word/document.xml"
BREAKS = {"tab", "br", "cr"}
UNSEEN = {"del", "moveFrom", "Fallback"}
"""Elements of Word whose text is not shown: text that tracked changes remove, and the fallback form of a drawing."""
BOX = "txbxContent"  # a text box; its paragraphs are inside the paragraph that anchors it


def xlsx_rows(path: str) -> Iterator[NumberedRow]:
    """The rows below the header of the first sheet that has rows, as texts, without blank rows and nameless columns.

    Raises:
        InputError: the file is no workbook, is damaged or empty, or unpacks to more than :data:`MOST` bytes.
        ResourceError: openpyxl is not installed.
    """
    with _opened(path, "Excel file (.xlsx)") as file:
        book = required("openpyxl").load_workbook(file, read_only=True, data_only=True)
        sheets = {sheet.title: rows for sheet in book.worksheets if (rows := list(_rows(sheet)))}
    if not sheets:
        raise InputError("is empty; its first row must name the columns", file=path, line=1)
    title, ((first, header), *rows) = next(iter(sheets.items()))
    checked_names([name for name in header if name], path, first)
    if len(sheets) > 1:
        message = f"{path}: has {len(sheets)} sheets with rows; the first of them, {title!r}, is read"
        warnings.warn(message, SemaWarning, stacklevel=4)
    for line, row in rows:
        yield line, {name: cell for name, cell in zip(header, row, strict=True) if name}


def _rows(sheet: Any) -> Iterator[tuple[int, list[str | None]]]:
    """The rows of a sheet that are not blank, each with its number, all as wide as the first."""
    sheet.reset_dimensions()  # those that some programs write are wrong
    width = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        cells = list(map(_cell_text, row))
        if any(cells):
            width = width or len(cells)
            yield number, [*cells[:width], *[None] * (width - len(cells))]


def _cell_text(value: object) -> str | None:
    """A cell as a person reads it; ``None`` for an empty one."""
    match value:
        case None | "":
            return None
        case str():
            return str(required("openpyxl.utils.escape").unescape(value))
        case bool():
            return str(value).upper()
        case float() if value.is_integer():
            return str(int(value))
        case datetime() if value.time() == time():
            return value.date().isoformat()
        case date() | time():
            return value.isoformat()
    return str(value)


def docx_paragraphs(path: str) -> tuple[list[str], Sequence[int]]:
    """The paragraphs of a Word document that have text, changes accepted, and the number of each (from 1)."""
    with _opened(path, "Word file (.docx)") as file, ZipFile(file) as archive:
        document = required("defusedxml.ElementTree").fromstring(archive.read(DOCUMENT))
        texts = ["".join(_texts(paragraph)).strip() for paragraph in _paragraphs(document)]
    shown = [(number, text) for number, text in enumerate(texts, 1) if text]
    return [text for _, text in shown], [number for number, _ in shown]


def _paragraphs(element: Element) -> Iterator[Element]:
    for child in element:
        if _name(child) == "p":
            yield child
        if _name(child) not in UNSEEN:
            yield from _paragraphs(child)


def _texts(element: Element) -> Iterator[str]:
    for child in element:
        name = _name(child)
        if name == "t":
            yield child.text or ""
        elif name in BREAKS:
            yield " "
        elif name == "noBreakHyphen":
            yield "-"
        elif name not in UNSEEN and name != BOX:
            yield from _texts(child)


def _name(element: Element) -> str:
    """The name of an element without its namespace, which differs between editions of the format."""
    return str(element.tag).rpartition("}")[2]


@contextmanager
def _opened(path: str, kind: str) -> Iterator[IO[bytes]]:
    """The file; what its reader raises becomes an ``InputError``."""
    with opened(path) as file:
        try:
            with ZipFile(file) as archive:  # reads no more of a part than the size stated here
                size = sum(part.file_size for part in archive.infolist())
            if size > MOST:
                raise InputError(
                    f"unpacks to more than {MOST >> 20} MiB; divide it, or save the texts alone", file=path
                )
            yield file
        except SemaError:
            raise
        except BadZipFile as error:
            raise InputError(f"is not a readable {kind}; save it again, without a password", file=path) from error
        except Exception as error:  # readers raise anything at damaged files
            raise InputError(
                f"is a damaged {kind}: {' '.join(str(error).split())}; save it again", file=path
            ) from error
