"""Jobs: uploaded files scored one after the other into runs in temporary folders, with progress."""

from __future__ import annotations

import asyncio
import secrets
import shutil
import threading
import time
from collections.abc import Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from sema.display.pictures.words import say
from sema.display.reports.chapters import Chapter, read_chapter
from sema.display.reports.report import report_html
from sema.errors import InputError, SemaError
from sema.runtime.threads import go_on, stoppable
from sema.scoring.chunk import Inputs
from sema.web.limits import Busy, without_folders
from sema.web.service import Key, Service

ERRORS_SHOWN = 5  # failed outputs that the answer names; the report names all
CLOSING = 5.0  # seconds for which a server that ends waits for its jobs to stop


@dataclass(eq=False)
class Job:
    """A job: its request, progress and folder."""

    folder: Path
    key: Key
    inputs: Inputs
    notes: Sequence[str] = ()  # shown with its result
    id: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    state: Literal["waiting", "working", "done", "failed", "stopped"] = "waiting"
    done: int = 0
    started: float = 0.0
    ended: float = 0.0  # 0 until it has ended, successfully or not
    error: str = ""
    result: dict[str, Any] = field(default_factory=dict)  # what `to_dict` adds when it is done
    chapter: Chapter = field(init=False)  # the run, if the job is done, for its items' evidence
    files: ExitStack = field(default_factory=ExitStack)  # removes the folder
    stop: threading.Event = field(default_factory=threading.Event)

    def to_dict(self) -> dict[str, Any]:
        """Its progress, with its scores when it is done; ``seconds_left`` is an estimate."""
        total = len(self.inputs)
        state: dict[str, Any] = {"id": self.id, "state": self.state, "items": total, "done": self.done}
        if self.state == "working" and self.done:
            spent = time.monotonic() - self.started
            state["seconds_left"] = round(spent / self.done * (total - self.done), 1)
        error = {"error": say(without_folders(self.error))} if self.error else {}
        return state | (self.result if self.state == "done" else {}) | error


class Jobs:
    """The jobs of a server, by id; used in the server's event loop only."""

    def __init__(self, service: Service) -> None:
        self._service, self._limits = service, service.limits
        self._jobs: dict[str, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.get = self._jobs.get

    def check_room(self) -> None:
        """Remove old jobs, and refuse a new one if too many wait.

        Raises:
            Busy: too many jobs are not finished.
        """
        now = time.monotonic()
        over = sorted((job for job in self._jobs.values() if job.ended), key=lambda job: job.ended)
        extra = len(self._jobs) - self._limits.jobs + 1
        for place, job in enumerate(over):
            if place < extra or now - job.ended > self._limits.job_kept:
                self.remove(job)
        if sum(not job.ended for job in self._jobs.values()) >= self._limits.jobs_waiting:
            raise Busy

    def add(self, job: Job, files: ExitStack) -> None:
        """Take a job and what removes its files, if there is room. Its report is in the language of this context."""
        self.check_room()
        job.files = files.pop_all()
        self._jobs[job.id] = job
        task = asyncio.create_task(self._work(job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def remove(self, job: Job) -> None:
        """Stop a job and remove its files."""
        job.stop.set()
        del self._jobs[job.id]
        if job.state != "working":
            job.files.close()

    async def close(self) -> None:
        """Stop all jobs and remove the files."""
        for job in list(self._jobs.values()):
            self.remove(job)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSING)

    async def _work(self, job: Job) -> None:
        try:
            with self._service.busy():
                await self._service.jobs.run(partial(self._score, job))
        except SemaError as error:
            job.state, job.error = "failed", error.message if isinstance(error, InputError) else str(error)
        except Exception as error:
            job.state, job.error = "failed", f"the texts could not be scored ({type(error).__name__})"
        finally:
            job.ended = time.monotonic()
            if job.id not in self._jobs:
                job.files.close()

    def _score(self, job: Job) -> None:
        """Score a job, unless it is cancelled or takes too long."""
        job.started = time.monotonic()
        most = self._limits.job_seconds
        try:
            with stoppable(lambda: job.stop.is_set() or time.monotonic() - job.started > most):
                go_on()
                job.state = "working"
                self._write(job)
            job.state = "done"
        except CancelledError:
            late = f"it took longer than {most:g} s; send fewer items"
            job.state, job.error = "stopped", "it was cancelled" if job.stop.is_set() else late

    def _write(self, job: Job) -> None:
        """Write the run, the report and the run as a zip file; keep what :meth:`Job.to_dict` shows."""

        def tell(done: int, total: int) -> None:
            job.done = done

        scorer, given, folder = self._service.jobs.scorer(job.key), job.inputs, job.folder / "run"
        texts = given.sources, given.systems, given.references
        scorer.write(folder, *texts, progress=tell, targets=given.targets, ids=given.ids)
        job.chapter = read_chapter(str(folder))
        report = job.chapter.report
        outputs = {f"output of {name!r}": texts for name, texts in given.systems.items()}
        warnings = [*job.notes, *self._service.warnings(job.key[0], {"source": given.sources, **outputs})]
        job.result = {
            "lang": job.key[0],
            "level": job.key[2],
            "signature": report.signature,
            "failed": len(report.failed),
            "errors": [
                say(f"{system.name}, {report.item_name(item.index)}: {without_folders(item.error or '')}")
                for system, item in report.failed[:ERRORS_SHOWN]
            ],
            "systems": report.to_dict()["systems"],
            **({"warnings": warnings} if warnings else {}),
            "report": f"/jobs/{job.id}/report",
            "run": f"/jobs/{job.id}/run",
            "tables": [f"/jobs/{job.id}/items.csv", f"/jobs/{job.id}/items.xlsx"],
        }
        (job.folder / "report.html").write_text(report_html([job.chapter]), encoding="utf-8")
        shutil.make_archive(str(folder), "zip", job.folder, "run")
