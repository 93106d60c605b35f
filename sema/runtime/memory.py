"""Memory of a process that scores many chunks: Python's garbage collector and the C library's heap.

Both settings affect a whole process, so they are changed for good only in the command line's process and in workers
(:func:`own_process`). A program that uses the library keeps its settings, except during a call (:func:`reduced_gc`).

* Nearly all objects of a chunk (graphs, Scenes, links) are kept and form no cycles. Looking for garbage as often as
  Python does by default finds nothing and takes a sixth of the time.
* The C library keeps freed memory where small arrays lie in between, such as those in caches: a fifth of the resident
  set after ten thousand pairs with ``meaning``. Giving it back takes some 3 ms. It also has a heap for each thread,
  whose gaps other threads cannot use. Python's threads take turns, so one heap serves all.
"""

from __future__ import annotations

import ctypes
import gc
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from sema.runtime.forks import SharedLock

YOUNG = 1_000_000
"""New objects before a young collection: about 200 MB, if all of them were garbage."""
OLDER = 3
"""Young collections before each older collection."""
GUEST = 50_000
"""New objects before a young collection during a call from a program that is not ours: about 10 MB."""
SECONDS = 1.0
"""The least time between two returns of freed memory: cheap enough when pairs are scored one at a time."""

_ONE_HEAP = (-8, 1)
"""``M_ARENA_MAX`` of ``mallopt``, and its value."""

_ours = False
_last = -SECONDS
_calls = 0
_before = gc.get_threshold()
_calling = SharedLock()


def own_process() -> None:
    """Mark this process as ours: it collects garbage rarely, has one heap for all threads to come, and
    :func:`give_back` returns its freed memory."""
    global _ours
    _ours = True
    gc.set_threshold(YOUNG, OLDER, OLDER)
    if (set_option := _of_glibc("mallopt")) is not None:
        set_option(*_ONE_HEAP)


@contextmanager
def reduced_gc() -> Iterator[None]:
    """Collect garbage less often until the last of several concurrent calls has ended.

    Settings that a program changes meanwhile stay. A collector that is off, or runs less often already, is not changed.
    """
    global _calls, _before
    with _calling:
        if not _calls:
            _before = gc.get_threshold()
            if 0 < _before[0] < GUEST:
                gc.set_threshold(GUEST, *_before[1:])
        _calls += 1
    try:
        yield
    finally:
        with _calling:
            _end_call()


def _end_call() -> None:
    global _calls
    _calls = max(0, _calls - 1)
    if not _calls and gc.get_threshold() == (GUEST, *_before[1:]):
        gc.set_threshold(*_before)


def _after_fork() -> None:
    """End the calls of the parent's other threads, which do not run in a fork."""
    global _calls
    _calls = min(_calls, 1)
    _end_call()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def is_own() -> bool:
    """Whether this process is ours."""
    return _ours


def give_back() -> None:
    """Have the C library return unused memory if the process is ours, at most once per :data:`SECONDS`."""
    global _last
    trim = _of_glibc("malloc_trim") if _ours else None
    now = time.monotonic()
    if trim is not None and now - _last >= SECONDS:
        _last = now
        trim(0)


@cache
def _of_glibc(name: str) -> Callable[..., Any] | None:
    """A function of glibc's heap; ``None`` elsewhere."""
    try:
        found: Callable[..., Any] = getattr(ctypes.CDLL(None), name)
    except (AttributeError, OSError, TypeError):
        return None
    return found
