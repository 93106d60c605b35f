"""The runner for a Ray cluster (extra ``ray``): each chunk is a task for any free core.

Ray restarts a task whose worker was lost. A chunk that kills every worker is scored item by item, and the item that
kills them gets an error. The results equal those of scoring in this process, to the last bit.

Ray: Moritz et al. (OSDI 2018).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Any

from sema.errors import InputError, ResourceError, SemaError, one_line, required
from sema.scoring.chunk import Inputs, split_on_error
from sema.scoring.coerce import whole_number
from sema.scoring.engine import ChunkScores, Engine, Keep
from sema.scoring.item_scores import ItemScore
from sema.scoring.runners import prefetch, work, worker_plan

RETRIES = 2
"""How often a chunk is retried on another worker before it is scored item by item."""
AHEAD = 2
"""Chunks in progress per core of the cluster."""


class RayRunner:
    """Scores on Ray: on the cluster at ``address``, or on one that is started here and ends with this process.

    The machines of a cluster need sema installed, in the same version and with the same models.

    Args:
        workers: how many cores, if the cluster is started here; 1 or more.
        address: of a running cluster, as ``ray.init`` takes it (``auto``, ``ray://host:10001``).
    """

    def __init__(self, workers: int = 1, address: str | None = None) -> None:
        self.workers, self.address = whole_number(workers, "workers", 1), address

    def map(self, engine: Engine, chunks: Iterable[Inputs], *, keep: Keep) -> Iterator[ChunkScores]:
        """The scores of each chunk, in order; a ``ResourceError`` if the cluster or a worker cannot be used."""
        ray = self._connect()
        task = ray.remote(num_cpus=1, max_retries=RETRIES)(work)
        begin = partial(task.remote, ray.put(worker_plan(engine)), keep)
        room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        with closing(prefetch(chunks, begin, room, partial(ray.cancel, force=True))) as references:
            for chunk, reference in references:
                yield _result(ray, begin, chunk, reference)

    def _connect(self) -> Any:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # send no usage statistics
        ray = required("ray")
        if not ray.is_initialized():
            cores = None if self.address else self.workers
            try:
                ray.init(
                    self.address, num_cpus=cores, log_to_driver=False, include_dashboard=False, logging_level="ERROR"
                )
            except (OSError, RuntimeError, ValueError) as error:
                hint = "; if it asks for a token, set RAY_AUTH_MODE=token" if self.address else ""
                message = f"the Ray cluster {self.address or ''} cannot be used ({one_line(error)[:200]}){hint}"
                raise ResourceError(message) from error
        _print_to_stderr(ray)
        return ray


def _print_to_stderr(ray: Any) -> None:
    """Send Ray's messages about lost workers to standard error; Ray prints them among the results."""
    worker = ray._private.worker
    printer = getattr(worker, "print_to_stdstream", None)
    if printer is None or hasattr(printer, "of_sema"):
        return

    def to_stderr(data: dict[str, Any], *arguments: Any, **named: Any) -> None:
        printer({**data, "is_err": True}, *arguments, **named)

    to_stderr.of_sema = True  # type: ignore[attr-defined]
    worker.print_to_stdstream = to_stderr


def _result(ray: Any, begin: Callable[[Inputs], Any], chunk: Inputs, reference: Any) -> ChunkScores:
    """A chunk's scores; if it kills its workers, those of its items, scored one by one."""
    try:
        scores: ChunkScores = ray.get(reference)
        return scores
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, SemaError):
            raise error.cause from error
        raise ResourceError(f"a worker fails ({type(error.cause).__name__}: {error.cause})") from error
    except (ray.exceptions.WorkerCrashedError, ray.exceptions.OutOfMemoryError, ray.exceptions.NodeDiedError):

        def retried(parts: list[Inputs]) -> list[ChunkScores]:
            references = list(map(begin, parts))
            return [_result(ray, begin, *one) for one in zip(parts, references, strict=True)]

        poison = InputError("this item ends the process that scores it; take it out of every file")
        return split_on_error(chunk, retried) or [
            [ItemScore(chunk.start, {}, errors={"": str(poison)}, causes={"": poison})]
        ]
