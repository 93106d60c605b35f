"""Rows of results, and files of Scenes: what is written, what is replaced, and which file belongs to which item."""

import csv
import os
from pathlib import Path
from threading import Event, Thread

import pytest

from sema.errors import InputError
from sema.files.formats import FORMATS, write_items
from sema.files.replacing import replacing
from sema.files.scene_formats import scene_files
from sema.files.texts import read_rows
from tests.cases import cases
from tests.commands import write

ROWS = [
    {"system": "=cmd|' /C calc'!A1", "item": 0, "scores": {"sema": -1.5}},
    {"system": "@SUM(A1)", "item": 1, "scores": {}, "error": "+1: \tbroken"},
]


def test_formulas_are_neutralised_and_numbers_left_alone() -> None:
    write_items(ROWS, ["sema"], "x.csv")
    with open("x.csv", encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["system"], first["sema"]) == ("'=cmd|' /C calc'!A1", "-1.5")
    assert (second["system"], second["error"]) == ("'@SUM(A1)", "'+1: \\x09broken")


def test_formats_that_read_and_write_round_trip() -> None:
    assert len(FORMATS) == 5
    for suffix in FORMATS:
        write_items(ROWS, ["sema"], f"x{suffix}", raw_cells=True)
        rows = [row for _, row in read_rows(f"x{suffix}")]
        assert [row["system"] for row in rows] == ["=cmd|' /C calc'!A1", "@SUM(A1)"]
        assert float(rows[0]["sema"]) == -1.5


def test_a_workbook_has_texts_and_no_formulas() -> None:
    openpyxl = pytest.importorskip("openpyxl")
    write_items([{**ROWS[0], "system": "=1+1"}, {"system": "b", "item": 0, "error": "broken\x07"}], ["sema"], "x.xlsx")
    sheet = openpyxl.load_workbook("x.xlsx").active
    _, *rows = sheet.iter_rows(values_only=True)
    assert rows == [("=1+1", 0, -1.5, None), ("b", 0, None, "broken\ufffd")]
    assert sheet["A2"].data_type == "s", "a text, and no formula"


def test_two_writers_of_one_target_do_not_meet(folder: Path) -> None:
    path, inside, gate = folder / ("n" * 255), Event(), Event()  # the longest name

    def write_first() -> None:
        with replacing(path) as file:
            file.write(b"first")
            inside.set()
            gate.wait(60)

    thread = Thread(target=write_first)
    thread.start()
    assert inside.wait(60)
    with replacing(path) as file:
        file.write(b"second")
    assert path.read_bytes() == b"second"
    gate.set()
    thread.join()
    assert path.read_bytes() == b"first" and os.listdir() == [path.name]


@cases("scene_files")
def test_scene_files_belong_to_items_by_number_or_order(
    names: str, found: tuple[str | None, ...], folder: Path
) -> None:
    for name in names.split():
        write(name, "")
    assert tuple(file and file[0].name for file in scene_files(folder, len(found))) == found


@pytest.mark.parametrize(("names", "items"), [("00000.xml", 0), ("a.xml", 2), ("5.xml 7.xml", 3), ("1.xml 01.xml", 3)])
def test_scene_files_that_do_not_go_with_the_items_are_refused(names: str, items: int, folder: Path) -> None:
    for name in names.split():
        write(name, "")
    with pytest.raises(InputError, match=rf"has {len(names.split())} scene files? for {items} items"):
        scene_files(folder, items)
