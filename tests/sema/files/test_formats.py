"""Rows of results: cells that a spreadsheet would run are made harmless; a failed write leaves the old file."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sema.errors import InputError
from sema.files.formats import FORMATS, is_table, open_table, write_items
from sema.files.replacing import refuse_inputs
from sema.files.texts import read_rows

ROWS = [
    {"system": "=cmd|' /C calc'!A1", "item": 0, "scores": {"sema": -1.5}},
    {"system": "@SUM(A1)", "item": 1, "scores": {}, "error": "+1: \tbroken"},
]


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_formulas_are_neutralised_and_numbers_left_alone(tmp_path: Path) -> None:
    write_items(ROWS, ["sema"], str(tmp_path / "x.csv"))
    first, second = read(tmp_path / "x.csv")
    assert (first["system"], first["sema"]) == ("'=cmd|' /C calc'!A1", "-1.5")
    assert (second["system"], second["error"]) == ("'@SUM(A1)", "'+1: \\x09broken")
    write_items(ROWS, ["sema"], str(tmp_path / "x.csv"), raw_cells=True)
    assert read(tmp_path / "x.csv")[0]["system"] == "=cmd|' /C calc'!A1"


def test_formats_that_read_and_write_round_trip(tmp_path: Path) -> None:
    assert len(FORMATS) == 5
    for suffix in FORMATS:
        path = str(tmp_path / f"x{suffix}")
        write_items(ROWS, ["sema"], path, raw_cells=True)
        rows = [row for _, row in read_rows(path)]
        assert [row["system"] for row in rows] == ["=cmd|' /C calc'!A1", "@SUM(A1)"]
        assert float(rows[0]["sema"]) == -1.5


def test_what_is_no_table_is_named_with_what_is(tmp_path: Path) -> None:
    assert not is_table("x.docx")
    with pytest.raises(InputError, match=r"give \.jsonl, \.csv, \.tsv, \.xlsx, \.parquet$"):
        open_table("x.docx")


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"x.{suffix}"
    target.write_text("old", encoding="utf-8")

    def rows() -> Iterator[dict[str, Any]]:
        yield ROWS[0]
        raise OSError(28, "No space left on device")

    with pytest.raises(InputError, match="No space left on device"):
        write_items(rows(), ["sema"], str(target))
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_inputs_are_recognised_by_any_name(tmp_path: Path) -> None:
    source = tmp_path / "source.csv"
    source.write_text("x", encoding="utf-8")
    (tmp_path / "link.csv").symlink_to(source)
    (tmp_path / "twin.csv").hardlink_to(source)
    for name in ("source.csv", "link.csv", "twin.csv", "./source.csv"):
        with pytest.raises(InputError, match="one of the input files"):
            refuse_inputs([f"{tmp_path}/{name}"], [str(source)])
    refuse_inputs([tmp_path / "new.csv"], [str(source), "-", "nothing"])
