"""The garbage collector rests while chunks are scored, loses nothing by it, and leaves others' settings as they are."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from sema.scoring import collector
from sema.scoring.collector import collector_at_rest


@pytest.fixture(autouse=True)
def afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    gc.collect()
    monkeypatch.setattr(collector, "_unseen", 0)
    monkeypatch.setattr(collector, "_most", collector.UNSEEN)
    yield
    gc.unfreeze()


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
    monkeypatch.setattr(collector, "_most", 10_000)
    first = chunk(6_000)
    assert first() is not None
    chunk(6_000)
    assert first() is None
    assert collector._most == collector.UNSEEN


def test_where_there_are_none_the_next_look_comes_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "_most", 1_000)
    with collector_at_rest():
        kept = [[] for _ in range(5_000)]  # type: list[list[int]]
    assert len(kept) == 5_000
    assert (collector._most, collector._unseen) == (2_000, 0)


def test_what_others_have_frozen_stays_frozen() -> None:
    gc.freeze()
    before = gc.get_freeze_count()
    chunk(100)
    assert gc.get_freeze_count() == before > 0


def test_a_collector_that_is_off_stays_off() -> None:
    gc.disable()
    try:
        chunk(100)
        assert not gc.isenabled()
    finally:
        gc.enable()
