"""Runs that are killed, cut off or fought over: nothing is lost, nothing is scored twice, and no byte differs."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
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


@pytest.mark.parametrize("name", ["run.json", "00000.jsonl", "00004.jsonl"])
def test_half_written_files_are_dropped(tmp_path: Path, whole: dict[str, bytes], name: str) -> None:
    folder = stopped(tmp_path, after=4)
    (folder / f".{name}.0123abcd.new").write_bytes(whole[name][:100])
    score(folder)
    assert files(folder) == whole


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[: len(data) // 3],
        lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :],
        lambda data: data + b"{}\n",
        lambda data: b"\0" * len(data),
        lambda data: b"",
        lambda data: data.replace(b'"start": 6', b'"start": 0'),
    ],
    ids=["cut", "flipped", "lengthened", "zeros", "empty", "moved"],
)
def test_a_chunk_that_the_disk_lost_is_scored_again(
    tmp_path: Path, whole: dict[str, bytes], damage: Callable[[bytes], bytes]
) -> None:
    folder, seen = stopped(tmp_path, after=4), []
    (folder / "00002.jsonl").write_bytes(damage(whole["00002.jsonl"]))
    score(folder, progress=lambda done, total: seen.append(done))
    assert files(folder) == whole
    assert seen[:2] == [9, 15]  # only the damaged chunk, and those that were not scored


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


@pytest.mark.parametrize("named", range(16))
def test_an_end_at_any_file_loses_at_most_this_file(
    tmp_path: Path, whole: dict[str, bytes], named: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, calls = os.replace, 0

    def replace(*names: str, **folders: int) -> None:
        nonlocal calls
        calls += 1
        if calls > named:
            raise KeyboardInterrupt
        plain(*names, **folders)

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", replace)
        with pytest.raises(KeyboardInterrupt):
            score(tmp_path / "run")
    kept = files(tmp_path / "run")
    assert len(kept) == named and all(kept[name] == whole[name] for name in kept.keys() - {"run.json"})
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


SAME: list[str | WordCount] = ["sari", "samsa", WordCount()]
CHANGES = {
    "sources": ({}, {"sources": ["Alia.", *SOURCES[1:]]}, "differs in sources; name another"),
    "outputs": ({}, {"outputs": {**OUTPUTS, "ours": SOURCES}}, "differs in outputs; name another"),
    "references": ({}, {"references": [["Mi."]] * len(SOURCES)}, "differs in references; name another"),
    "targets": ({}, {"targets": ["A2"] * len(SOURCES)}, "differs in targets; name another"),
    "links": ({}, {"links": {name: [[(0, 0)]] * len(SOURCES) for name in OUTPUTS}}, "differs in links; name another"),
    "systems": ({}, {"outputs": {"other": OUTPUTS["ours"], "copy": SOURCES}}, "differs in outputs; name another"),
    "a metric more": ({"metrics": [*SAME, "splits"]}, {}, "samsa, words; here: sari, samsa, words, splits)"),
    "a metric less": ({"metrics": SAME[1:]}, {}, "metrics (there: sari, samsa, words; here: samsa, words)"),
    "a metric's option": ({"options": {"sari.lowercase": True}}, {}, "sari.lowercase (there: null; here: true)"),
    "an object's option": ({"metrics": [*SAME[:2], WordCount(least=3)]}, {}, "words.least (there: 0; here: 3)"),
    "matching": ({"options": {"match.order": "assignment"}}, {}, "match.order (there: null; here: assignment)"),
    "level": ({"level": "passage", "segment": False}, {}, "level (there: sentence; here: passage)"),
    "selection": ({"select_references": (0, 0, 1)}, {}, "select_references (there: null; here: [0, 0, 1])"),
}  # fmt: skip


@pytest.mark.parametrize("finished", [False, True], ids=["unfinished", "finished"])
@pytest.mark.parametrize(("scorer", "given", "said"), CHANGES.values(), ids=CHANGES)
def test_anything_else_that_decides_a_number_is_refused_by_name(
    tmp_path: Path, scorer: dict[str, Any], given: dict[str, Any], said: str, finished: bool
) -> None:
    folder = tmp_path / "run"
    if finished:
        score(folder)
    else:
        stopped(tmp_path, after=2)
    before = files(folder)
    inputs = {"sources": SOURCES, "outputs": OUTPUTS, "references": REFERENCES, **given}
    with pytest.raises(InputError) as caught:
        Scorer(esperanto(), **{"metrics": SAME, **scorer}).write(folder, **inputs, resume=True)
    assert said in str(caught.value) and "\n" not in str(caught.value)
    assert files(folder) == before


def test_models_versions_and_scenes_that_differ_are_named(tmp_path: Path) -> None:
    folder = stopped(tmp_path, after=2)
    head = json.loads((folder / "run.json").read_text("utf-8"))
    (folder / "run.json").write_text(json.dumps({**head, "signature": f"{head['signature']}x"}), "utf-8")
    with pytest.raises(InputError, match=r"differs in models or version \(there: sema:\S+x; here: sema:\S+\)"):
        score(folder)
    (folder / "run.json").write_text(json.dumps({**head, "inputs": {**head["inputs"], "scenes": "0" * 64}}), "utf-8")
    with pytest.raises(InputError, match="differs in scenes; name another"):
        score(folder)


def test_options_that_decide_no_number_may_differ(tmp_path: Path) -> None:
    folder = stopped(tmp_path, after=2)

    def threaded(*, threads: int | None = None) -> Any:
        return esperanto().segmenter()

    scorer = Scorer(replace(esperanto(), segmenter=threaded), SAME, options={"threads": 2}, workers=1)
    assert scorer.write(folder, SOURCES, OUTPUTS, REFERENCES, resume=True).head["finished"]


def test_a_saved_run_has_the_scores_of_the_report_to_the_last_bit(tmp_path: Path) -> None:
    score(tmp_path / "run")
    scorer = Scorer(esperanto(), ["sari", "samsa", WordCount()])
    report = scorer.score(SOURCES, OUTPUTS, REFERENCES, collect_errors=True)
    assert Run(tmp_path / "run").summary == report.summary
    assert Run(tmp_path / "run").report([WordCount()]) == report
    lean = scorer.score(SOURCES, OUTPUTS, REFERENCES, collect_errors=True, keep_items=False)
    assert lean == report
