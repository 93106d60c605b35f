"""OpenDocument spreadsheets, the format of some ratings."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from defusedxml import ElementTree

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_WIDEST = 64
"""The largest number of repetitions of a cell: sheets pad their rows with thousands of empty cells."""


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
