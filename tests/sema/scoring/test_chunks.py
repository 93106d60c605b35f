"""Chunks are read ahead and scored in pieces or by worker processes; none of this changes a result."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from sema import Item, Language, MeanMetric, SceneGraph, Scorer
from sema.errors import ResourceError, UnknownNameError
from sema.scoring import runners
from sema.scoring.chunk import Chunk, make_chunk
from sema.scoring.coerce import Inputs
from sema.scoring.engine import Keep
from sema.scoring.runners import ProcessRunner
from tests.commands import ended, environment, files, start
from tests.esperanto import Extractor, WordCount, esperanto

SIZE = 16
SECONDS = 600
TEXTS = [f"La kato{number}o dormas." for number in range(4 * SIZE)]


class Threaded(Extractor):
    """May be called from several threads, and says what it was asked for."""

    threads = 2
    asked: list[str]

    def __init__(self) -> None:
        self.asked = []
        self.arrived = threading.Condition()

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        with self.arrived:
            self.asked.extend(words[1] for words in sentences)
            self.arrived.notify_all()
        return super().extract(sentences)


def language(extractor: Extractor) -> Language:
    return replace(esperanto(), extractors={"threaded": lambda: extractor})


def at_work() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name.startswith("sema-reading")]


@pytest.fixture(autouse=True)
def nothing_is_left_at_work() -> Iterator[None]:
    yield
    assert at_work() == []


class Watching(MeanMetric):
    """Looks, at the turn of the first chunk, whether the third one comes to be read in time."""

    name = "watching"

    def __init__(self, extractor: Threaded) -> None:
        self.extractor = extractor

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        with self.extractor.arrived:
            read = self.extractor.arrived.wait_for(lambda: f"kato{2 * SIZE}o" in self.extractor.asked, SECONDS)
        return [float(read)] * len(items)


def test_scores_are_those_of_one_thread() -> None:
    outputs = {"a": TEXTS, "b": [*TEXTS[1:], "Hundo kuras. Kato0o dormas."]}
    plain = Scorer(language(Extractor()), ["sema", "samsa", WordCount()]).score(TEXTS, outputs)
    ahead = Scorer(language(Threaded()), ["sema", "samsa", WordCount()]).score(TEXTS, outputs)
    assert ahead == plain


def test_the_next_two_chunks_are_read_while_one_is_scored() -> None:
    extractor = Threaded()
    stream = Scorer(language(extractor), ["sema", Watching(extractor)]).stream(Inputs(TEXTS, {"a": TEXTS}))
    assert next(stream)[0][0].scores["watching"] == 1.0
    assert f"kato{3 * SIZE}o" not in extractor.asked  # and no more than these
    stream.close()


def test_errors_in_making_chunks_are_raised_after_all_earlier_chunks() -> None:
    def chunks() -> Iterator[Chunk]:
        yield make_chunk(0, Inputs(TEXTS[:2], {"a": TEXTS[:2]}))
        yield make_chunk(2, Inputs(TEXTS[2:4], {"a": TEXTS[2:4]}))
        raise OSError("the disk is gone")

    scorer = Scorer(language(Threaded()), ["sema"])
    seen = []
    with pytest.raises(OSError, match="the disk is gone"):
        for part in scorer.runner.map(scorer.engine, chunks(), keep=Keep.NOTHING):
            seen.extend(item.index for item in part[0])
    assert seen == [0, 1, 2, 3]


class Interrupted(MeanMetric):
    name = "interrupted"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        signal.raise_signal(signal.SIGINT)
        return [0.0] * len(items)


def test_an_interrupt_ends_what_reads_ahead() -> None:
    extractor = Threaded()
    heard = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are deaf to Ctrl-C
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            Scorer(language(extractor), ["sema", Interrupted()]).score(TEXTS, TEXTS)
    finally:
        signal.signal(signal.SIGINT, heard)
    assert at_work() == [] and caught.tb is not None, "the traceback still holds what was under way"
    assert f"kato{3 * SIZE}o" not in extractor.asked


def test_progress_comes_in_pieces_that_double_then_by_whole_chunks(tmp_path: Path) -> None:
    scorer, seen = Scorer(esperanto(), ["sema", "sari"]), []
    texts = TEXTS[:23]
    given = texts, {"a": texts[::-1], "b": ["La kato."] * 23}, [[text] for text in texts]
    scorer.write(tmp_path / "whole", *given)
    scorer.write(tmp_path / "pieces", *given, progress=lambda done, total: seen.append(done))
    assert seen == [2, 4, 8, 16, 23]
    assert files(tmp_path / "whole") == files(tmp_path / "pieces")


@pytest.mark.parametrize("count", [1, 3, SIZE, SIZE + 1])
def test_every_number_of_items_is_scored_once(count: int) -> None:
    texts = TEXTS[:count]
    report = Scorer(esperanto(), ["sema"]).score(texts, {"a": texts}, progress=lambda done, total: None)
    assert [item.index for item in report["a"].items] == list(range(count))


# Worker processes: they need no main guard, find new code, and a lost one is one line

ONE_PAIR = ["La kato dormas."], ["La kato."]
SCRIPT = """
import os, signal
from sema import Scorer
from sema.scoring.runners import ProcessRunner
from tests.esperanto import WordCount, esperanto

