"""Whole submissions to the TSAR 2025 shared task: folders of teams' runs, and the file with originals and targets.

A run is a file of JSON lines with ``text_id`` and ``simplified``; the folder that it lies in names its team. A table of
several runs has columns ``team`` and ``run`` too, and may be a ``.tsv.gz`` whose cells are not quoted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sema.errors import InputError
from sema.files.formats import is_table, open_table
from sema.files.tables import repeated
from sema.files.texts import TARGET
from sema.model.levels import CEFR, parse_level, rounded

TEAM, RUN = "team", "run"
ID, ORIGINAL, REFERENCE, SIMPLIFIED = "text_id", "original", "reference", "simplified"


@dataclass(frozen=True)
class TaskText:
    """A text of the task: the original, the target level, and people's simplifications of it."""

    original: str
    target: int
    references: tuple[str, ...]


@dataclass(frozen=True)
class TaskRun:
    """A system's outputs by ``text_id``, an error for one without text; ``path`` is the file that they come from."""

    name: str
    path: str
    outputs: Mapping[str, str | InputError]


def run_files(paths: Sequence[str]) -> list[tuple[str, str]]:
    """The files of runs: all files below folders, and files named directly, each with its run's name.

    In a folder the name is the path below it without its ending: ``Team/run1``.
    """
    named: list[tuple[str, str]] = []
    for path in map(Path, paths):
        if path.is_dir():
            tables = (file for file in path.rglob("*") if is_table(str(file)))
            inside = sorted(filter(Path.is_file, tables))
            if not inside:
                raise InputError("has no runs; put files of JSON lines into it, a run each", file=str(path))
            named += [(file.relative_to(path).with_suffix("").as_posix(), str(file)) for file in inside]
        else:
            named.append((path.name.removesuffix("".join(path.suffixes)) or path.name, str(path)))
    names = [name for name, _ in named]
    return [(name if names.count(name) == 1 else path, path) for name, path in named]


def read_runs(paths: Sequence[str]) -> list[TaskRun]:
    """The runs of folders and files.

    Raises:
        InputError: a line has no ``text_id``, or a run has a text twice.
    """
    task_runs: list[TaskRun] = []
    for name, path in run_files(paths):
        runs: dict[str, dict[str, str | InputError]] = {}
        for line, row in _numbered_rows(path):
            label = "/".join(str(row[key]) for key in (TEAM, RUN) if row.get(key)) or name
            outputs = runs.setdefault(label, {})
            key = _text(row, ID, path, line)
            if key in outputs:
                raise InputError(f"has the {ID} {key!r} twice in one run; keep one", file=path, line=line)
            try:
                outputs[key] = _text(row, SIMPLIFIED, path, line)
            except InputError as error:
                outputs[key] = error
        task_runs += [TaskRun(label, path, outputs) for label, outputs in runs.items()]
    twice = repeated([run.name for run in task_runs])
    if twice is not None:
        raise InputError(f"has a run {twice!r} that another file has too; give runs names of their own", file=paths[0])
    return task_runs


def read_gold(path: str) -> dict[str, TaskText]:
    """The texts of the task by ``text_id``, from the file of the task or from a submission that has them all.

    Raises:
        InputError: a line lacks its id, original or level.
    """
    by_id: dict[str, TaskText] = {}
    for line, row in _numbered_rows(path):
        key = _text(row, ID, path, line)
        if row.get(TARGET) is None:
            message = f"has no {TARGET!r}; give every text its level, or name the task's file with --gold"
            raise InputError(message, file=path, line=line)
        try:
            target = rounded(parse_level(row.get(TARGET)))
        except InputError as error:
            raise InputError(f"under {TARGET!r}: {error.message}", file=path, line=line) from error
        if target > len(CEFR):
            raise InputError(f"under {TARGET!r}: {target} is not a CEFR level; write A1 to C2", file=path, line=line)
        given = row.get(REFERENCE) or ()
        references = [given] if isinstance(given, str) else list(given)
        if not all(isinstance(reference, str) for reference in references):
            raise InputError(f"has no text under {REFERENCE!r}; give a text or a list of texts", file=path, line=line)
        text = TaskText(_text(row, ORIGINAL, path, line), target, tuple(filter(str.strip, references)))
        if by_id.setdefault(key, text) != text:
            raise InputError(f"has the {ID} {key!r} with two different texts; keep one", file=path, line=line)
    return by_id


def check_known(run: TaskRun, gold: Mapping[str, TaskText], origin: str) -> None:
    """Raise an ``InputError`` if a run has a text that the file with the originals lacks."""
    extra = next((key for key in run.outputs if key not in gold), None)
    if extra is not None:
        raise InputError(
            f"has the unknown {ID} {extra!r}, which {Path(origin).name} lacks; remove the row", file=run.path
        )


def _numbered_rows(path: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a file with their lines; each must have an id."""
    for line, row in open_table(path):
        if isinstance(row, InputError):
            raise row
        if not isinstance(row, dict) or row.get(ID) is None:
            raise InputError(f"has no {ID!r}; write an object with one a line", file=path, line=line)
        yield line, row


def _text(row: Mapping[str, Any], name: str, path: str, line: int) -> str:
    value = row.get(name)
    if isinstance(value, str):
        return value
    raise InputError(f"has no text under {name!r}; give it one", file=path, line=line)
