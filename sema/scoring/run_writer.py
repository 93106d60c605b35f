"""Writes a run so that killing it at any moment loses at most the current chunk.

A chunk's file gets its name only when it is completely written, so a file of that name is complete. The head is
written first, with all that determines the run's numbers and digests of its inputs. Once all chunks are there, it is
written again with the corpus scores and marked finished.
"""

from __future__ import annotations

import hashlib
import json
import math
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from sema.analysis.placing import digest as scenes_digest
from sema.errors import InputError, Keyword, SemaWarning, counted
from sema.metrics.base import Metric
from sema.model.links import digest as links_digest
from sema.scoring.chunk import Inputs
from sema.scoring.engine import ChunkScores, Engine
from sema.scoring.item_scores import ItemColumns, exact_parts, plain_scores
from sema.scoring.run_files import (
    FORMAT,
    RunFolder,
    chunk_count,
    item_row,
    metric_names,
    metric_options,
    plain,
    plain_options,
    plain_value,
)

INSTEAD = (
    "name a new folder, ",
    Keyword("resume", "True"),
    " to finish the run in it, or ",
    Keyword("overwrite", "True"),
    " to replace it",
)
NO_NUMBERS = ("threads", "device")
"""Options that do not affect the numbers."""
PLAIN = (
    *("lang", "level", "segment", "parse_whole", "extractor", "aligner"),
    *("select_references", "systems", "items", "chunk"),
)
"""Other entries of the head that determine the numbers."""
SIGNED = "models or version"
SHOWN = 100
"""Characters of a value in an error."""


def run_head(engine: Engine, given: Inputs, chunk: int) -> dict[str, Any]:
    """The head of a run that is scored in chunks of ``chunk`` items."""
    inputs = {
        "sources": _digest(map(plain, given.sources)),
        "outputs": _digest(map(plain, chain.from_iterable(given.systems.values()))),
        "references": None if given.references is None else _digest(map(plain, given.references)),
        "targets": None if given.targets is None else _digest(map(str, given.targets)),
        "scenes": None if given.scenes is None else scenes_digest(given.scenes),
        "links": None if given.links is None else links_digest(given.links.values()),
    }
    plan = engine.plan
    return {
        "format": FORMAT,
        "signature": engine.signature(given),
        "lang": engine.language.code,
        "level": plan.level,
        "segment": plan.segment,
        "parse_whole": plan.parse_whole,
        "extractor": plain_value(plan.extractor),
        "aligner": plain_value(plan.aligner),
        "options": plain_options(plan.settings.values),
        "defaults": plain_options(plan.settings.defaults),
        "metrics": [
            {"name": metric.name, "options": metric_options(metric), "higher_is_better": metric.higher_is_better}
            for metric in plan.metrics
        ],
        "select_references": plan.select_references and list(plan.select_references),
        "systems": list(given.systems),
        "items": len(given),
        "inputs": inputs,
        "chunk": chunk,
        "finished": False,
    }


def _digest(column: Iterable[Any]) -> str:
    digest = hashlib.sha256()
    for value in column:
        digest.update(json.dumps(value).encode() + b"\n")
    return digest.hexdigest()


def _difference(saved: Mapping[str, Any], head: Mapping[str, Any]) -> str | None:
    """The first difference of two heads that affects the numbers: ``level (there: passage; here: sentence)``."""
    before, now = dict(_deciding(saved)), dict(_deciding(head))
    name = next((name for name in {**now, **before} if before.get(name) != now.get(name)), None)
    if name is None or name in head["inputs"]:
        return name
    old, new = before.get(name), now.get(name)
    if name == SIGNED:  # of two long ones only the parts that differ
        old, new = (
            "|".join(part for part in one.split("|") if part not in other.split("|"))
            for one, other in ((str(old), str(new)), (str(new), str(old)))
        )
    return f"{name} (there: {_shown(old)}; here: {_shown(new)})"


