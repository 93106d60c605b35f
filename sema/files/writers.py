"""Writing per-item results: JSONL, CSV and Parquet, a row for each system and item."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from sema.errors import InputError, missing_package
from sema.files.replacing import replacing

SUFFIXES = (".jsonl", ".csv", ".parquet")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a cell begins with that a spreadsheet takes for a formula (or drops, to find one behind it)."""


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


def write_items(
    rows: Iterable[Mapping[str, Any]], metrics: Sequence[str], path: str, *, raw_cells: bool = False
) -> None:
    """Write rows (``system``, ``item``, ``scores``, perhaps ``error``) in the format of the file's suffix.

    JSONL keeps the scores nested; CSV and Parquet have a column for each of ``metrics``. A file of that name is
    replaced when all is written, and stays as it was if that fails. Texts in CSV that a spreadsheet would run as
    formulas get a ``'`` before them, unless ``raw_cells`` leaves them as they are.

    Raises:
        InputError: the file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    with replacing(Path(path)) as file:
        if suffix == ".jsonl":
            file.writelines(json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
        elif suffix == ".csv":
            text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
            writer = csv.DictWriter(text, _columns(metrics))
            writer.writeheader()
            flat = (_flat(row, metrics) for row in rows)
            writer.writerows(flat if raw_cells else map(_harmless, flat))
            text.detach()
        else:
            _write_parquet([_flat(row, metrics) for row in rows], metrics, file)


def _columns(metrics: Sequence[str]) -> list[str]:
    return ["system", "item", *metrics, "error"]


def _flat(row: Mapping[str, Any], metrics: Sequence[str]) -> dict[str, Any]:
    scores = {**dict.fromkeys(metrics), **row["scores"]}
    return {"system": row["system"], "item": row["item"], **scores, "error": row.get("error")}


def _harmless(row: dict[str, Any]) -> dict[str, Any]:
    return {
        name: f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA_STARTS) else cell
        for name, cell in row.items()
    }


def _pyarrow() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise missing_package("pyarrow") from error
    return pyarrow


def _write_parquet(rows: list[dict[str, Any]], metrics: Sequence[str], file: BinaryIO) -> None:
    pyarrow = _pyarrow()
    types = {"system": pyarrow.string(), "item": pyarrow.int64(), "error": pyarrow.string()}
    schema = pyarrow.schema([(name, types.get(name, pyarrow.float64())) for name in _columns(metrics)])
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, schema=schema), file)
