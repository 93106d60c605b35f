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
from sema.metrics.base import Metric, option_values
from sema.model.links import digest as links_digest
from sema.scoring import run_files as files
from sema.scoring.chunk import Inputs
from sema.scoring.engine import ChunkScores, Engine
from sema.scoring.item_scores import ItemColumns, plain_scores

INSTEAD = (
    "name a new folder, ",
    Keyword("resume", "True"),
    " to finish the run in it, or ",
    Keyword("overwrite", "True"),
    " to replace it",
)
NO_NUMBERS = ("threads", "device")
"""Options that do not affect the numbers."""
SHOWN = 100
"""Characters of a value in an error."""


def run_head(engine: Engine, given: Inputs, chunk: int) -> dict[str, Any]:
    """The head of a run that is scored in chunks of ``chunk`` items; ``decides`` has all that determines its numbers.

    ``run`` is the digest of ``decides``, by which each chunk names its run.
    """
    plan, signature = engine.plan, engine.signature(given)
    metrics = {metric.name: files.plain_options(option_values(metric)) for metric in plan.metrics}
    options = files.plain_options(plan.settings.values)
    decides: dict[str, Any] = {
        "sources": _digest(map(files.plain, given.sources)),
        "outputs": _digest(map(files.plain, chain.from_iterable(given.systems.values()))),
        "references": None if given.references is None else _digest(map(files.plain, given.references)),
        "targets": None if given.targets is None else _digest(map(str, given.targets)),
        "scenes": None if given.scenes is None else scenes_digest(given.scenes),
        "links": None if given.links is None else links_digest(given.links.values()),
        "metrics": ", ".join(metrics),
        **{f"{metric}.{name}": value for metric, own in metrics.items() for name, value in own.items()},
        **{name: value for name, value in options.items() if name.rpartition(".")[2] not in NO_NUMBERS},
        "select_references": plan.select_references and list(plan.select_references),
        "systems": list(given.systems),
        **{f"signature's {name}": value for name, _, value in (part.partition(":") for part in signature.split("|"))},
        "chunk": chunk,
    }
    return {
        "format": files.FORMAT,
        "run": _digest([decides]),
        "signature": signature,
        "options": options,
        "defaults": files.plain_options(plan.settings.defaults),
        "lang": engine.language.code,
        "level": plan.level,
        "systems": list(given.systems),
        "items": len(given),
        "chunk": chunk,
        "metrics": metrics,
        "decides": decides,
        "finished": False,
    }


def _digest(column: Iterable[Any]) -> str:
    digest = hashlib.sha256()
    for value in column:
        digest.update(json.dumps(value).encode() + b"\n")
    return digest.hexdigest()


def _difference(saved: Mapping[str, Any], now: Mapping[str, Any]) -> str | None:
    """The first difference of what decides two runs' numbers: ``level (there: passage; here: sentence)``."""
    name = next((name for name in {**now, **saved} if saved.get(name) != now.get(name)), None)
    if name in ("sources", "outputs", "references", "targets", "scenes", "links", None):  # known by their digests
        return name
    old, new = (
        value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
        for value in (saved.get(name), now.get(name))
    )
    return f"{name} (there: {old[:SHOWN]}; here: {new[:SHOWN]})"


@contextmanager
def open_run(folder: Path, head: Mapping[str, Any], *, resume: bool, overwrite: bool = False) -> Iterator[RunWriter]:
    """The writer of a folder, which is locked against other writers.

    Args:
        folder: a new or empty folder, or, with ``resume``, one with the same run.
        head: the contents of ``run.json`` before there are scores.
        resume, overwrite: continue the unfinished run in it, or replace it.

    Raises:
        InputError: the folder holds something else, is in use, or cannot be written.
    """

    def is_used() -> bool:
        names = files.names_in(folder)
        if names and not (resume or overwrite):
            raise InputError("exists already", file=folder, remedy=INSTEAD)
        if names and files.HEAD not in names:
            raise files.not_a_run(folder)
        return bool(names)

    with ExitStack() as opened:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            is_used()  # before a lock's file is put into a folder that holds something else
            opened.enter_context(files.locked(folder))
            used, saved = is_used(), None
            if used and overwrite:
                files.read_file(folder / files.HEAD)  # of whatever format, or damaged, but no link
                for name in filter(files.is_run_file, files.names_in(folder)):
                    (folder / name).unlink()
            elif used:
                saved = files.read_head(folder)
            writer = RunWriter(folder, head, saved)
        except InputError:
            raise
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise InputError(f"cannot be written: {reason}; name another folder", file=folder) from error
        yield writer


