"""Tables of the public data: TSV, CSV and JSON lines, plain or gzipped."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sema.datasets.folder import data_folder
from sema.errors import InputError


def read_table(file: Path) -> Iterator[dict[str, str]]:
    """The rows of a table by its header; in all but CSV files tabs separate cells, and quotes are the text's own.

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


def table(*parts: str) -> Iterator[dict[str, str]]:
    """The rows of a table of the public data."""
    return read_table(data_folder(*parts))


def json_lines(*parts: str) -> list[Any]:
    """The objects of a file of the public data, one a line."""
    return [json.loads(line) for line in data_folder(*parts).read_text(encoding="utf-8").splitlines()]
