"""Jobs: uploaded files scored one after the other into runs in temporary folders, with progress."""

from __future__ import annotations

import queue
import secrets
import shutil
import tempfile
import threading
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sema.display.pictures.words import say
from sema.errors import InputError, SemaError
from sema.plugins import contained
from sema.scoring.coerce import Inputs
from sema.web.lanes import Key
from sema.web.limits import Busy, Limits, without_folders
from sema.web.service import Service

if TYPE_CHECKING:
    from sema.display.reports.chapters import Chapter

ERRORS_SHOWN = 5
"""Failed outputs that the answer names; the report names all."""
State = Literal["waiting", "working", "done", "failed", "stopped"]


class Stopped(Exception):
    """The job was cancelled or took too long; the text says which."""


@dataclass
class Job:
    """A job: its request, progress and folder."""

    id: str
    folder: Path
    key: Key
    inputs: Inputs
    notes: Sequence[str] = ()
    context: Context = field(default_factory=copy_context)
    """That of the request: the report is in its language."""
    state: State = "waiting"
    done: int = 0
    started: float = 0.0
    ended: float = 0.0
    error: str = ""
    result: dict[str, Any] = field(default_factory=dict)
    """What :meth:`to_dict` adds when it is done."""
    chapter: Chapter | None = None
    """The finished run, for its items' evidence."""
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def over(self) -> bool:
        """Whether it has ended, successfully or not."""
        return self.state in ("done", "failed", "stopped")

    def to_dict(self) -> dict[str, Any]:
        """Its progress, with its scores when it is done; ``seconds_left`` is an estimate."""
        total = len(self.inputs)
        state: dict[str, Any] = {"id": self.id, "state": self.state, "items": total, "done": self.done}
        if self.state == "working" and self.done:
            spent = time.monotonic() - self.started
            state["seconds_left"] = round(spent / self.done * (total - self.done), 1)
        if self.state == "done":
            state |= self.result
        if self.error:
            state["error"] = say(without_folders(self.error))
        return state


class Jobs:
    """The jobs of a server, and the thread that runs them."""

    def __init__(self, service: Service, limits: Limits) -> None:
        self._service, self._limits = service, limits
        self._jobs: dict[str, Job] = {}
        self._queue: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._guard = threading.Lock()
        self._worker: threading.Thread | None = None
        self._root: Path | None = None

    @contextmanager
    def folder(self) -> Iterator[Path]:
        """A new folder for a job's files; it is removed if the block that adds the job fails."""
        with self._guard:
            if self._root is None:
                self._root = Path(tempfile.mkdtemp(prefix="sema-"))
        folder = Path(tempfile.mkdtemp(dir=self._root))
        try:
            yield folder
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise

    def check_room(self) -> None:
        """Remove old jobs, and refuse a new one if too many wait.

        Raises:
            Busy: too many jobs are not finished.
        """
        now = time.monotonic()
        with self._guard:
            over = sorted((job for job in self._jobs.values() if job.over), key=lambda job: job.ended)
            extra = len(self._jobs) - self._limits.jobs + 1
            for place, job in enumerate(over):
                if place < extra or now - job.ended > self._limits.job_kept:
                    self._forget(job)
            if sum(not job.over for job in self._jobs.values()) >= self._limits.jobs_waiting:
                raise Busy

    def add(self, folder: Path, key: Key, inputs: Inputs, notes: Sequence[str] = ()) -> Job:
        """Take a job, if there is room; ``notes`` are shown with its result."""
        self.check_room()
        job = Job(secrets.token_urlsafe(16), folder, key, inputs, notes)
        with self._guard:
            self._jobs[job.id] = job
            if self._worker is None or not self._worker.is_alive():
                self._worker = threading.Thread(target=self._work, name="sema-jobs", daemon=True)
                self._worker.start()
        self._queue.put(job)
        return job

    def get(self, name: str) -> Job | None:
        """The job of that id."""
        return self._jobs.get(name)

    def remove(self, job: Job) -> None:
        """Stop a job and remove its files."""
        job.stop.set()
        with self._guard:
            self._forget(job)

    def _forget(self, job: Job) -> None:
        self._jobs.pop(job.id, None)
        if job.over or job.state == "waiting":
            shutil.rmtree(job.folder, ignore_errors=True)

    def close(self) -> None:
        """Stop all jobs and remove the files."""
        for job in list(self._jobs.values()):
            job.stop.set()
        self._queue.put(None)
        if self._worker is not None:
            self._worker.join(timeout=5)
        if self._root is not None:
            shutil.rmtree(self._root, ignore_errors=True)

    def _work(self) -> None:
        while (job := self._queue.get()) is not None:
            if job.stop.is_set():
                continue
            job.started, job.state = time.monotonic(), "working"
            try:
                with contained():
                    job.context.run(self._score, job)
                job.state = "done"
            except Stopped as reason:
                job.state, job.error = "stopped", str(reason)
            except SemaError as error:
                job.state, job.error = "failed", error.message if isinstance(error, InputError) else str(error)
            except Exception as error:
                job.state, job.error = "failed", f"the texts could not be scored ({type(error).__name__})"
            finally:
                job.ended = time.monotonic()
                if job.id not in self._jobs:
                    shutil.rmtree(job.folder, ignore_errors=True)

    def _score(self, job: Job) -> None:
        """Write the run, the report and the run as a zip file; keep what :meth:`Job.to_dict` shows."""
        from sema.display.reports.chapters import read_chapters
        from sema.display.reports.report import report_html

        def tell(done: int) -> None:
            job.done = done
            if job.stop.is_set():
                raise Stopped("it was cancelled")
            if time.monotonic() - job.started > self._limits.job_seconds:
                raise Stopped(f"it took longer than {self._limits.job_seconds:g} s; send fewer items")

        scorer, given, folder = self._service.job_scorer(job.key, tell), job.inputs, job.folder / "run"
        run = scorer.write(folder, given.sources, given.systems, given.references, targets=given.targets, ids=given.ids)
        report = run.report()
        outputs = {f"output of {name!r}": texts for name, texts in given.systems.items()}
        warnings = [*job.notes, *self._service.warnings(job.key[0], {"source": given.sources, **outputs})]
        job.result = {
            "lang": job.key[0],
            "level": job.key[2],
            "signature": report.signature,
            "failed": len(report.failed),
            "errors": [
                f"{system.name}, {report.item_name(item.index)}: {without_folders(item.error or '')}"
                for system, item in report.failed[:ERRORS_SHOWN]
            ],
            "systems": report.to_dict()["systems"],
            **({"warnings": warnings} if warnings else {}),
            "report": f"/jobs/{job.id}/report",
            "run": f"/jobs/{job.id}/run",
            "tables": [f"/jobs/{job.id}/items.csv", f"/jobs/{job.id}/items.xlsx"],
        }
        (job.chapter,) = read_chapters([str(folder)])
        html = report_html([job.chapter])
        (job.folder / "report.html").write_text(html, encoding="utf-8")
        with zipfile.ZipFile(job.folder / "run.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.iterdir()):
                archive.write(path, f"run/{path.name}")
