"""Threads: the available cores, limits for NumPy and torch, and stopping long work.

The matrix products here are small. Splitting them among BLAS threads gains nothing, and waiting threads take processor
time from ONNX Runtime: two threads of each took a quarter longer than one for BLAS.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from threading import Thread, current_thread
from typing import Annotated, Any, Protocol, TypeVar, runtime_checkable
from weakref import WeakSet

from sema.runtime.forks import SharedLock

Batch = TypeVar("Batch")
ThreadsOption = Annotated[int | None, "batches computed beside each other; none: one for each core"]
TORCH_THREADS = 1
"""Default number of torch's threads: batches of sentences are too small to gain much from a second one, and on a busy
machine threads that wait for each other take ten times as long."""


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_lock = SharedLock()
_within = 0
_limit: Any = None


@cache
def _libraries() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit BLAS to one thread. Several threads may enter the context; the last to leave restores the limit."""
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
    """Limit torch to that many threads (``None``: :data:`TORCH_THREADS`), and restore the limit afterwards."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(threads or TORCH_THREADS)
    try:
        yield
    finally:
        torch.set_num_threads(before)


_stopped: ContextVar[Callable[[], bool] | None] = ContextVar("stopped", default=None)


@contextmanager
def stoppable(stopped: Callable[[], bool]) -> Iterator[None]:
    """Work in this context and thread ends at its next batch (:func:`go_on`) once ``stopped()`` is true."""
    token = _stopped.set(stopped)
    try:
        yield
    finally:
        _stopped.reset(token)


def go_on() -> None:
    """Raise ``CancelledError`` if the work was stopped; call it before each batch of long work."""
    if (stopped := _stopped.get()) and stopped():
        raise CancelledError


def each(work: Callable[[Batch], object], batches: Sequence[Batch], threads: int) -> None:
    """Call ``work`` for every batch, on several threads at once; the work can be stopped between batches."""
    if threads > 1 and len(batches) > 1:
        pool = ThreadPoolExecutor(min(threads, len(batches)))
        try:
            for _ in pool.map(work, batches):
                go_on()
        finally:
            pool.shutdown(cancel_futures=True)
    else:
        for batch in batches:
            go_on()
            work(batch)


@runtime_checkable
class LoadsAhead(Protocol):
    """A part of a language that can begin to load before it is used."""

    def load_ahead(self) -> None:
        """Begin to load what the next use needs, in another thread (:func:`ahead`)."""


def ahead(load: Callable[[], object]) -> None:
    """Call a function that keeps what it loads, in another thread: ONNX Runtime loads models beside Python code.

    Its errors are left to the caller that needs what it loads, and calls it again.
    """

    def quietly() -> None:
        with suppress(Exception):
            load()

    thread = Thread(target=quietly)
    with suppress(RuntimeError):  # there may be no thread to be had
        thread.start()
        _loading.add(thread)


_loading: WeakSet[Thread] = WeakSet()
PATIENCE = 10
"""Seconds that a fork waits for what is loaded: its own thread may hold what the loading one waits for."""


def _finish_loading() -> None:
    for thread in list(_loading):
        if thread is not current_thread():
            thread.join(PATIENCE)


if hasattr(os, "register_at_fork"):  # what another thread imports or loads would stay half done and locked in a fork
    os.register_at_fork(before=_finish_loading)
