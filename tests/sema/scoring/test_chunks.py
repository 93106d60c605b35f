"""Chunks are read ahead and scored in pieces or by worker processes; none of this changes a result."""

import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from sema import Item, Language, MeanMetric, SceneGraph, Scorer
from sema.errors import ResourceError
from sema.scoring import runners
from sema.scoring.coerce import Inputs
from sema.scoring.runners import ProcessRunner
from tests.commands import environment, files, start
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
from sema import Scorer
from sema.scoring.runners import ProcessRunner
from tests.esperanto import WordCount, esperanto

scorer = Scorer(esperanto(), [WordCount()], runner=ProcessRunner(1))
print(scorer.score(["La kato dormas."] * 600, ["La kato."] * 600).systems[0].scores["words"])
"""


def test_no_main_guard_is_needed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    assert start(program=(str(script),), env=environment()).communicate() == ("3.0\n", "")


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