class Waiting(WordCount):
    def scores(self, items):
        while {waits}:
            os.write(1, b"%d\\n" % os.getpid())
            signal.pause()
        return super().scores(items)

scorer = Scorer(esperanto(), [Waiting()], runner=ProcessRunner({workers}))
print(scorer.score(["La kato dormas."] * 600, ["La kato."] * 600).systems[0].scores["words"])
"""
"""A script without a main guard that scores in worker processes; those that wait say first who they are."""


def script(folder: Path, **how: object) -> subprocess.Popen[str]:
    (folder / "script.py").write_text(SCRIPT.format(**how))
    return start(program=(str(folder / "script.py"),), env=environment())


def test_no_main_guard_is_needed(tmp_path: Path) -> None:
    assert script(tmp_path, waits=False, workers=1).communicate() == ("3.0\n", "")


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waits for processes as Linux can")
@pytest.mark.stress
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent(tmp_path: Path, how: signal.Signals) -> None:
    process = script(tmp_path, waits=True, workers=2)
    assert process.stdout is not None
    pids = [int(process.stdout.readline()) for _ in range(2)]
    process.send_signal(how)
    process.communicate()
    ended(*pids)


def test_workers_find_code_where_this_process_finds_it_by_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "from tests.esperanto import WordCount\nclass Later(WordCount): ...\n"
    (tmp_path / "sema_found_later.py").write_text(code)
    monkeypatch.syspath_prepend(str(tmp_path))
    metric = import_module("sema_found_later").Later()
    report = Scorer(esperanto(), [metric], runner=ProcessRunner(1)).score(*ONE_PAIR)
    assert report.systems[0].scores == {"words": 3.0}


class Deadly(MeanMetric, name="deadly"):
    """Kills the process that computes it."""

    def scores(self, items: list[Item]) -> list[float]:
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError


def test_a_lost_worker_is_one_line_and_the_next_call_works() -> None:
    with pytest.raises(ResourceError, match="a worker process died") as caught:
        Scorer(esperanto(), [Deadly()], runner=ProcessRunner(1)).score(*ONE_PAIR)
    assert "\n" not in str(caught.value)
    report = Scorer(esperanto(), [WordCount()], runner=ProcessRunner(1)).score(*ONE_PAIR)
    assert report.systems[0].scores["words"] == 3


@pytest.mark.parametrize("lost", ["a thread", "torch", "a GPU", "none"])
def test_nothing_is_copied_that_a_copy_would_lose(monkeypatch: pytest.MonkeyPatch, lost: str) -> None:
    plan = runners.worker_plan(Scorer(esperanto(), [WordCount()]).engine)
    runtime = SimpleNamespace(get_available_providers=lambda: ["CUDAExecutionProvider"] if lost == "a GPU" else [])
    monkeypatch.setitem(sys.modules, "onnxruntime", runtime)
    monkeypatch.delitem(sys.modules, "torch", raising=False)
    if lost == "torch":
        monkeypatch.setitem(sys.modules, "torch", SimpleNamespace())
    monkeypatch.setattr(runners, "active_count", lambda: 2 if lost == "a thread" else 1)
    assert not runners._copied(plan), "a program that uses the library may have locks that a copy would keep"
    monkeypatch.setattr(runners, "is_own", lambda: True)
    try:
        copied = lost == "none" and sys.platform == "linux"
        assert (runners._copied(plan), plan in runners._engines) == (copied, copied)
    finally:
        runners._engines.clear()


def test_an_unknown_runner_and_a_missing_package_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownNameError, match="unknown runner 'rya'"):
        runners.make_runner(1, "rya")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ResourceError, match="the Python package 'ray' is missing: pip install ray"):
        Scorer(esperanto(), [WordCount()], runner=runners.make_runner(2, "ray")).score(["La kato."], ["La kato."])
