"""Writing per-item results: JSONL, CSV, Excel and Parquet, a row for each system and item."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from sema.errors import InputError, missing_package
from sema.files.cells import harmless
from sema.files.replacing import replacing

SUFFIXES = (".jsonl", ".csv", ".xlsx", ".parquet")


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
    if target.suffix.lower() == ".xlsx":
        _openpyxl()


def write_items(
    rows: Iterable[Mapping[str, Any]], metrics: Sequence[str], path: str, *, raw_cells: bool = False
) -> None:
    """Write rows (``system``, ``item``, ``scores``, perhaps ``error``) in the format of the file's suffix.

    JSONL keeps the scores nested; CSV, Excel and Parquet have a column for each of ``metrics``. A file of that name is
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
            writer.writerows(flat if raw_cells else map(harmless, flat))
            text.detach()
        elif suffix == ".xlsx":
            _write_xlsx((_flat(row, metrics) for row in rows), metrics, file)
        else:
            _write_parquet([_flat(row, metrics) for row in rows], metrics, file)


def _columns(metrics: Sequence[str]) -> list[str]:
    return ["system", "item", *metrics, "error"]


def _flat(row: Mapping[str, Any], metrics: Sequence[str]) -> dict[str, Any]:
    scores = {**dict.fromkeys(metrics), **row["scores"]}
    return {"system": row["system"], "item": row["item"], **scores, "error": row.get("error")}


def _openpyxl() -> Any:
    try:
        import openpyxl
    except ImportError as error:
        raise missing_package("openpyxl") from error
    return openpyxl


def _write_xlsx(rows: Iterable[Mapping[str, Any]], metrics: Sequence[str], file: BinaryIO) -> None:
    """One sheet; texts are texts, whatever they begin with."""
    openpyxl = _openpyxl()
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("items")
    sheet.append(_columns(metrics))
    for row in rows:
        cells = []
        for value in row.values():
            if isinstance(value, str):
                cell = openpyxl.cell.WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("\ufffd", value))
                cell.data_type = "s"
                cells.append(cell)
            else:
                cells.append(value)
        sheet.append(cells)
    book.save(file)


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
