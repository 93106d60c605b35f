"""Objects shared by threads work in a forked process, whatever lock another thread held at the fork."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial

import pytest

from sema import Scorer
from sema.runtime import forks
from sema.runtime.forks import SharedLock, cached_property
from tests.esperanto import esperanto

TEXTS = ["La kato dormas. Mi vidas domon.", "Li iras."]
SECONDS = 60
"""A copy that hangs is ended after so long."""
FORKS = pytest.mark.skipif(not hasattr(os, "fork"), reason="copies of processes are POSIX's")


class Waiting:
    """Its value is computed once a gate is open."""

    def __init__(self, gate: threading.Event) -> None:
        self.started, self._gate = threading.Event(), gate

    @cached_property
    def value(self) -> int:
        self.started.set()
        self._gate.wait(2 * SECONDS)
        return 1


@contextmanager
def meanwhile(work: Callable[[threading.Event, threading.Event], object]) -> Iterator[None]:
    """Work goes on in another thread: it sets the first event when it starts, and ends after the second."""
    started, gate = threading.Event(), threading.Event()
    thread = threading.Thread(target=work, args=(started, gate))
    thread.start()
    assert started.wait(SECONDS)
    try:
        yield
    finally:
        gate.set()
        thread.join()


def hold(*locks: SharedLock) -> Callable[[threading.Event, threading.Event], None]:
    def work(started: threading.Event, gate: threading.Event) -> None:
        with ExitStack() as stack:
            for lock in locks:
                stack.enter_context(lock)
            started.set()
            gate.wait(2 * SECONDS)

    return work


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


def test_objects_of_one_class_do_not_wait_for_each_other() -> None:
    def slow(started: threading.Event, gate: threading.Event) -> None:
        waiting = Waiting(gate)
        waiting.started = started
        assert waiting.value == 1

    with meanwhile(slow):
        opened = threading.Event()
        opened.set()
        quick = Waiting(opened)
        other = threading.Thread(target=lambda: quick.value, daemon=True)
        other.start()
        other.join(SECONDS / 6)
        assert not other.is_alive()


@FORKS
@pytest.mark.parametrize("make", [threading.RLock, threading.Lock, partial(threading.Semaphore, 1)])
def test_a_lock_that_another_thread_holds_is_free_in_a_copy(make: Callable[[], object]) -> None:
    lock = SharedLock(make)
    with meanwhile(hold(lock)):
        assert in_copy(lambda: lock.__enter__()) == 0


@FORKS
def test_a_copy_scores_though_other_threads_held_all_locks() -> None:
    scorer = Scorer(esperanto(), ["sema", "meaning", "sari", "compression"])
    references = [[text] for text in TEXTS]
    scorer.score(TEXTS, TEXTS, references)
    with meanwhile(hold(*forks._LOCKS)):
        assert in_copy(lambda: scorer.score(TEXTS[::-1], TEXTS, references)) == 0


@FORKS
def test_a_copy_builds_parts_while_another_thread_builds_them() -> None:
    language = esperanto()

    def build(started: threading.Event, gate: threading.Event) -> None:
        def slow() -> object:
            started.set()
            gate.wait(2 * SECONDS)
            return language.segmenter()

        Scorer(replace(language, segmenter=slow), ["compression"]).score(TEXTS, TEXTS)

    with meanwhile(build):
        assert in_copy(lambda: Scorer(esperanto(), ["compression"]).score(TEXTS, TEXTS)) == 0
