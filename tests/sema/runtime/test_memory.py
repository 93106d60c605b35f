"""Freed memory goes back to the system, and not too often."""

from __future__ import annotations

from pathlib import Path

import pytest

from sema.runtime import memory as heap

STATUS = Path("/proc/self/status")


def resident() -> int:
    """The resident set, kB."""
    return int(STATUS.read_text().split("VmRSS:")[1].split()[0])


@pytest.fixture(autouse=True)
def afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heap, "_last", -heap.SECONDS)


@pytest.mark.skipif(heap._malloc_trim() is None or not STATUS.exists(), reason="needs glibc and Linux")
def test_what_was_freed_between_kept_pieces_goes_back() -> None:
    pieces = [bytearray(60_000) for _ in range(4_000)]
    kept = pieces[::20]
    full = resident()
    del pieces
    heap.give_back()
    assert resident() < full - 150_000
    assert len(kept) == 200


def test_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    monkeypatch.setattr(heap, "_malloc_trim", lambda: calls.append)
    clock = iter([10.0, 10.5, 10.9, 11.1])
    monkeypatch.setattr(heap.time, "monotonic", lambda: next(clock))
    for _ in range(4):
        heap.give_back()
    assert calls == [0, 0]


def test_other_c_libraries_are_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heap, "_malloc_trim", lambda: None)
    heap.give_back()
