"""Tables of the public data: TSV and CSV, plain or gzipped, JSON lines, and OpenDocument sheets."""

from __future__ import annotations

import csv
import gzip
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from defusedxml import ElementTree

from sema.datasets.folder import data_folder
from sema.errors import InputError

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_WIDEST = 64
"""The largest number of repetitions of a cell: sheets pad their rows with thousands of empty cells."""


def read_table(file: Path) -> Iterator[dict[str, str]]:
    """The rows of a table by its header; files other than CSV are separated by tabs, without quoting.

    Raises:
        InputError: there is no row.
    """
    layout: dict[str, Any] = {} if ".csv" in file.suffixes else {"delimiter": "\t", "quoting": csv.QUOTE_NONE}
    opened = gzip.open if file.suffix == ".gz" else open
    with opened(file, "rt", encoding="utf-8-sig", errors="replace", newline="") as lines:
        rows = csv.DictReader(lines, **layout)
        if (first := next(rows, None)) is None:
            raise InputError("has no rows; is it the right file?", file=str(file))
        yield first
        yield from rows


def read_lines(*parts: str) -> list[str]:
    """The lines of a text file of the public data."""
    return data_folder(*parts).read_text(encoding="utf-8").splitlines()


def table(*parts: str) -> Iterator[dict[str, str]]:
    """The rows of a table of the public data."""
    return read_table(data_folder(*parts))


def json_lines(*parts: str) -> list[Any]:
    """The objects of a file of the public data, one a line."""
    return [json.loads(line) for line in read_lines(*parts)]


def sheet_rows(file: Path) -> Iterator[list[str]]:
    """The cells of every row as texts; repeated cells, which are stored once with a count, are expanded."""
    with zipfile.ZipFile(file) as archive:
        root: Element = ElementTree.fromstring(archive.read("content.xml"))
    for row in root.iter(f"{_TABLE}table-row"):
        cells: list[str] = []
        for cell in row.iter(f"{_TABLE}table-cell"):
            times = int(cell.get(f"{_TABLE}number-columns-repeated", "1"))
            cells.extend(["".join(cell.itertext()).strip()] * min(times, _WIDEST))
        yield cells
