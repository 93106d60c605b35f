"""Runs that are killed, cut off or fought over: nothing is lost, nothing is scored twice, not one byte is other."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sema import InputError, Run, Scorer
from sema.scoring import scorer as scorer_module
from tests.commands import environment, files
from tests.esperanto import WordCount, esperanto

SOURCES = [f"La {'bela ' * (number % 3)}kato dormas. Mi vidas {number} domojn." for number in range(40)] + [""]
OUTPUTS = {"ours": [text.replace("bela ", "") for text in SOURCES], "copy": SOURCES}
REFERENCES = [[text or "Mi."] for text in SOURCES]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(scorer_module.CHUNK, "sentence", 3)
    yield


def score(
    folder: Path, *, resume: bool = True, progress: Callable[[int, int], None] | None = None, last: int = len(SOURCES)
) -> None:
    """Score so many of the last items."""
    scorer = Scorer(esperanto(), ["sari", "samsa", WordCount()])
    outputs = {name: texts[-last:] for name, texts in OUTPUTS.items()}
    scorer.write(folder, SOURCES[-last:], outputs, REFERENCES[-last:], resume=resume, progress=progress)


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, bytes]:
    score(tmp_path / "whole")
    return files(tmp_path / "whole")


WRITING = {"open", "write", "flush", "truncate", "fsync", "mkdir", "rename", "replace", "unlink", "rmdir", "flock"}
"""What changes files, or is about to: every moment at which an end makes a difference lies before one of these."""


def killed_before(folder: Path, call: int) -> int:
    """Score in a process that is killed before so many of these calls, if it comes to that; how many it made."""
    here, there = os.pipe()
    if not (child := os.fork()):
        calls = 0

        def count(frame: object, event: str, called: Any) -> None:
            nonlocal calls
            if event == "c_call" and called.__name__ in WRITING and not isinstance(called.__self__, str):
                calls += 1
                if calls == call:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(count)
        try:
            score(folder, last=4)
        finally:
            sys.setprofile(None)
            os.write(there, b"%d" % calls)
            os._exit(0)
    os.close(there)
    with open(here, "rb") as told:
        made = int(told.read() or call)
    os.waitpid(child, 0)
    return made


def kill_before_every_write(folder: Path) -> None:
    """Score once for each call, killed before it; every run goes on to the same bytes."""
    scorer_module.CHUNK["sentence"] = 3
    score(folder / "whole", last=4)
    whole = files(folder / "whole")
    calls = killed_before(folder / "counted", 0)
    for call in range(1, calls + 1):
        run = folder / f"run{call}"
        assert killed_before(run, call) == call
        score(run, last=4)
        assert files(run) == whole, f"killed before call {call} of {calls}"
    print(calls)


def test_a_run_killed_before_any_write_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """In a process of its own: copies of a small one are made soon."""
    program = "import pathlib, sys; from tests.sema.scoring import test_resume as tests"
    program += "; tests.kill_before_every_write(pathlib.Path(sys.argv[1]))"
    command = [sys.executable, "-c", program, str(tmp_path)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 30


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("items.jsonl", b'{"system": "ours", "item'),
        ("evidence.jsonl", b"\0" * 4000),
        ("chunks.jsonl", b'{"end": 9, "ends": {"items.jsonl'),
        ("chunks.jsonl", b'{"end": 9, "ends": {}, "sha256": {}, "failed": 0}\n'),
    ],
)
def test_half_written_rows_are_dropped(tmp_path: Path, whole: dict[str, bytes], name: str, damage: bytes) -> None:
    folder = stopped(tmp_path, after=4)
    with (folder / "parts" / name).open("ab") as file:
        file.write(damage)
    score(folder)
    assert files(folder) == whole


@pytest.mark.parametrize("name", ["items.jsonl", "texts.jsonl", "evidence.jsonl"])
def test_a_chunk_that_the_disk_lost_is_scored_again(tmp_path: Path, whole: dict[str, bytes], name: str) -> None:
    folder = stopped(tmp_path, after=4)
    part = folder / "parts" / name
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    score(folder)
    assert files(folder) == whole
    shutil.rmtree(folder)
    os.truncate(stopped(tmp_path, after=4) / "parts" / name, len(data) // 3)
    score(folder)
    assert files(folder) == whole


def stopped(tmp_path: Path, after: int) -> Path:
    """A run that was stopped after so many chunks."""
    folder = tmp_path / "run"

    def stop(done: int, total: int) -> None:
        if done >= 3 * after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score(folder, resume=False, progress=stop)
    return folder


@pytest.mark.parametrize("after", [1, 2, 4])
def test_a_stopped_run_is_not_finished_and_goes_on_where_it_stopped(
    tmp_path: Path, whole: dict[str, bytes], after: int
) -> None:
    folder, seen = stopped(tmp_path, after), []
    with pytest.raises(InputError, match="not finished"):
        Run(folder)
    score(folder, progress=lambda done, total: seen.append(done))
    assert min(seen) > 3 * after
    assert files(folder) == whole


@pytest.mark.parametrize("named", range(5))
def test_an_end_while_files_take_their_names(
    tmp_path: Path, whole: dict[str, bytes], named: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, calls = Path.rename, 0

    def rename(self: Path, target: Path) -> Path:
        nonlocal calls
        calls += 1
        if calls > named:
            raise KeyboardInterrupt
        return plain(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", rename)
        if named < 4:
            with pytest.raises(KeyboardInterrupt):
                score(tmp_path / "run")
        else:
            score(tmp_path / "run")
    score(tmp_path / "run")
    assert files(tmp_path / "run") == whole


def test_an_end_before_the_run_began_leaves_nothing_in_the_way(tmp_path: Path, whole: dict[str, bytes]) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / ".lock").touch()
    (folder / ".run.json.123.new").write_text("{")
    score(folder, resume=False)
    assert files(folder) == whole


def test_only_one_process_writes_and_a_dead_one_locks_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    here, there = os.pipe()
    child = os.fork()
    if not child:
        scorer = Scorer(esperanto(), [WordCount()])
        scorer.write(folder, SOURCES, OUTPUTS, progress=lambda done, total: (os.write(there, b"x"), signal.pause())[1])
    os.read(here, 1)
    scorer = Scorer(esperanto(), [WordCount()])
    with pytest.raises(InputError, match="is being written by another process; wait for it"):
        scorer.write(folder, SOURCES, OUTPUTS, resume=True)
    with pytest.raises(InputError, match="exists already"):
        scorer.write(folder, SOURCES, OUTPUTS)
    written = files(folder)
    with pytest.raises(InputError, match="is being written by another process; wait for it"):
        scorer.write(folder, SOURCES, OUTPUTS, overwrite=True)
    assert files(folder) == written
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    run = scorer.write(folder, SOURCES, OUTPUTS, resume=True)
    assert run.summary.items == len(SOURCES)


def test_changes_are_named(tmp_path: Path) -> None:
    folder = stopped(tmp_path, after=2)

    def refused(message: str, scorer: Scorer, sources: list[str] = SOURCES) -> None:
        systems = {"ours": OUTPUTS["ours"], "copy": SOURCES}
        with pytest.raises(InputError, match=message) as caught:
            scorer.write(folder, sources, systems, REFERENCES, resume=True)
        assert "\n" not in str(caught.value)

    same = ["sari", "samsa", WordCount()]
    refused("other inputs", Scorer(esperanto(), same), ["Alia.", *SOURCES[1:]])
    other = Scorer(esperanto(), same, options={"sari.lowercase": True})
    refused(r"other options, models or version \(there sari:", other)
    refused("other options, models or version", Scorer(esperanto(), same, level="passage", segment=False))


def test_a_saved_run_has_the_scores_of_the_report_to_the_last_bit(tmp_path: Path) -> None:
    score(tmp_path / "run")
    scorer = Scorer(esperanto(), ["sari", "samsa", WordCount()])
    report = scorer.score(SOURCES, OUTPUTS, REFERENCES, collect_errors=True)
    assert Run(tmp_path / "run").summary == report.summary
    assert Run(tmp_path / "run").report([WordCount()]) == report
    lean = scorer.score(SOURCES, OUTPUTS, REFERENCES, collect_errors=True, keep_items=False)
    assert lean == report