def _deciding(head: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    yield from head["inputs"].items()
    yield "metrics", ", ".join(metric["name"] for metric in head["metrics"])
    for metric in head["metrics"]:
        yield from ((f"{metric['name']}.{name}", value) for name, value in metric["options"].items())
    yield from ((name, value) for name, value in head["options"].items() if name.split(".")[-1] not in NO_NUMBERS)
    yield from ((name, head.get(name)) for name in PLAIN)
    yield SIGNED, head["signature"]


def _shown(value: object) -> str:
    text = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


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
            saved = None
            if folder.names():
                if overwrite:
                    folder.head_file()  # of whatever format, or damaged
                    folder.clear()
                elif resume:
                    saved = folder.read_head()
                else:  # another process was faster
                    raise exists
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
        differing = _difference(saved, self.head)
        if differing is not None:
            raise InputError(f"is a run that differs in {differing}; name another folder", file=folder.path)
        self._sums: dict[str, dict[str, list[list[float]]]] = {name: {} for name in head["systems"]}
        self._scored = {name: Counter[str]() for name in head["systems"]}
        self._failed = 0
        self.missing: list[int] = []
        for number in range(chunk_count(head)):
            about = folder.read_chunk(number)
            if about is None:
                self.missing.append(number)
            else:
                self._add(about)
        self.finished = saved["finished"] and not self.missing
        if saved["finished"] and self.missing:
            again = "is" if len(self.missing) == 1 else "are"
            message = f"is damaged; {counted(len(self.missing), 'chunk')} of its items {again} scored again"
            warnings.warn(f"{folder.path}: {message}", SemaWarning, stacklevel=2)
        if not self.finished:  # marked as unfinished until all chunks are there
            folder.write_head(self.head)

    def write_chunk(self, number: int, scores: ChunkScores, given: Inputs) -> None:
        """Write a chunk: its inputs, and their scores for every system."""
        metrics = metric_names(self.head)
        columns = {name: ItemColumns(metrics, own) for name, own in zip(self.head["systems"], scores, strict=True)}
        about = {
            "chunk": number,
            "failed": sum(len(own.failed) for own in columns.values()),
            "scored": {name: {metric: own.scored(metric) for metric in metrics} for name, own in columns.items()},
            "sums": {name: own.exact_sums() for name, own in columns.items()},
        }
        together = zip(*scores, strict=True)
        scored = [(name, item) for items in together for name, item in zip(columns, items, strict=True)]
        rows = [
            *_text_rows(given, number * self.head["chunk"]),
            *(item_row(name, item) for name, item in scored),
            *({"system": name, **item.evidence()} for name, item in scored),
        ]
        with _naming(self.folder.path):
            self.folder.write_chunk(about, rows)
        self._add(about)

    def _add(self, about: Mapping[str, Any]) -> None:
        """Add a chunk's sums and counts to the run's."""
        self._failed += about["failed"]
        for system, sums in about["sums"].items():
            self._scored[system].update(about["scored"][system])
            for metric, columns in sums.items():
                known = self._sums[system].setdefault(metric, [[] for _ in columns])
                if len(known) != len(columns):
                    raise InputError(
                        f"{metric} returns {len(columns)} numbers for some items and {len(known)} for others; "
                        "correct the metric, and score into a new folder",
                        file=self.folder.path,
                    )
                self._sums[system][metric] = [exact_parts(a + b) for a, b in zip(known, columns, strict=True)]

    def finish(self, metrics: Sequence[Metric]) -> None:
        """Compute the corpus scores from the chunks' sums, and mark the run finished."""
        scores = {}
        for system, sums in self._sums.items():
            rows = {name: tuple(map(math.fsum, columns)) for name, columns in sums.items()}
            scores[system] = plain_scores({each.name: each.corpus([rows.get(each.name, ())]) for each in metrics})
        found = {"finished": True, "failed": self._failed, "scores": scores, "scored": self._scored}
        with _naming(self.folder.path):
            self.folder.write_head({**self.head, **found})


def _text_rows(given: Inputs, start: int) -> Iterator[dict[str, Any]]:
    """The rows of a chunk's texts; the first item is number ``start``."""
    outputs = zip(*given.systems.values(), strict=True)
    for index, (source, texts) in enumerate(zip(given.sources, outputs, strict=True)):
        own = dict(zip(given.systems, map(plain, texts), strict=True))
        row = {"item": start + index, "source": plain(source), "outputs": own}
        if given.ids is not None:
            row["id"] = given.ids[index]
        if given.references is not None:
            row["references"] = plain(given.references[index]) or []
        yield row
