"""Runners map chunks of items to scores: in this process, or in worker processes that are reused between calls."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from threading import Event, Thread, active_count
from time import sleep
from typing import Any, Protocol, TypeVar, runtime_checkable

from sema.errors import ResourceError, UnknownNameError, UsageError
from sema.plugins import Group, uncalled
from sema.runtime.forks import is_own, own_process
from sema.scoring.chunk import Chunk
from sema.scoring.coerce import whole_number
from sema.scoring.engine import ChunkScores, Engine, Keep

STOPPING = (signal.SIGINT, signal.SIGTERM)
PARENT_SECONDS = 0.5
"""Seconds between a worker's checks that its parent is alive."""
Task = TypeVar("Task")


@runtime_checkable
class Runner(Protocol):
    """Scores chunks; results come in the order of the chunks and do not depend on where they were computed."""

    def map(self, engine: Engine, chunks: Iterable[Chunk], *, keep: Keep) -> Iterator[ChunkScores]:
        """The scores of each chunk by ``engine.plan``; ``keep`` names the data kept with them."""
        ...


@contextmanager
def prefetch(
    chunks: Iterable[Chunk], begin: Callable[[Chunk], Task], ahead: int, cancel: Callable[[Task], object] | None = None
) -> Iterator[Iterator[tuple[Chunk, Task]]]:
    """The chunks in order, each with its task; the tasks of the next ``ahead`` chunks are under way.

    An error in making a chunk is raised after all chunks before it. At the end of the context, ``cancel`` is called
    with the tasks that were not taken.
    """
    waiting: deque[tuple[Chunk, Task]] = deque()

    def pairs() -> Iterator[tuple[Chunk, Task]]:
        failure = None
        try:
            for chunk in chunks:
                waiting.append((chunk, begin(chunk)))
                if len(waiting) > ahead:
                    yield waiting.popleft()
        except Exception as error:
            failure = error
        while waiting:
            yield waiting.popleft()
        if failure is not None:
            raise failure

    try:
        yield pairs()
    finally:
        if cancel is not None:
            for _, task in waiting:
                cancel(task)


class LocalRunner:
    """Scores in this process; a parser that can use several cores parses the next chunks meanwhile."""

    def map(self, engine: Engine, chunks: Iterable[Chunk], *, keep: Keep) -> Iterator[ChunkScores]:
        """The scores of each chunk; an error in one is raised after the results of all chunks before it."""
        ahead = engine.ahead
        pool, stop = ThreadPoolExecutor(ahead or 1, thread_name_prefix="sema-reading"), Event()  # no thread starts yet
        read = partial(engine.read, keep=keep, pool=pool, stop=stop) if ahead else lambda chunk: None
        try:
            with prefetch(chunks, read, ahead) as readings:
                for chunk, reading in readings:
                    yield engine.score(chunk, keep=keep, reading=reading)
        finally:  # also when the caller stops early
            stop.set()
            pool.shutdown(cancel_futures=True)


