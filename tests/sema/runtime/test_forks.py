"""Objects shared by threads work in a forked process, whatever lock another thread held at the fork."""

import os
import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack
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


class Waiting:
    """Its value is computed once a gate is open."""

    def __init__(self, gate: threading.Event) -> None:
        self.begun, self._gate = threading.Event(), gate

    @cached_property
    def value(self) -> int:
        self.begun.set()
        self._gate.wait(SECONDS)
        return 1


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
    shut, opened = threading.Event(), threading.Event()
    opened.set()
    slow, quick = Waiting(shut), Waiting(opened)
    thread = threading.Thread(target=lambda: slow.value)
    thread.start()
    assert slow.begun.wait(SECONDS)
    other = threading.Thread(target=lambda: quick.value, daemon=True)
    other.start()
    other.join(SECONDS / 6)
    waits = other.is_alive()
    shut.set()
    thread.join()
    assert not waits


@pytest.mark.skipif(not hasattr(os, "fork"), reason="copies of processes are POSIX's")
@pytest.mark.parametrize("make", [threading.RLock, threading.Lock, partial(threading.Semaphore, 1)])
def test_a_lock_that_another_thread_holds_is_free_in_a_copy(make: Callable[[], object]) -> None:
    lock = SharedLock(make)  # type: ignore[arg-type]
    holding(lambda: in_copy(lambda: lock.__enter__()), lock)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="copies of processes are POSIX's")
def test_a_copy_scores_though_other_threads_held_all_locks() -> None:
    scorer = Scorer(esperanto(), ["sema", "meaning", "sari", "compression"])
    references = [[text] for text in TEXTS]
    scorer.score(TEXTS, TEXTS, references)
    holding(lambda: in_copy(lambda: scorer.score(TEXTS[::-1], TEXTS, references)), *list(forks._LOCKS))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="copies of processes are POSIX's")
def test_a_copy_builds_parts_while_another_thread_builds_them() -> None:
    language, built = esperanto(), threading.Event()
    gate = threading.Event()

    def slow() -> object:
        built.set()
        gate.wait(SECONDS)
        return language.segmenter()  # type: ignore[operator]

    waiting = Scorer(replace(language, segmenter=slow), ["compression"])
    thread = threading.Thread(target=lambda: waiting.score(TEXTS, TEXTS))
    thread.start()
    assert built.wait(SECONDS)
    try:
        assert in_copy(lambda: Scorer(esperanto(), ["compression"]).score(TEXTS, TEXTS)) == 0
    finally:
        gate.set()
        thread.join()


def holding(work: Callable[[], int], *locks: SharedLock) -> None:
    """Work that ends well while another thread holds locks."""
    held, gate = threading.Event(), threading.Event()

    def hold() -> None:
        with ExitStack() as stack:
            for lock in locks:
                stack.enter_context(lock)
            held.set()
            gate.wait(2 * SECONDS)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(SECONDS)
    try:
        assert work() == 0
    finally:
        gate.set()
        thread.join()
