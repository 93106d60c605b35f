"""Writes a run so that killing it at any moment loses at most the current chunk.

A chunk's file gets its name only when it is completely written, so a file of that name is complete. The head is
written first. Once all chunks are there, it is written again with the corpus scores and marked finished.
"""

from __future__ import annotations

import json
import math
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from sema.errors import InputError, Keyword, SemaWarning, counted
from sema.metrics.base import Metric, Row
from sema.scoring.engine import ChunkScores
from sema.scoring.item_scores import ItemScore, count_scored, exact_parts, plain_scores
from sema.scoring.run_files import (
    EVIDENCE,
    HEAD,
    ITEMS,
    TEXTS,
    chunk_count,
    chunk_file,
    chunk_name,
    head_file,
    is_intact,
    is_run_file,
    item_row,
    metric_names,
    read_chunk,
    read_head,
)
from sema.scoring.run_folder import RunFolder
from sema.scoring.run_head import difference

INSTEAD = (
    "name a new folder, ",
    Keyword("resume", "True"),
    " to finish the run in it, or ",
    Keyword("overwrite", "True"),
    " to replace it",
)


@contextmanager
def open_run(path: Path, head: Mapping[str, Any], *, resume: bool, overwrite: bool = False) -> Iterator[RunWriter]:
    """The writer of a folder, which is locked against other writers.

    Args:
        path: a new or empty folder, or, with ``resume``, one with the same run.
        head: the contents of ``run.json`` before there are scores.
        resume, overwrite: continue the unfinished run in it, or replace it.

    Raises:
        InputError: the folder holds something else, is in use, or cannot be written.
    """
    exists = InputError("exists already", file=path, remedy=INSTEAD)
    with ExitStack() as opened:
        with _naming(path):
            path.mkdir(parents=True, exist_ok=True)
            folder = opened.enter_context(RunFolder(path))
            if not (resume or overwrite) and folder.names():
                raise exists
            opened.enter_context(folder.locked())
            folder.tidy()
            names = folder.names()
            if names and not (resume or overwrite):  # another process was faster
                raise exists
            if names and overwrite:
                head_file(folder)  # of whatever format, or damaged
            saved = read_head(folder) if names and not overwrite else None
            for name in filter(is_run_file, names if overwrite else ()):  # other files stay
                folder.remove(name)
            writer = RunWriter(folder, head, saved)
        yield writer


@contextmanager
def _naming(folder: Path) -> Iterator[None]:
    """Turn errors of the file system into errors that name the folder."""
    try:
        yield
    except InputError:
        raise
    except (NotADirectoryError, FileExistsError) as error:
        raise InputError("is a file; name a folder", file=folder) from error
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", file=folder) from error
    except ValueError as error:  # a NUL in the name
        raise InputError("cannot name a folder; check the name", file=folder) from error


class RunWriter:
    """Writes a run (:func:`open_run`); ``missing`` has the numbers of the missing or damaged chunks."""

    def __init__(self, folder: RunFolder, head: Mapping[str, Any], saved: Mapping[str, Any] | None) -> None:
        """Start a run, or continue the one whose head was ``saved``: find its complete chunks."""
        self.folder, self.head = folder, dict(head)
        saved = self.head if saved is None else saved
        differing = difference(saved, self.head)
        if differing is not None:
            raise InputError(f"is a run that differs in {differing}; name another folder", file=folder.path)
        self.missing = [number for number in range(chunk_count(head)) if not is_intact(folder, number)]
        self.finished = saved["finished"] and not self.missing
        if saved["finished"] and self.missing:
            again = "is" if len(self.missing) == 1 else "are"
            message = f"is damaged; {counted(len(self.missing), 'chunk')} of its items {again} scored again"
            warnings.warn(f"{folder.path}: {message}", SemaWarning, stacklevel=2)
        if not self.finished:  # marked as unfinished until all chunks are there
            self._write_head(self.head)

    def write_chunk(self, number: int, scores: ChunkScores, texts: Iterable[Mapping[str, Any]]) -> None:
        """Write a chunk: the scores of every system, and the rows of its texts."""
        systems, metrics = self.head["systems"], metric_names(self.head)
        columns = dict(zip(systems, scores, strict=True))
        scored = [(name, columns[name][index]) for index in range(len(scores[0])) for name in systems]
        about = {
            "chunk": number,
            "start": number * self.head["chunk"],
            "end": number * self.head["chunk"] + len(scores[0]),
            "failed": sum(item.error is not None for _, item in scored),
            "scored": {name: count_scored(column, metrics) for name, column in columns.items()},
            "sums": {name: _sums(column) for name, column in columns.items()},
        }
        rows = {
            TEXTS: texts,
            ITEMS: (item_row(name, item) for name, item in scored),
            EVIDENCE: ({"system": name, **item.evidence()} for name, item in scored),
        }
        data = chunk_file(about, rows)
        with _naming(self.folder.path):
            self.folder.write(chunk_name(number), data)

    def finish(self, metrics: Sequence[Metric]) -> None:
        """Compute the corpus scores from the chunks' sums, and mark the run finished."""
        totals: dict[str, dict[str, list[list[float]]]] = {name: {} for name in self.head["systems"]}
        counts = {name: Counter[str]() for name in self.head["systems"]}
        failed = 0
        for number in range(chunk_count(self.head)):
            about = read_chunk(self.folder, number)
            failed += about["failed"]
            for system, sums in about["sums"].items():
                counts[system].update(about["scored"][system])
                for metric, columns in sums.items():
                    known = totals[system].setdefault(metric, [[] for _ in columns])
                    if len(known) != len(columns):
                        raise InputError(
                            f"{metric} returns {len(columns)} numbers for some items and {len(known)} for others; "
                            "correct the metric, and score into a new folder",
                            file=self.folder.path,
                        )
                    totals[system][metric] = [exact_parts(a + b) for a, b in zip(known, columns, strict=True)]
        scores = {}
        for system, sums in totals.items():
            rows = {name: tuple(map(math.fsum, columns)) for name, columns in sums.items()}
            scores[system] = plain_scores({each.name: each.corpus([rows.get(each.name, ())]) for each in metrics})
        with _naming(self.folder.path):
            self._write_head({**self.head, "finished": True, "failed": failed, "scores": scores, "scored": counts})
        self.finished = True

    def _write_head(self, head: Mapping[str, Any]) -> None:
        self.folder.write(HEAD, (json.dumps(head, ensure_ascii=False, indent=1) + "\n").encode())


def _sums(items: Sequence[ItemScore]) -> dict[str, list[list[float]]]:
    """The exact sums of some items' rows (:func:`sema.scoring.item_scores.exact_parts`)."""
    rows: dict[str, list[Row]] = {}
    for item in items:
        for name, row in item.rows.items():
            rows.setdefault(name, []).append(row)
    return {name: [exact_parts(column) for column in zip(*own, strict=True)] for name, own in rows.items()}