class ProcessRunner:
    """Scores in worker processes, which end with this process, even if it is killed.

    In the command line's own process on Linux they are forked and share what it has loaded, unless torch or a GPU is
    used. Elsewhere other threads may hold locks, so they are started as new processes. These do not run the main script
    again (it needs no ``if __name__ == "__main__":`` guard), and the next call reuses them, unless ``sys.path`` has
    changed.

    Args:
        workers: how many processes.
    """

    def __init__(self, workers: int) -> None:
        self.workers = whole_number(workers, "workers", 1)

    def map(self, engine: Engine, chunks: Iterable[Chunk], *, keep: Keep) -> Iterator[ChunkScores]:
        """The scores of each chunk, a few in progress for each worker; a ``ResourceError`` if a worker died."""
        plan = worker_plan(engine)
        try:
            with self._copies() if _copied(plan) else self._anew() as executor:
                begin = partial(executor.submit, work, plan, keep)
                with prefetch(chunks, begin, 2 * self.workers, Future.cancel) as futures:
                    for _, future in futures:
                        yield future.result()
        except BrokenProcessPool as error:
            raise ResourceError(
                "a worker process died (was it killed, or is the memory full?); use fewer workers and start again"
            ) from error

    @contextmanager
    def _anew(self) -> Iterator[Any]:
        """New processes; they are kept for the next call."""
        from loky import get_reusable_executor

        executor = get_reusable_executor(
            max_workers=self.workers,
            timeout=600,
            initializer=_start_worker,
            initargs=(os.getpid(), tuple(sys.path)),  # if these differ from the last call's, loky starts new workers
        )
        try:
            yield executor
        except KeyboardInterrupt:  # the results of running tasks are not needed
            executor.shutdown(wait=True, kill_workers=True)
            raise

    @contextmanager
    def _copies(self) -> Iterator[Any]:
        """Forks of this process."""
        from loky.process_executor import ProcessPoolExecutor

        gc.freeze()  # garbage collection in a fork would write to shared pages, and so copy them
        executor = ProcessPoolExecutor(
            self.workers, context=get_context("fork"), initializer=_start_worker, initargs=(os.getpid(), sys.path)
        )
        try:
            with _uninterrupted():
                executor.submit(os.getpid)  # starts them
            yield executor
        finally:
            with _uninterrupted():
                executor.shutdown(wait=True, kill_workers=True)
            gc.unfreeze()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold back signals that stop this process: workers that are half started, or half stopped, could not be ended."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, STOPPING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _copied(plan: bytes) -> bool:
    """Whether workers may be forks, which lose threads and work on a GPU; if so, what they share is loaded."""
    if sys.platform != "linux" or not is_own() or _would_lose():
        return False
    if plan not in _engines:
        _engine(plan).load()
    if _would_lose():
        _engines.clear()
        gc.collect()
        return False
    return True


def _would_lose() -> bool:
    """Whether a fork would lack something that runs in this process."""
    runtime = sys.modules.get("onnxruntime")
    on_gpu = runtime is not None and "CUDAExecutionProvider" in runtime.get_available_providers()
    return on_gpu or "torch" in sys.modules or active_count() > 1


def _start_worker(parent: int, path: Sequence[str]) -> None:
    """Ignore Ctrl-C, which the parent handles, and exit when the parent has ended.

    What is printed goes to standard error, as it is not a result. Code is imported from ``path``, as in the parent.
    """
    sys.stdout = sys.stderr
    sys.path[:] = path
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOPPING)
        Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        sleep(PARENT_SECONDS)
    os._exit(1)


_engines: dict[bytes, Engine] = {}
"""The engine of the last plan in a worker process."""


def worker_plan(engine: Engine) -> bytes:
    """The pickled plan for workers: each has a core of its own, so models get one thread unless the user sets more."""
    from cloudpickle import dumps

    settings = engine.plan.settings.updated({}, {"threads": 1})
    pickled: bytes = dumps(replace(engine.plan, settings=settings))
    return pickled


def _engine(plan: bytes) -> Engine:
    from pickle import loads

    if plan not in _engines:
        _engines.clear()
        _engines[plan] = Engine(loads(plan))
    return _engines[plan]


def work(plan: bytes, keep: Keep, chunk: Chunk) -> ChunkScores:
    """Score a chunk in a worker process by a pickled plan."""
    own_process()
    return _engine(plan).score(chunk, keep=keep)


GROUP: Group[Callable[..., Runner]] = Group("sema.runners", partial(uncalled, kind=Runner))  # type: ignore[type-abstract]
"""Runners of other packages; an entry point's object is called with ``workers`` and ``address``."""


def make_runner(workers: int = 1, name: str | None = None, address: str | None = None) -> Runner:
    """The runner of a name, or the one for so many workers; ``address`` is that of a plug-in's cluster."""
    name = name or ("local" if workers == 1 else "processes")
    if name in ("local", "processes"):
        if address is not None:
            raise UsageError(f"the runner {name!r} has no address; name another runner")
        return LocalRunner() if name == "local" else ProcessRunner(workers)
    factory = GROUP.get(name)
    if factory is None:
        raise UnknownNameError("runner", name, ["local", "processes", *GROUP.names()])
    return factory(workers=workers, address=address)
