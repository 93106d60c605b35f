"""Runs that are killed, damaged or fought over: nothing is lost, nothing is scored twice, and no byte differs."""

import json
import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from errno import EACCES
from pathlib import Path
from typing import Any

import pytest

from sema import InputError, Run, Scorer
from sema.errors import SemaWarning
from sema.scoring import run_files
from tests.commands import files
from tests.esperanto import WordCount, esperanto
from tests.sema.scoring.runs_on_disk import CHUNKS, METRICS, OUTPUTS, REFERENCES, SOURCES, score

SIZE = 3
WRITING = {"open", "write", "flush", "truncate", "fsync", "mkdir", "rename", "replace", "unlink", "rmdir", "flock"}
"""What changes files, or is about to: every moment at which an end makes a difference lies before one of these."""


def test_a_run_killed_before_any_write_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """A kill leaves what is on the disk at that moment: each such state is put into a folder, and resumed."""
    folder, states = tmp_path / "whole", []

    def keep(frame: object, event: str, called: Any) -> None:
        if event == "c_call" and called.__name__ in WRITING and not isinstance(called.__self__, str):
            states.append(files(folder))

    sys.setprofile(keep)
    try:
        score(folder, last=4, resume=True)
    finally:
        sys.setprofile(None)
    whole = files(folder)
    different = [state for place, state in enumerate(states) if state not in states[:place]]
    assert len(states) > 30 and len(different) > 12
    for number, state in enumerate(different):
        assert all(state[name] == whole[name] for name in state if name.startswith("0")), "only whole chunks have names"
        run = tmp_path / str(number)
        run.mkdir()
        for name, data in state.items():
            (run / name).write_bytes(data)
        score(run, last=4, resume=True)
        assert files(run) == whole, f"killed when there was {sorted(state)}"


def change_sum(data: bytes) -> bytes:
    """If one digit of a sum were wrong, resuming the run would give a wrong corpus score."""
    first, rest = data.split(b"\n", 1)
    about = json.loads(first)
    about["sums"]["ours"]["words"][0][0] += 1
    return json.dumps(about, ensure_ascii=False).encode() + b"\n" + rest


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut": lambda data: data[: len(data) // 3],
    "without its end": lambda data: data[:-40],
    "flipped": lambda data: data[:500] + bytes([data[500] ^ 1]) + data[501:],
    "lengthened": lambda data: data + b"{}\n",
    "empty": lambda data: b"",
    "moved": lambda data: data.replace(b'"chunk": ', b'"chunk": 1', 1),
    "a sum": change_sum,
}


@pytest.mark.parametrize("damage", [*DAMAGE.values(), None], ids=[*DAMAGE, "missing"])
@pytest.mark.parametrize("kind", ["finished", "unfinished"])
def test_damaged_and_missing_chunks_are_scored_again(
    request: pytest.FixtureRequest, whole: dict[str, bytes], kind: str, damage: Callable[[bytes], bytes] | None
) -> None:
    folder, seen = request.getfixturevalue(kind), []
    for name in CHUNKS if kind == "finished" else CHUNKS[:2]:
        (folder / name).write_bytes(damage(whole[name])) if damage else (folder / name).unlink()
    with warnings.catch_warnings(record=True) as warned:
        score(folder, resume=True, progress=lambda done, total: seen.append(done))
    assert files(folder) == whole and set(seen) == {3, 9, 14}
    told = [str(warning.message) for warning in warned if issubclass(warning.category, SemaWarning)]
    again = [f"{folder}: is damaged; 3 chunks of its items are scored again"]
    assert told == (again if kind == "finished" else [])


def test_an_intact_run_is_left_alone(finished: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in finished.iterdir()}
    score(finished, resume=True)
    assert {path: path.stat().st_mtime_ns for path in finished.iterdir()} == before


def test_a_stopped_run_is_not_finished_and_goes_on_where_it_stopped(unfinished: Path, whole: dict[str, bytes]) -> None:
    seen: list[int] = []
    with pytest.raises(InputError, match="not finished; repeat its command with --resume"):
        Run(unfinished)
    score(unfinished, resume=True, progress=lambda done, total: seen.append(done))
    assert min(seen) > 3 * 4
    assert files(unfinished) == whole


