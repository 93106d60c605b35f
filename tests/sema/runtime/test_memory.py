"""A process of ours collects garbage rarely and returns freed memory; a user's program is left as it is."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from sema.runtime import memory
from sema.runtime.memory import collector_at_rest

STATUS = Path("/proc/self/status")


def resident() -> int:
    """The resident set, kB."""
    return int(STATUS.read_text().split("VmRSS:")[1].split()[0])


@pytest.fixture(autouse=True)
def afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    gc.collect()
    monkeypatch.setattr(memory, "_last", -memory.SECONDS)
    monkeypatch.setattr(memory, "_ours", False)
    monkeypatch.setattr(memory, "_unseen", 0)
    monkeypatch.setattr(memory, "_most", memory.UNSEEN)
    yield
    gc.unfreeze()


@pytest.mark.skipif(memory._malloc_trim() is None or not STATUS.exists(), reason="needs glibc and Linux")
def test_what_was_freed_between_kept_pieces_goes_back() -> None:
    pieces = [bytearray(60_000) for _ in range(4_000)]
    kept = pieces[::20]
    full = resident()
    del pieces
    memory.give_back()
    assert resident() < full - 150_000
    assert len(kept) == 200


def test_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(memory, "_malloc_trim", lambda: calls.append)
    clock = iter([10.0, 10.5, 10.9, 11.1])
    monkeypatch.setattr(memory.time, "monotonic", lambda: next(clock))
    for _ in range(4):
        memory.give_back()
    assert calls == [0, 0]


def test_a_c_library_that_cannot_return_memory_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    memory._malloc_trim.cache_clear()
    monkeypatch.setattr(memory.ctypes, "CDLL", lambda name: object())
    before = memory._last
    try:
        assert memory._malloc_trim() is None
        memory.give_back()
        assert memory._last == before
    finally:
        memory._malloc_trim.cache_clear()


def test_a_program_that_uses_the_library_keeps_its_own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(memory, "_malloc_trim", lambda: calls.append)
    monkeypatch.setattr(memory, "_ours", False)
    with memory.chunk_memory():
        assert gc.isenabled()
    assert calls == []
    memory.own_process()
    with memory.chunk_memory():
        assert not gc.isenabled()
    assert gc.isenabled()
    assert calls == [0]


class Cycle:
    def __init__(self) -> None:
        self.me = self


def chunk(size: int) -> weakref.ref[Cycle]:
    """A chunk that leaves cycles behind; a reference to the first."""
    with collector_at_rest():
        assert not gc.isenabled()
        found = [Cycle() for _ in range(size)]
        return weakref.ref(found[0])


def test_what_a_chunk_leaves_is_not_looked_at_when_it_is_done() -> None:
    looks: list[int] = []
    gc.callbacks.append(lambda phase, info: looks.append(info["generation"]) if phase == "start" else None)
    try:
        chunk(5_000)
        [[] for _ in range(50)]
    finally:
        gc.callbacks.pop()
    assert looks == []
    assert gc.isenabled()


def test_cycles_are_found_once_there_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_most", 10_000)
    first = chunk(6_000)
    assert first() is not None
    chunk(6_000)
    assert first() is None
    assert memory._most == memory.UNSEEN


def test_where_there_are_none_the_next_look_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_most", 1_000)
    with collector_at_rest():
        kept = [[] for _ in range(5_000)]  # type: list[list[int]]
    assert len(kept) == 5_000
    assert (memory._most, memory._unseen) == (2_000, 0)


def test_what_others_have_frozen_stays_frozen() -> None:
    gc.freeze()
    before = gc.get_freeze_count()
    chunk(100)
    assert gc.get_freeze_count() > 0.9 * before > 0  # some of them may be freed meanwhile


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        chunk(100)
        assert not gc.isenabled()
    finally:
        gc.enable()
