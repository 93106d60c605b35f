"""Runners map chunks of items to scores: in this process, or in worker processes that are reused between calls."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from functools import partial
from threading import Thread
from time import sleep
from typing import Protocol, TypeVar, runtime_checkable

from sema.errors import ResourceError, UnknownNameError, UsageError
from sema.plugins import Group, uncalled
from sema.scoring.chunk import Inputs
from sema.scoring.coerce import whole_number
from sema.scoring.engine import ChunkScores, Engine, Keep

PARENT_SECONDS = 0.5
"""Seconds between a worker's checks that its parent is alive."""
Task = TypeVar("Task")


@runtime_checkable
class Runner(Protocol):
    """Scores chunks; results come in the order of the chunks and do not depend on where they were computed."""

    def map(self, engine: Engine, chunks: Iterable[Inputs], *, keep: Keep) -> Iterator[ChunkScores]:
        """The scores of each chunk by ``engine.plan``; ``keep`` names the data kept with them."""
        ...


def prefetch(
    chunks: Iterable[Inputs], begin: Callable[[Inputs], Task], ahead: int, cancel: Callable[[Task], object]
) -> Generator[tuple[Inputs, Task], None, None]:
    """The chunks in order, each with its task; the tasks of the next ``ahead`` chunks are under way.

    Close it if you stop early: ``cancel`` is called with the tasks that were not taken.
    """
    waiting: deque[tuple[Inputs, Task]] = deque()
    try:
        for chunk in chunks:
            waiting.append((chunk, begin(chunk)))
            if len(waiting) > ahead:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()
    finally:
        for _, task in waiting:
            cancel(task)


class LocalRunner:
    """Scores in this process."""

    def map(self, engine: Engine, chunks: Iterable[Inputs], *, keep: Keep) -> Iterator[ChunkScores]:
        """The scores of each chunk."""
        for chunk in chunks:
            yield engine.score(chunk, keep=keep)


class ProcessRunner:
    """Scores in worker processes, which end with this process, even if it is killed.

    They do not run the main script again (it needs no ``if __name__ == "__main__":`` guard), and the next call reuses
    them, unless ``sys.path`` has changed.

    Args:
        workers: how many processes.
    """

    def __init__(self, workers: int) -> None:
        self.workers = whole_number(workers, "workers", 1)

    def map(self, engine: Engine, chunks: Iterable[Inputs], *, keep: Keep) -> Iterator[ChunkScores]:
        """The scores of each chunk, a few in progress for each worker; a ``ResourceError`` if a worker died."""
        from concurrent.futures.process import BrokenProcessPool

        from loky import get_reusable_executor

        executor = get_reusable_executor(
            max_workers=self.workers,
            timeout=600,
            initializer=_start_worker,
            initargs=(os.getpid(), tuple(sys.path)),  # if these differ from the last call's, loky starts new workers
        )
        begin = partial(executor.submit, work, worker_plan(engine), keep)
        try:
            with closing(prefetch(chunks, begin, 2 * self.workers, Future.cancel)) as futures:
                for _, future in futures:
                    yield future.result()
        except BrokenProcessPool as error:
            raise ResourceError(
                "a worker process died (was it killed, or is the memory full?); use fewer workers and start again"
            ) from error
        except KeyboardInterrupt:  # the results of running tasks are not needed
            executor.shutdown(wait=True, kill_workers=True)
            raise


def _start_worker(parent: int, path: Sequence[str]) -> None:
    """Ignore Ctrl-C, which the parent handles, and exit when the parent has ended.

    What is printed goes to standard error, as it is not a result. Code is imported from ``path``, as in the parent.
    """
    sys.stdout = sys.stderr
    sys.path[:] = path
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)

    def end_with_parent() -> None:
        while os.getppid() == parent:
            sleep(PARENT_SECONDS)
        os._exit(1)

    if os.name == "posix":
        Thread(target=end_with_parent, daemon=True).start()


def worker_plan(engine: Engine) -> bytes:
    """The pickled plan for workers: each has a core of its own, so models get one thread unless the user sets more."""
    from cloudpickle import dumps

    settings = engine.plan.settings.updated({}, {"threads": 1})
    pickled: bytes = dumps(replace(engine.plan, settings=settings))
    return pickled


_ENGINES: dict[bytes, Engine] = {}


def _engine(plan: bytes) -> Engine:
    """The engine of the last plan in a worker process; another plan's models go before it loads its own."""
    from pickle import loads

    if plan not in _ENGINES:
        _ENGINES.clear()
        _ENGINES[plan] = Engine(loads(plan))
    return _ENGINES[plan]


def work(plan: bytes, keep: Keep, chunk: Inputs) -> ChunkScores:
    """Score a chunk in a worker process by a pickled plan."""
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
