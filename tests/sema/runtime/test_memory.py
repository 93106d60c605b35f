"""A process of ours collects garbage rarely and returns freed memory; a user's program is left as it is."""

import gc
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sema.runtime import memory
from tests.commands import environment
from tests.conftest import COLLECTOR

STATUS = Path("/proc/self/status")


def resident() -> int:
    """The resident set, kB."""
    return int(STATUS.read_text().split("VmRSS:")[1].split()[0])


@pytest.fixture(autouse=True, scope="module")
def nothing_else_is_looked_at() -> Iterator[None]:
    """What other tests have left takes most of a second to look through."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    gc.collect()
    monkeypatch.setattr(memory, "_last", -memory.SECONDS)
    monkeypatch.setattr(memory, "_ours", False)
    monkeypatch.setattr(memory, "_ONE_HEAP", (-8, 0))  # as it was: other tests run in this process
    before = gc.get_threshold()
    gc.set_threshold(*COLLECTOR)
    yield
    gc.set_threshold(*before)


@pytest.mark.skipif(memory._of_glibc("malloc_trim") is None or not STATUS.exists(), reason="needs glibc and Linux")
def test_freed_memory_between_kept_pieces_is_returned() -> None:
    memory.own_process()
    pieces = [bytearray(60_000) for _ in range(4_000)]
    kept = pieces[::20]
    full = resident()
    del pieces
    memory.give_back()
    assert resident() < full - 150_000
    assert len(kept) == 200


def test_memory_is_given_back_at_most_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(memory, "_of_glibc", {"malloc_trim": calls.append}.get)
    clock = iter([10.0, 10.5, 10.9, 11.1])
    monkeypatch.setattr(memory.time, "monotonic", lambda: next(clock))
    memory.own_process()
    for _ in range(4):
        memory.give_back()
    assert calls == [0, 0]


def test_a_c_library_that_cannot_return_memory_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    memory._of_glibc.cache_clear()
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda name: object())
    memory.own_process()
    before = memory._last
    try:
        assert memory._of_glibc("malloc_trim") is None
        memory.give_back()
        assert memory._last == before
    finally:
        memory._of_glibc.cache_clear()


def test_a_program_that_uses_the_library_keeps_its_own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(memory, "_of_glibc", {"malloc_trim": calls.append}.get)
    before = gc.get_threshold()
    memory.give_back()
    assert calls == [] and gc.get_threshold() == before
    memory.own_process()
    memory.give_back()
    assert calls == [0] and gc.get_threshold()[0] == memory.YOUNG


def test_a_program_collects_rarely_during_calls_and_as_before_after_the_last() -> None:
    before = gc.get_threshold()
    first, second = memory.reduced_gc(), memory.reduced_gc()
    with first:
        with second:
            assert gc.get_threshold() == (memory.GUEST, *before[1:])
        assert gc.get_threshold()[0] == memory.GUEST
    assert gc.get_threshold() == before


@pytest.mark.parametrize("own", [(0, 10, 10), (memory.GUEST + 1, 5, 5)])
def test_what_a_program_has_set_stays(own: tuple[int, int, int]) -> None:
    gc.set_threshold(*own)
    with memory.reduced_gc():
        assert gc.get_threshold() == own
    assert gc.get_threshold() == own


def test_what_a_program_sets_during_a_call_stays() -> None:
    with memory.reduced_gc():
        gc.set_threshold(123, 4, 5)
    assert gc.get_threshold() == (123, 4, 5)


def test_a_call_that_fails_leaves_the_collector_as_it_was() -> None:
    before = gc.get_threshold()
    with pytest.raises(ValueError), memory.reduced_gc():
        raise ValueError
    assert gc.get_threshold() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_copy_made_during_a_call_of_another_thread_collects_as_before() -> None:
    before = gc.get_threshold()
    with memory.reduced_gc():
        if (child := os.fork()) == 0:
            with memory.reduced_gc():
                pass
            os._exit(gc.get_threshold() != before)
        assert os.waitpid(child, 0)[1] == 0


HEAPS = """
import ctypes, sys, threading
from sema.runtime.memory import own_process
if "own" in sys.argv:
    own_process()
ready = threading.Barrier(5)
def work():
    kept = [bytes(4000) for _ in range(100)]
    ready.wait()
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
ready.wait()
c = ctypes.CDLL(None)
c.fdopen.restype = ctypes.c_void_p
stream = ctypes.c_void_p(c.fdopen(1, b"w"))
c.malloc_info(0, stream)
c.fflush(stream)
"""


@pytest.mark.skipif(memory._of_glibc("malloc_info") is None, reason="needs glibc")
def test_threads_share_a_heap_in_a_process_of_ours_alone() -> None:
    default = {"MALLOC_ARENA_MAX": "8", "GLIBC_TUNABLES": ""}

    def heaps(*words: str) -> int:
        command = [sys.executable, "-c", HEAPS, *words]
        run = subprocess.run(command, capture_output=True, text=True, env=environment(**default))
        assert run.returncode == 0, run.stderr
        return run.stdout.count("<heap nr=")

    assert heaps() > 1
    assert heaps("own") == 1
