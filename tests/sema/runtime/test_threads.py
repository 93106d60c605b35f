"""Caches that count bytes, batches, and forks: everything is done once, and no lock keeps others waiting."""

import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from unittest.mock import MagicMock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema import Scorer
from sema.runtime import forks
from sema.runtime.batching import batches, equal_batches, padded
from sema.runtime.caching import BUDGET
from sema.runtime.forks import SharedLock
from sema.runtime.onnx import onnx_runtime
from sema.runtime.threads import ahead
from tests.esperanto import Extractor, esperanto
from tests.marking_reader import Marks

SIZES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), max_size=40)


@given(SIZES)
def test_every_entry_is_in_one_batch_and_every_batch_fits(sizes: list[tuple[int, int]]) -> None:
    def fits(count: int, size: tuple[int, ...]) -> bool:
        return count * size[0] * size[1] <= 200

    grouped = batches(sizes, fits)
    assert sorted(index for batch in grouped for index in batch) == list(range(len(sizes)))
    for batch in grouped:
        widest = tuple(max(sizes[index][side] for index in batch) for side in (0, 1))
        assert len(batch) == 1 or fits(len(batch), widest)
    assert [sizes[index] for batch in grouped for index in batch] == sorted(sizes)


@given(st.lists(st.integers(1, 50), max_size=30))
def test_a_batch_has_entries_of_one_padded_size(sizes: list[int]) -> None:
    grouped = equal_batches(sizes, 100)
    assert sorted(index for group in grouped for index in group) == list(range(len(sizes)))
    for group in grouped:
        (size,) = {padded(sizes[index]) for index in group}
        assert len(group) == 1 or len(group) * size <= 100


def test_telemetry_is_off_wherever_the_runtime_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    assert hasattr(onnx_runtime(), "InferenceSession")
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"


class Ahead:
    """A part that counts how often it was asked to load ahead."""

    def __init__(self) -> None:
        self.asked = 0

    def load_ahead(self) -> None:
        self.asked += 1


class AheadExtractor(Ahead, Extractor):
    """An extractor that does so."""


class AheadReader(Ahead, Marks):
    """A reader that does so."""

    def __init__(self) -> None:
        Ahead.__init__(self)
        Marks.__init__(self)


@pytest.mark.parametrize(("output", "reads"), [("La kato dormas.", 0), ("La kato sidas.", 1)])
def test_networks_that_the_first_texts_need_load_ahead_and_once(output: str, reads: int) -> None:
    extractor, reader = AheadExtractor(), AheadReader()
    language = replace(esperanto(), cross_encoder=lambda: reader)
    scorer = Scorer(language, ["meaning", "sema"], extractor=extractor)
    for _ in range(2):
        scorer.score(["La kato dormas."], [output])
    assert (extractor.asked, reader.asked) == (1, reads)


def test_what_fails_to_load_ahead_fails_where_it_is_needed() -> None:
    def load() -> None:
        called.set()
        raise ValueError

    called = threading.Event()
    ahead(load)  # pytest makes an error of what a thread raises
    assert called.wait(SECONDS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Thread, "start", MagicMock(side_effect=RuntimeError("can't start new thread")))
        ahead(load)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="copies of processes are POSIX's")
def test_a_fork_waits_for_what_loads_ahead() -> None:
    loaded = threading.Event()
    ahead(lambda: time.sleep(0.2) or loaded.set())
    if not (child := os.fork()):
        os._exit(not loaded.is_set())
    assert os.waitpid(child, 0)[1] == 0


# A forked process works, whatever lock another thread held at the fork

TEXTS = ["La kato dormas. Mi vidas domon.", "Li iras."]
SECONDS = 60
"""A copy that hangs is ended after so long."""


def test_a_lock_arrives_open_in_another_process() -> None:
    lock = SharedLock(threading.Lock)
    with lock:
        arrived = pickle.loads(pickle.dumps(lock))
    with lock, arrived:
        assert arrived._lock.locked()


@contextmanager
def held(*locks: SharedLock) -> Iterator[None]:
    """Another thread holds some locks meanwhile."""
    started, gate = threading.Event(), threading.Event()

    def hold() -> None:
        with ExitStack() as stack:
            for lock in locks:
                stack.enter_context(lock)
            started.set()
            gate.wait(2 * SECONDS)

    thread = threading.Thread(target=hold)
    thread.start()
    assert started.wait(SECONDS)
    try:
        yield
    finally:
        gate.set()
        thread.join()


def in_copy(work: Callable[[], object]) -> int:
    """The status of a copy of this process that works and ends."""
    child = os.fork()
    if not child:
        signal.alarm(SECONDS)
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="copies of processes are POSIX's")
def test_a_copy_scores_though_other_threads_held_all_locks() -> None:
    scorer = Scorer(esperanto(), ["sema", "meaning", "sari", "compression"])
    references = [[text] for text in TEXTS]
    scorer.score(TEXTS, TEXTS, references)
    with held(*forks._LOCKS):
        assert in_copy(lambda: scorer.score(TEXTS[::-1], TEXTS, references)) == 0


# Caches


def test_long_texts_take_no_more_than_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    BUDGET.empty()
    monkeypatch.setattr(BUDGET, "limit", 4 << 20)
    scorer = Scorer(esperanto(), ["sari", "bleu", "ibleu"])
    for number in range(4):
        text = " ".join(f"word{place}of{number}" for place in range(1_500))
        scorer.score([text], [text], [[text]], keep_items=False)
        assert 0 < BUDGET.used <= BUDGET.limit
    BUDGET.empty()