class RunWriter:
    """Writes a run (:func:`open_run`); ``missing`` has the numbers of the missing or damaged chunks."""

    def __init__(self, folder: Path, head: Mapping[str, Any], saved: Mapping[str, Any] | None) -> None:
        """Start a run, or continue the one whose head was ``saved``: find its complete chunks."""
        self.folder, self.head = folder, dict(head)
        if saved is not None and (differing := _difference(saved["decides"], head["decides"])):
            raise InputError(f"is a run that differs in {differing}; name another folder", file=folder)
        self._chunks: dict[int, Mapping[str, Any]] = {}
        self.missing: list[int] = []
        for number in range(files.chunk_count(head)):
            try:
                self._chunks[number], _ = files.read_chunk(folder, number, head["run"])
            except files.Damaged:
                self.missing.append(number)
        finished = saved is not None and saved["finished"]
        self.finished = finished and not self.missing
        if finished and self.missing:
            again = "is" if len(self.missing) == 1 else "are"
            message = f"is damaged; {counted(len(self.missing), 'chunk')} of its items {again} scored again"
            warnings.warn(f"{folder}: {message}", SemaWarning, stacklevel=2)
        if not self.finished:  # marked as unfinished until all chunks are there
            files.write_head(folder, self.head)

    def write_chunk(self, number: int, scores: ChunkScores, given: Inputs) -> None:
        """Write a chunk: its inputs, and their scores for every system."""
        names, metrics, start = self.head["systems"], self.head["metrics"], number * self.head["chunk"]
        columns = {name: ItemColumns(metrics, own) for name, own in zip(names, scores, strict=True)}
        about = {
            "chunk": number,
            "run": self.head["run"],
            "failed": sum(len(own.failed) for own in columns.values()),
            "scored": {name: {metric: own.scored(metric) for metric in metrics} for name, own in columns.items()},
            "sums": {name: own.exact_sums() for name, own in columns.items()},
        }
        items = list(enumerate(zip(*scores, strict=True), start))
        rows = chain(
            _text_rows(given, start),
            (
                {"item": index, "systems": dict(zip(names, map(files.plain_item, own), strict=True))}
                for index, own in items
            ),
            (
                {"item": index, "systems": {name: item.evidence() for name, item in zip(names, own, strict=True)}}
                for index, own in items
            ),
        )
        files.write_chunk(self.folder, about, rows)
        self._chunks[number] = about

    def finish(self, metrics: Sequence[Metric]) -> None:
        """Compute the corpus scores from the chunks' sums, and mark the run finished."""
        chunks = [self._chunks[number] for number in sorted(self._chunks)]
        scores, scored = {}, {}
        with files.intact(self.folder / files.HEAD):
            for system in self.head["systems"]:
                counts: Counter[str] = Counter()
                for about in chunks:
                    counts.update(about["scored"][system])
                scored[system] = counts
                sums = [about["sums"][system] for about in chunks]
                scores[system] = plain_scores({each.name: each.corpus([_total(each.name, sums)]) for each in metrics})
            failed = sum(about["failed"] for about in chunks)
        found = {"finished": True, "failed": failed, "scores": scores, "scored": scored}
        files.write_head(self.folder, {**self.head, **found})


def _total(metric: str, sums: Sequence[Mapping[str, Sequence[Sequence[float]]]]) -> tuple[float, ...]:
    """The sum of each column of a metric's rows, exact but for one rounding; empty if no item could be scored."""
    parts = [chunk[metric] for chunk in sums if metric in chunk]
    return tuple(math.fsum(chain.from_iterable(columns)) for columns in zip(*parts, strict=True))


def _text_rows(given: Inputs, start: int) -> Iterator[dict[str, Any]]:
    """The rows of a chunk's texts; the first item is number ``start``."""
    outputs = zip(*given.systems.values(), strict=True)
    for index, (source, texts) in enumerate(zip(given.sources, outputs, strict=True)):
        own = dict(zip(given.systems, map(files.plain, texts), strict=True))
        row = {"item": start + index, "source": files.plain(source), "outputs": own}
        if given.ids is not None:
            row["id"] = given.ids[index]
        if given.references is not None:
            row["references"] = files.plain(given.references[index]) or []
        yield row
