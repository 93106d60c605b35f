"""Memory of a process that scores many chunks: Python's garbage collector and the C library's heap.

Both settings affect a whole process, so they are changed only in the command line's process and in workers
(:func:`own_process`), never in a program that uses the library.

* Nearly all objects of a chunk (graphs, Scenes, links) are kept and form no cycles. Collecting garbage during a
  chunk finds nothing and takes a sixth of the time; collecting after each chunk takes a twentieth.
* The C library keeps freed memory where small arrays lie in between, such as those in caches: a fifth of the resident
  set after ten thousand pairs with ``meaning``. Giving it back takes some 3 ms.
"""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

UNSEEN = 1_000_000
"""Objects created before a full collection: about 200 MB, if all of them were garbage."""
MOST = 4 * UNSEEN
"""The same after collections that found little."""
SECONDS = 1.0
"""The least time between two returns of freed memory: cheap enough when pairs are scored one at a time."""

_ours = False
_unseen = 0
_most = UNSEEN
_last = -SECONDS


def own_process() -> None:
    """Mark this process as ours: :func:`chunk_memory` may change how it collects and returns memory."""
    global _ours
    _ours = True


@contextmanager
def chunk_memory() -> Iterator[None]:
    """Context of scoring a chunk; if the process is ours, garbage is collected rarely and freed memory returned."""
    if not _ours:
        yield
        return
    with collector_at_rest():
        yield
    give_back()


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Disable the garbage collector; objects left afterwards count as old and are collected rarely."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        _age()
        gc.enable()


def _age() -> None:
    """Count young objects among the old, or collect if many came to be since the last time.

    Where that finds little, the next time comes when twice as many are there: a collection takes longer the more is
    kept.
    """
    global _unseen, _most
    if gc.get_freeze_count():  # objects frozen by others must stay frozen
        return
    _unseen += gc.get_count()[0]
    if _unseen <= _most:
        gc.freeze()
        gc.unfreeze()
        return
    found = gc.collect()
    _most = UNSEEN if found > _unseen // 10 else min(2 * _most, MOST)
    _unseen = 0


def give_back() -> None:
    """Have the C library return unused memory, at most once per :data:`SECONDS`."""
    global _last
    now = time.monotonic()
    trim = _malloc_trim()
    if trim is not None and now - _last >= SECONDS:
        _last = now
        trim(0)


@cache
def _malloc_trim() -> Callable[[int], Any] | None:
    """``malloc_trim`` of glibc; ``None`` elsewhere."""
    try:
        found: Callable[[int], Any] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return found
