"""Submissions in the format of the TSAR 2025 shared task: JSON lines that rewrite texts for a CEFR level.

A line has ``text_id``, ``original``, ``target_cefr``, ``reference`` (a text or a list) and ``simplified``. A submission
may have ``text_id`` and ``simplified`` alone where another file has the rest.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sema.errors import InputError, counted
from sema.files.formats import open_table
from sema.files.tables import TextLines

ID, ORIGINAL, REFERENCE, SIMPLIFIED = "text_id", "original", "reference", "simplified"

PACKED = ".tsv.gz"
Row = tuple[int, Mapping[str, Any]]
"""A line's number, and the object in it."""


def numbered_rows(path: str) -> Iterator[Row]:
    """The rows of a file with their lines; each must have an id."""
    for line, row in _packed(path) if path.endswith(PACKED) else open_table(path):
        if isinstance(row, InputError):
            raise row
        if not isinstance(row, dict) or row.get(ID) is None:
            raise InputError(f"has no {ID!r}; write an object with one a line", file=path, line=line)
        yield line, row


def _packed(path: str) -> Iterator[tuple[int, Any]]:
    """The rows of a compressed table in which a quotation mark is a character like any other."""
    names: list[str] = []
    for line, text in TextLines(path):
        if isinstance(text, InputError):
            raise text
        cells = text.split("\t")
        if not names:
            names = cells
        elif len(cells) == len(names):
            yield line, dict(zip(names, cells, strict=True))
        elif text:
            counts = f"has {counted(len(cells), 'cell')} but the first line names {len(names)} columns"
            raise InputError(f"{counts}; write a tab between cells and none in them", file=path, line=line)


def check_known(keys: Iterable[str], known: Container[str], path: str, origin: str) -> None:
    """Raise an ``InputError`` if one of the ids of a file is not ``known`` from the file with the originals."""
    extra = next((key for key in keys if key not in known), None)
    if extra is not None:
        raise InputError(f"has a text {extra!r}, which {Path(origin).name} has not; take it out", file=path)
