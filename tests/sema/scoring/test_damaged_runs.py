"""A finished run whose files were damaged: found out by length and digest, scored again, and said."""

import json
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


@pytest.mark.parametrize("damage", [cut, flip, lengthen, None])
@pytest.mark.parametrize("name", ["evidence.jsonl", "items.jsonl", "texts.jsonl", "chunks.jsonl"])
def test_damaged_and_missing_items_are_scored_again_and_reported(
    folder: Path, name: str, damage: Callable[[bytes], bytes] | None
) -> None:
    before = files(folder)
    (folder / name).write_bytes(damage(before[name])) if damage else (folder / name).unlink()
    with pytest.warns(SemaWarning, match="is damaged; items from number" if damage else "is damaged"):
        score(folder, resume=True)
    assert files(folder) == before


def test_an_intact_run_is_left_alone(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score(folder, resume=True)
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


@pytest.mark.parametrize(("name", "line"), [("evidence.jsonl", 31), ("items.jsonl", 31), ("texts.jsonl", 16)])
def test_a_damaged_line_is_named_by_its_place_in_the_file(folder: Path, name: str, line: int) -> None:
    lines = (folder / name).read_bytes().splitlines(keepends=True)
    lines[line - 1] = b"x" * (len(lines[line - 1]) - 1) + b"\n"
    (folder / name).write_bytes(b"".join(lines))
    run = Run(folder)
    read = {"evidence.jsonl": run.evidence, "items.jsonl": run.scores, "texts.jsonl": run.texts}[name]
    with pytest.raises(InputError) as caught:
        read(15)
    assert caught.value.line == line


def test_a_changed_sum_is_found_out_and_a_run_without_digests_of_sums_is_read(folder: Path) -> None:
    """If one digit of a sum is wrong, resuming the run gives a wrong corpus score."""
    manifest = folder / "chunks.jsonl"
    before = manifest.read_bytes()
    rows = [json.loads(line) for line in before.splitlines()]
    rows[2]["sums"]["one"]["sema"][0][0] += 1
    manifest.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    with pytest.warns(SemaWarning, match="items from number 8 on"):
        score(folder, resume=True)
    assert manifest.read_bytes() == before
    for row in (rows := [json.loads(line) for line in before.splitlines()]):
        del row["check"]
    manifest.write_bytes(b"".join(json.dumps(row).encode() + b"\n" for row in rows))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        score(folder, resume=True)


def test_the_error_of_a_damaged_line_has_its_cause(folder: Path) -> None:
    (folder / "items.jsonl").write_bytes(b"{")
    with pytest.raises(InputError, match=r"items.jsonl:1: is damaged") as caught:
        Run(folder).report()
    assert isinstance(caught.value.__cause__, json.JSONDecodeError)
