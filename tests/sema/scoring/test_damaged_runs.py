"""A finished run with damaged files: detected by their checksums, scored again, and reported."""

import json
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

from sema import InputError, Run, Scorer
from sema.errors import SemaWarning
from sema.scoring import scorer
from tests.commands import files
from tests.esperanto import esperanto

TEXTS = [f"La kato {number} dormas." for number in range(20)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(scorer.CHUNK, "sentence", 4)
    score(tmp_path / "run")
    return tmp_path / "run"


def score(folder: Path, *, resume: bool = False) -> Run:
    systems = {"one": TEXTS, "two": TEXTS[::-1]}
    return Scorer(esperanto(), ["sema"]).write(folder, TEXTS, systems, resume=resume)


def cut(data: bytes) -> bytes:
    return data[:-40]


def flip(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def lengthen(data: bytes) -> bytes:
    return data + b"{}\n"


def zero(data: bytes) -> bytes:
    return b"\0" * len(data)


def move(data: bytes) -> bytes:
    return re.sub(rb'"start": \d+', b'"start": 1', data)


@pytest.mark.parametrize("damage", [cut, flip, lengthen, zero, move, None])
@pytest.mark.parametrize("name", ["00000.jsonl", "00002.jsonl", "00004.jsonl"])
def test_damaged_and_missing_chunks_are_scored_again_and_reported(
    folder: Path, name: str, damage: Callable[[bytes], bytes] | None
) -> None:
    before = files(folder)
    (folder / name).write_bytes(damage(before[name])) if damage else (folder / name).unlink()
    with pytest.warns(SemaWarning, match="is damaged; 1 chunk of its items is scored again"):
        score(folder, resume=True)
    assert files(folder) == before


def test_an_intact_run_is_left_alone(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score(folder, resume=True)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


@pytest.mark.parametrize(("read", "line"), [(Run.texts, 5), (Run.scores, 12), (Run.evidence, 20)])
def test_a_damaged_line_is_named_by_its_place_in_the_file(
    folder: Path, read: Callable[[Run, int], object], line: int
) -> None:
    """Of a chunk of four items of two systems."""
    lines = (folder / "00003.jsonl").read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 4 + 8 + 8
    lines[line - 1] = b"x" * (len(lines[line - 1]) - 1) + b"\n"
    (folder / "00003.jsonl").write_bytes(b"".join(lines))
    run = Run(folder)
    with pytest.raises(InputError, match="is damaged") as caught:
        read(run, 15)
    assert caught.value.line == line


def test_a_changed_sum_is_found_out(folder: Path) -> None:
    """If one digit of a sum is wrong, resuming the run gives a wrong corpus score."""
    chunk = folder / "00002.jsonl"
    before = chunk.read_bytes()
    about, *rows = before.splitlines(keepends=True)
    changed = json.loads(about)
    changed["sums"]["one"]["sema"][0][0] += 1
    chunk.write_bytes(json.dumps(changed, ensure_ascii=False).encode() + b"\n" + b"".join(rows))
    with pytest.warns(SemaWarning, match="1 chunk"):
        score(folder, resume=True)
    assert chunk.read_bytes() == before


def test_a_row_of_other_columns_than_the_sums_is_damaged(folder: Path) -> None:
    chunk = folder / "00002.jsonl"
    lines = chunk.read_bytes().splitlines(keepends=True)
    changed = json.loads(lines[5])
    changed["rows"]["sema"] = [0]
    lines[5] = json.dumps(changed, ensure_ascii=False).encode() + b"\n"
    chunk.write_bytes(b"".join(lines))
    with pytest.raises(InputError, match="is damaged") as caught:
        Run(folder).report()
    assert caught.value.line == 6


def test_the_error_of_a_damaged_line_has_its_cause(folder: Path) -> None:
    (folder / "00000.jsonl").write_bytes(b"{")
    with pytest.raises(InputError, match=r"00000.jsonl:1: is damaged") as caught:
        Run(folder).report()
    assert isinstance(caught.value.__cause__, json.JSONDecodeError)
