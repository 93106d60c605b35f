"""Background scoring of files: upload, progress, report and run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

from fastapi import APIRouter, File, Form, Header, Request, UploadFile
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse

from sema.analysis.texts import placed_text
from sema.errors import InputError
from sema.files.formats import format_of, suffixes
from sema.files.texts import Column, read_column, same_length
from sema.metrics.registry import parse_names
from sema.model.levels import parse_level
from sema.scoring.engine import Level
from sema.scoring.inputs import Inputs
from sema.web.api import service_of
from sema.web.jobs import Job, Jobs
from sema.web.limits import Limits
from sema.web.schemas import TooMuch

router = APIRouter(prefix="/jobs")
PLAIN_TEXT = ".txt"


def _jobs(request: Request) -> Jobs:
    return cast(Jobs, request.app.state.jobs)


def _job(request: Request, name: str) -> Job:
    found = _jobs(request).get(name)
    if found is None:
        raise HTTPException(404, "there is no such job; it may have been removed to make room: send the files again")
    return found


@router.post("", status_code=202)
async def start(
    request: Request,
    source: Annotated[UploadFile, File(description="texts, one a line, or a table (.jsonl, .csv, .tsv)")],
    outputs: Annotated[list[UploadFile], File(description="a file for each system")],
    lang: Annotated[str, Form(max_length=40)],
    x_sema: Annotated[str, Header(description="any value: a page of another site cannot send it")],
    references: Annotated[list[UploadFile] | None, File()] = None,
    metrics: Annotated[str, Form(max_length=1000, description="names with commas between; none: the defaults")] = "",
    level: Annotated[Level, Form()] = "sentence",
    target: Annotated[str, Form(max_length=40, description="the level that all outputs should reach, A1 to C2")] = "",
) -> dict[str, Any]:
    """Send files; the answer is the job, which :func:`show` follows."""
    service, jobs = service_of(request), _jobs(request)
    limits = service.limits
    jobs.check_room()
    if len(outputs) > limits.systems or len(references or []) > limits.references:
        raise TooMuch(f"send at most {limits.systems} outputs and {limits.references} reference files")
    names = parse_names(metrics) if metrics.strip() else None
    if names is not None and len(names) > limits.metrics:
        raise TooMuch(f"{len(names)} metrics; name at most {limits.metrics}")
    scorer = await run_in_threadpool(service.scorer, lang, names, level)
    folder = jobs.folder()
    columns = [
        await _read(file, folder / str(place), role, limits)
        for place, (file, role) in enumerate(
            [
                (source, "source"),
                *((file, "output") for file in outputs),
                *((file, "reference") for file in references or []),
            ]
        )
    ]
    _check_same(columns, limits)
    sources = _texts(columns[0], "source")
    systems = dict(
        zip(_names(outputs), (_texts(column, "output") for column in columns[1 : 1 + len(outputs)]), strict=True)
    )
    given = columns[1 + len(outputs) :]
    rows: list[list[Any]] | None = [[] for _ in sources] if given else None
    for column in given:
        for row, value in zip(rows or [], column.values, strict=True):
            row.extend(value if isinstance(value, list) else [value])
    aim = target.strip() or None
    if aim is not None:
        parse_level(aim)
    scorer.check(Inputs(sources, systems, rows, targets=None if aim is None else [aim] * len(sources)))
    job = jobs.add(
        folder, lang=lang, metrics=names, level=level, sources=sources, systems=systems, references=rows, target=aim
    )
    return job.to_dict()


@router.get("/{name}")
def show(name: str, request: Request) -> dict[str, Any]:
    """A job's progress, with its scores when it is done."""
    return _job(request, name).to_dict()


@router.delete("/{name}")
def remove(name: str, request: Request) -> dict[str, Any]:
    """Stop a job and remove its files."""
    job = _job(request, name)
    _jobs(request).remove(job)
    return {"id": job.id, "state": "removed"}


@router.get("/{name}/report", response_class=FileResponse)
def report(name: str, request: Request) -> FileResponse:
    """The report of a finished job as one HTML file."""
    return _file(request, name, "report.html", "text/html; charset=utf-8")


@router.get("/{name}/run", response_class=FileResponse)
def run(name: str, request: Request) -> FileResponse:
    """The run of a finished job as a zip file, for ``sema report``, ``sema compare`` and ``sema explain``."""
    return _file(request, name, "run.zip", "application/zip")


def _file(request: Request, name: str, file: str, kind: str) -> FileResponse:
    job = _job(request, name)
    if job.state != "done" or not (job.folder / file).is_file():
        raise HTTPException(404, f"the job is {job.state}; wait until it is done")
    return FileResponse(job.folder / file, media_type=kind, filename=f"sema-{file}")


async def _read(file: UploadFile, place: Path, role: str, limits: Limits) -> Column:
    """A file's texts; it is written under a name of ours, and errors speak of it by its own."""
    shown = _name(file)
    suffix = Path(shown).suffix.lower() or PLAIN_TEXT
    table = format_of(shown)
    if suffix != PLAIN_TEXT and not (table and table.upload):
        raise InputError(f"is no {PLAIN_TEXT}, {suffixes('upload')}; send such a file", file=shown)
    path = place.with_suffix(suffix)
    path.write_bytes(await file.read())
    try:
        column = await run_in_threadpool(read_column, str(path), role)
    except InputError as error:
        raise InputError(error.message, file=shown, line=error.line) from error
    finally:
        path.unlink(missing_ok=True)
    found = Column(shown, column.values, column.lines)
    for value, line in zip(found.values, found.lines, strict=True):
        texts = value if isinstance(value, list) else [value]
        if any(isinstance(text, str) and len(text) > limits.characters for text in texts):
            raise TooMuch(f"{shown}:{line}: a text of more than {limits.characters} characters; split it")
    return found


def _check_same(columns: list[Column], limits: Limits) -> None:
    first = columns[0]
    if not first.values:
        raise InputError("has no items; give it one text a line", file=first.path)
    if len(first.values) > limits.job_items:
        raise TooMuch(f"{first.path} has {len(first.values)} items; send at most {limits.job_items}")
    same_length(columns)


def _texts(column: Column, role: str) -> list[Any]:
    return [
        placed_text(value, role, column.path, line) for value, line in zip(column.values, column.lines, strict=True)
    ]


def _name(file: UploadFile) -> str:
    """The file's name without folders and control characters."""
    name = Path((file.filename or "file.txt").replace("\\", "/")).name
    return "".join(char for char in name if char.isprintable())[:80] or "file.txt"


def _names(files: list[UploadFile]) -> list[str]:
    names: list[str] = []
    for file in files:
        name = _name(file)
        while name in names:
            name += "'"
        names.append(name)
    return names
