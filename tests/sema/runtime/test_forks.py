"""Objects shared by threads work in a forked process, whatever lock another thread held at the fork."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace

import pytest

from sema import Scorer
from sema.runtime import forks
from tests.esperanto import esperanto

TEXTS = ["La kato dormas. Mi vidas domon.", "Li iras."]
SECONDS = 60
"""A copy that hangs is ended after so long."""
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="copies of processes are POSIX's")


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


def hold_all_locks(started: threading.Event, gate: threading.Event) -> None:
    with ExitStack() as stack:
        for lock in forks._LOCKS:
            stack.enter_context(lock)
        started.set()
        gate.wait(2 * SECONDS)


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


def test_a_copy_scores_though_other_threads_held_all_locks() -> None:
    scorer = Scorer(esperanto(), ["sema", "meaning", "sari", "compression"])
    references = [[text] for text in TEXTS]
    scorer.score(TEXTS, TEXTS, references)
    with meanwhile(hold_all_locks):
        assert in_copy(lambda: scorer.score(TEXTS[::-1], TEXTS, references)) == 0


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
