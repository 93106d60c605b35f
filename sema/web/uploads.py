"""Background scoring of files: upload, progress, report and run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal, cast

from fastapi import APIRouter, Depends, File, Form, Header, Request, UploadFile
from fastapi import Path as PathNumber
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse

from sema.analysis.texts import placed_text
from sema.display.pictures.pages import rendered
from sema.display.reports.chapters import Chapter
from sema.display.reports.report import items_table, shown_item
from sema.errors import InputError, counted
from sema.files.formats import format_of, suffixes, write_items
from sema.files.ids import ids_of, in_order_of
from sema.files.texts import (
    PARAGRAPHS,
    Column,
    read_column,
    reference_rows,
    refuse_unreadable,
    system_names,
    with_items,
)
from sema.metrics.registry import parse_names
from sema.model.levels import parse_level
from sema.scoring.chunk import Inputs
from sema.scoring.coerce import coerced
from sema.scoring.engine import Level
from sema.web.api import Serving
from sema.web.jobs import Job, Jobs
from sema.web.limits import CHARACTERS, REFERENCES, SYSTEMS, TooMuch
from sema.web.understanding import fitting, understand

router = APIRouter(prefix="/jobs")
PLAIN_TEXT = ".txt"
FILES = {
    "report": ("report.html", "text/html; charset=utf-8"),
    "run": ("run.zip", "application/zip"),
    "items.csv": ("items.csv", "text/csv; charset=utf-8"),
    "items.xlsx": ("items.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
}
"""The name and the kind of each file of a finished job."""


async def _jobs(request: Request) -> Jobs:
    return cast(Jobs, request.app.state.jobs)


Server = Annotated[Jobs, Depends(_jobs)]


async def _job(name: str, jobs: Server) -> Job:
    job = jobs.get(name)
    if job is None:
        raise HTTPException(404, "there is no such job; it may have been removed to make room: send the files again")
    return job


KnownJob = Annotated[Job, Depends(_job)]


async def _done(job: KnownJob) -> Job:
    if job.state != "done":
        raise HTTPException(404, f"the job is {job.state}; wait until it is done")
    return job


DoneJob = Annotated[Job, Depends(_done)]


@router.post("", status_code=202)
async def start(
    service: Serving,
    jobs: Server,
    source: Annotated[
        UploadFile, File(description="texts, one a line or paragraph (.docx), or a table (.jsonl, .csv, .tsv, .xlsx)")
    ],
    outputs: Annotated[list[UploadFile], File(description="a file for each system")],
    x_sema: Annotated[str, Header(description="any value: a page of another site cannot send it")],
    lang: Annotated[str, Form(max_length=40, description="a code of GET /languages; none: it is detected")] = "",
    references: Annotated[list[UploadFile] | None, File()] = None,
    metrics: Annotated[str, Form(max_length=1000, description="names with commas between; none: the defaults")] = "",
    level: Annotated[Level | Literal["detect"], Form(description="what an item is")] = "sentence",
    target: Annotated[str, Form(max_length=40, description="the level that all outputs should reach, A1 to C2")] = "",
) -> dict[str, Any]:
    """Send files; the answer is the job, which :func:`show` follows."""
    references, target = references or [], target.strip()
    jobs.check_room()
    if len(outputs) > SYSTEMS or len(references) > REFERENCES:
        raise TooMuch(f"send at most {SYSTEMS} outputs and {REFERENCES} reference files")
    names = parse_names(metrics) if metrics.strip() else None
    if target:
        parse_level(target)
    with ExitStack() as files:
        folder = Path(files.enter_context(TemporaryDirectory(prefix="sema-", ignore_cleanup_errors=True)))
        first = with_items(await _read(source, folder, "source"))
        systems = [await _read(file, folder, "output") for file in outputs]
        people = [await _read(file, folder, "reference") for file in references]
        if len(first.values) > (most := service.limits.job_items):
            raise TooMuch(f"{first.path} has {counted(len(first.values), 'item')}; send at most {most}")
        columns = in_order_of(first, [*systems, *people], complete=True)
        refuse_unreadable([first, *columns])
        inputs = _inputs(first, columns[: len(systems)], columns[len(systems) :], target)
        texts = list(inputs.systems.values())
        read = await understand(service, inputs.sources, texts, lang, None if level == "detect" else level)
        chosen, notes = fitting(names, service.language(read.lang), read.level)
        key = (read.lang, None if chosen is None else tuple(chosen), read.level)
        await service.short.run(lambda: service.short.scorer(key).check(inputs))
        job = Job(folder, key, inputs, notes)
        jobs.add(job, files)
    return job.to_dict()


@router.get("/{name}")
def show(job: KnownJob) -> dict[str, Any]:
    """A job's progress, with its scores when it is done."""
    return job.to_dict()


