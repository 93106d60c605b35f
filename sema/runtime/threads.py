"""Threads: how many cores there are, how many of them NumPy and torch may use, and how to stop long work.

The matrix products here are small. Sharing one out among BLAS threads gains nothing, and the threads that wait for the
next one keep the processor from ONNX Runtime: two threads of each took a quarter longer than with one for BLAS.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from threading import Event, Lock
from typing import Any

TORCH_THREADS = 1
"""Threads of torch's models unless told otherwise: batches of sentences are too small to gain much from a second one,
and beside another busy process threads that wait for each other take ten times as long."""


def available_cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this platform
        return os.cpu_count() or 1


_lock = Lock()
_within = 0
_limit: Any = None


@cache
def _libraries() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS to one thread. Several threads may be inside at a time: the last to leave puts back what was set."""
    global _within, _limit
    with _lock:
        if not _within:
            _limit = _libraries().limit(limits=1, user_api="blas")
        _within += 1
    try:
        yield
    finally:
        with _lock:
            _within -= 1
            if not _within:
                _limit.restore_original_limits()


@contextmanager
def torch_threads(threads: int | None) -> Iterator[None]:
    """Limit torch to that many threads (``None``: :data:`TORCH_THREADS`); afterwards it has what it had before."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(threads or TORCH_THREADS)
    try:
        yield
    finally:
        torch.set_num_threads(before)


_stop: ContextVar[Event | None] = ContextVar("stop", default=None)


@contextmanager
def stoppable(stop: Event) -> Iterator[None]:
    """What runs here, in this thread, ends at its next batch (:func:`go_on`) once ``stop`` is set."""
    token = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(token)


def go_on() -> None:
    """To be called before each batch of long work.

    Raises:
        concurrent.futures.CancelledError: nobody wants the result any more.
    """
    stop = _stop.get()
    if stop is not None and stop.is_set():
        raise CancelledError
