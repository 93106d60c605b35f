"""Submissions in the format of the TSAR 2025 shared task: JSON lines that rewrite texts for a CEFR level.

A line has ``text_id``, ``original``, ``target_cefr``, ``reference`` (a text or a list) and ``simplified``. A submission
may have ``text_id`` and ``simplified`` alone where another file has the rest. Lines are joined on ``text_id``, in the
order of the file with the originals.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sema.errors import InputError
from sema.files.formats import open_table
from sema.files.texts import TARGET, Column, Value

ID, ORIGINAL, REFERENCE, SIMPLIFIED = "text_id", "original", "reference", "simplified"

Row = tuple[int, Mapping[str, Any]]
"""A line's number, and the object in it."""


@dataclass(frozen=True)
class Submissions:
    """The columns of submissions, all of one length: an output for each submission, references if the file has any."""

    source: Column
    outputs: list[Column]
    references: list[Column]
    targets: Sequence[str | InputError]


def is_submission(path: str) -> bool:
    """Whether a file is a submission with its originals: JSON lines with this format's keys."""
    if Path(path).suffix.lower() != ".jsonl" or not Path(path).is_file():
        return False
    return {ID, ORIGINAL, SIMPLIFIED} <= set(open_table(path).names)


def read_submissions(outputs: Sequence[str], source: str | None = None) -> Submissions:
    """Submissions with their originals, from ``source`` or else from the first submission."""
    origin = source or outputs[0]
    rows = _rows(origin)
    submitted = []
    for path in outputs:
        given = rows if path == origin else _rows(path)
        if missing := [key for key in rows if key not in given]:
            raise InputError(f"has no text {missing[0]!r}, which {Path(origin).name} has; add it", file=path)
        check_known(given, rows, path, origin)
        submitted.append(_column(path, [given[key] for key in rows], SIMPLIFIED))
    numbered = list(rows.values())
    references = [_column(origin, numbered, REFERENCE)] if any(REFERENCE in row for _, row in numbered) else []
    targets = [_target(row, origin, line) for line, row in numbered]
    return Submissions(_column(origin, numbered, ORIGINAL), submitted, references, targets)


def numbered_rows(path: str) -> Iterator[Row]:
    """The rows of a file with their lines; each must have an id."""
    for line, row in open_table(path):
        if isinstance(row, InputError):
            raise row
        if not isinstance(row, dict) or row.get(ID) is None:
            raise InputError(f"has no {ID!r}; write an object with one a line", file=path, line=line)
        yield line, row


def check_known(keys: Iterable[str], known: Container[str], path: str, origin: str) -> None:
    """Raise an ``InputError`` if one of the ids of a file is not ``known`` from the file with the originals."""
    extra = next((key for key in keys if key not in known), None)
    if extra is not None:
        raise InputError(f"has a text {extra!r}, which {Path(origin).name} has not; take it out", file=path)


def _rows(path: str) -> dict[str, Row]:
    by_key: dict[str, Row] = {}
    for line, row in numbered_rows(path):
        key = str(row[ID])
        if key in by_key:
            raise InputError(f"has the {ID} {key!r} twice; keep one", file=path, line=line)
        by_key[key] = line, row
    if not by_key:
        raise InputError("has no texts; write a JSON object a line", file=path)
    return by_key


def _target(row: Mapping[str, Any], path: str, line: int) -> str | InputError:
    value = row.get(TARGET)
    if isinstance(value, str) and value.strip():
        return value
    return InputError(f"has no level under {TARGET!r}; write A1 to C2", file=path, line=line)


def _column(path: str, rows: Sequence[Row], name: str) -> Column:
    lines, ids = [line for line, _ in rows], {ID: [row[ID] for _, row in rows]}
    return Column(path, [_text(row, name, path, line) for line, row in rows], lines, ids=ids)


def _text(row: Mapping[str, Any], name: str, path: str, line: int) -> Value:
    value = row.get(name)
    if isinstance(value, str) or (isinstance(value, list) and all(isinstance(part, str) for part in value)):
        return value
    return InputError(f"has no text under {name!r}; give it one", file=path, line=line)