@router.delete("/{name}")
async def remove(job: KnownJob, jobs: Server) -> dict[str, Any]:
    """Stop a job and remove its files."""
    jobs.remove(job)
    return {"id": job.id, "state": "removed"}


@router.get("/{name}/items", response_class=HTMLResponse, include_in_schema=False)
def items(job: DoneJob) -> str:
    """The table of a finished job's items, the worst first, as a fragment of the page."""
    return rendered("items.html", table=items_table(job.chapter))


@router.get("/{name}/items/{item}", response_class=HTMLResponse, include_in_schema=False)
def item(job: DoneJob, item: Annotated[int, PathNumber(ge=0)]) -> str:
    """An item of a finished job with the evidence of all outputs, as a fragment of the page."""
    if item >= (count := job.chapter.report.items):
        raise HTTPException(404, f"there is no item {item}; the last is {count - 1}")
    return shown_item(job.chapter, item)


@router.get("/{name}/{file}", response_class=FileResponse)
def download(job: DoneJob, file: Literal["report", "run", "items.csv", "items.xlsx"]) -> FileResponse:
    """The report of a finished job (HTML), its run (zip, for the command line), or a table with a row for each output:
    its texts, verdict and scores."""
    name, kind = FILES[file]
    path, report = job.folder / name, job.chapter.report
    if not path.is_file():
        labels = [*([] if report.ids is None else ["id"]), "source", "output", "verdict"]
        write_items(_item_rows(job.chapter), report.metrics, str(path), labels=labels)
    return FileResponse(path, media_type=kind, filename=f"sema-{name}")


def _item_rows(chapter: Chapter) -> Iterator[dict[str, Any]]:
    """A row for each output, in the order of the items."""
    ids = chapter.report.ids
    for evidence in chapter.run.all_evidence():
        item, name = evidence["item"], evidence["system"]
        texts, scored = chapter.texts[item], chapter.report[name].items[item]
        known = {} if ids is None else {"id": ids[item]}
        shown = {"source": texts["source"], "output": texts["outputs"][name], "verdict": evidence.get("verdict")}
        yield {"system": name, **known, **shown, **scored.to_dict()}


async def _read(file: UploadFile, folder: Path, role: str) -> Column:
    """A file's texts; it is stored under a name of ours, and errors give its original name."""
    # Without folders and control characters.
    name = Path((file.filename or "").replace("\\", "/")).name
    shown = "".join(char for char in name if char.isprintable())[:80] or "file.txt"
    suffix = Path(shown).suffix.lower() or PLAIN_TEXT
    table = format_of(shown)
    if suffix not in (PLAIN_TEXT, PARAGRAPHS) and not (table and table.upload):
        raise InputError(f"must be {PLAIN_TEXT}, {PARAGRAPHS}, {suffixes('upload')}", file=shown)
    path = folder / f"texts{suffix}"
    path.write_bytes(await file.read())
    try:
        column = await run_in_threadpool(read_column, str(path), role)
    except InputError as error:
        error.file = shown
        raise
    finally:
        path.unlink()
    for value, line in zip(column.values, column.lines, strict=True):
        if isinstance(value, InputError):
            value.file = shown
        elif role == "reference" and isinstance(value, list) and len(value) > REFERENCES:
            raise TooMuch(f"{shown}:{line}: more than {REFERENCES} references; leave some out")
        elif value is not None and len(value if isinstance(value, str) else "".join(value)) > CHARACTERS:
            raise TooMuch(f"{shown}:{line}: more than {CHARACTERS} characters; split it")
    return replace(column, path=shown)


def _inputs(source: Column, outputs: list[Column], references: list[Column], target: str) -> Inputs:
    """The texts of files, and the level that all outputs should reach."""

    def texts(column: Column, role: str) -> list[Any]:
        placed = zip(column.values, column.lines, strict=True)
        return [placed_text(value, role, column.path, line) for value, line in placed]

    systems = {name: texts(column, "output") for name, column in zip(system_names(outputs), outputs, strict=True)}
    rows = reference_rows(references) if references else None
    targets = [target] * len(source.values) if target else None
    return coerced(texts(source, "source"), systems, rows, targets=targets, ids=ids_of(source))