def test_only_one_writes(tmp_path: Path, whole: dict[str, bytes]) -> None:
    """``tests/stress/test_kills.py`` has processes that die: the system releases their locks."""
    folder = tmp_path / "run"

    def second(done: int, total: int) -> None:
        before = files(folder)
        for how in ("resume", "overwrite"):
            with pytest.raises(InputError, match="is being written by another process; wait for it"):
                score(folder, **{how: True})
        assert files(folder) == before

    score(folder, resume=True, progress=second)
    assert files(folder) == whole


LINKS = {name: [[(0, 0)]] * len(SOURCES) for name in OUTPUTS}
CHANGES = {
    "sources": ({}, {"sources": ["Alia.", *SOURCES[1:]]}, "differs in sources; name another"),
    "outputs": ({}, {"outputs": {**OUTPUTS, "ours": SOURCES}}, "differs in outputs; name another"),
    "references": ({}, {"references": [["Mi."]] * len(SOURCES)}, "differs in references; name another"),
    "targets": ({}, {"targets": ["A2"] * len(SOURCES)}, "differs in targets; name another"),
    "links": ({}, {"links": LINKS}, "differs in links; name another"),
    "a metric less": ({"metrics": METRICS[1:]}, {}, "metrics (there: sari, samsa, words; here: samsa, words)"),
    "a metric's option": ({"options": {"sari.lowercase": True}}, {}, "sari.lowercase (there: null; here: true)"),
    "an object's option": ({"metrics": [*METRICS[:2], WordCount(least=3)]}, {}, "words.least (there: 0; here: 3)"),
    "matching": ({"options": {"match.order": "assignment"}}, {}, "match.order (there: null; here: assignment)"),
    "level": ({"level": "passage", "segment": False}, {}, "signature's level (there: sentence; here: passage)"),
    "selection": ({"select_references": (0, 0, 1)}, {}, "select_references (there: null; here: [0, 0, 1])"),
}  # fmt: skip


@pytest.mark.parametrize(("scorer", "given", "said"), CHANGES.values(), ids=CHANGES)
def test_anything_else_that_decides_a_number_is_refused_by_name(
    runs: Path, scorer: dict[str, Any], given: dict[str, Any], said: str
) -> None:
    inputs = {"sources": SOURCES, "outputs": OUTPUTS, "references": REFERENCES, **given}
    own = Scorer(esperanto(), **{"metrics": METRICS, **scorer})
    for folder in (runs / "finished", runs / "unfinished"):
        before = files(folder)
        with pytest.raises(InputError, match=re.escape(said)):
            own.write(folder, **inputs, resume=True)
        assert files(folder) == before


def test_models_and_versions_that_differ_are_named(unfinished: Path) -> None:
    head = json.loads((unfinished / "run.json").read_text("utf-8"))
    run_files.write_head(unfinished, {**head, "decides": {**head["decides"], "signature's sema": "0.1"}})
    with pytest.raises(InputError, match=r"differs in signature's sema \(there: 0.1; here: \S+\)"):
        score(unfinished, resume=True)


def test_a_run_that_may_not_be_read_is_not_called_damaged(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> int:
        raise PermissionError(EACCES, "Permission denied")

    run = Run(finished)
    monkeypatch.setattr(run_files.os, "open", refused)
    with pytest.raises(InputError, match=rf"{CHUNKS[0]}: cannot be read: .*; check its permissions"):
        run.item(0)


def test_a_chunk_of_another_run_is_scored_again(finished: Path, whole: dict[str, bytes], tmp_path: Path) -> None:
    """It is intact and has the same number, items and systems."""
    scorer = Scorer(esperanto(), ["sari", "samsa", WordCount(least=2)])
    scorer.write(tmp_path / "other", SOURCES, OUTPUTS, REFERENCES)
    (finished / CHUNKS[1]).write_bytes((tmp_path / "other" / CHUNKS[1]).read_bytes())
    with pytest.raises(InputError, match=f"{CHUNKS[1]}: is damaged"):
        Run(finished).evidence(6)
    with pytest.warns(SemaWarning, match="1 chunk of its items is scored again"):
        score(finished, resume=True)
    assert files(finished) == whole


def test_options_that_decide_no_number_may_differ(unfinished: Path) -> None:
    def threaded(*, threads: int | None = None) -> Any:
        return esperanto().segmenter()

    scorer = Scorer(replace(esperanto(), segmenter=threaded), METRICS, options={"threads": 2}, workers=1)
    assert scorer.write(unfinished, SOURCES, OUTPUTS, REFERENCES, resume=True).head["finished"]
