"""Writing per-item results: JSONL, CSV and Parquet, a row an item and system."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sema.errors import InputError, ResourceError
from sema.scoring.results import Report, plain_scores

SUFFIXES = (".jsonl", ".csv", ".parquet")


def check_path(path: str) -> None:
    """Raise ``InputError`` now, before long work, for a file that could not be written."""
    target = Path(path)
    if target.suffix.lower() not in SUFFIXES:
        raise InputError(f"per-item results go to {', '.join(SUFFIXES)}; name such a file", file=path)
    if target.is_dir():
        raise InputError("is a folder; name a file", file=path)
    if not target.parent.is_dir():
        raise InputError(f"cannot be written: there is no folder {str(target.parent)!r}; make it first", file=path)
    if target.suffix.lower() == ".parquet":
        _pyarrow()


def write_items(report: Report, path: str) -> None:
    """Write one row an item and system, in the format of the file's suffix; flat columns in CSV and Parquet."""
    suffix = Path(path).suffix.lower()
    try:
        if suffix == ".jsonl":
            with open(path, "w", encoding="utf-8") as file:
                for system in report.systems:
                    for item in system.items:
                        file.write(json.dumps({"system": system.name, **item.to_dict()}, ensure_ascii=False) + "\n")
        elif suffix == ".csv":
            with open(path, "w", encoding="utf-8", newline="") as file:
                writer = csv.DictWriter(file, _columns(report))
                writer.writeheader()
                writer.writerows(_flat_rows(report))
        else:
            _write_parquet(report, path)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", file=path) from error


def _columns(report: Report) -> list[str]:
    return ["system", "item", *report.metrics, "error"]


def _flat_rows(report: Report) -> Iterator[dict[str, Any]]:
    for system in report.systems:
        for item in system.items:
            yield {
                "system": system.name,
                "item": item.index,
                **dict.fromkeys(report.metrics),
                **plain_scores(item.scores),
                "error": item.error,
            }


def _pyarrow() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise ResourceError("Parquet files need pyarrow: pip install 'sema-metrics[parquet]'") from error
    return pyarrow


def _write_parquet(report: Report, path: str) -> None:
    pyarrow = _pyarrow()
    types = {"system": pyarrow.string(), "item": pyarrow.int64(), "error": pyarrow.string()}
    schema = pyarrow.schema([(name, types.get(name, pyarrow.float64())) for name in _columns(report)])
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(_flat_rows(report)), schema=schema), path)
