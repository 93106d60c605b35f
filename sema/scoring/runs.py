"""Runs on disk: written so that killing the process at any moment loses at most the current chunk, and read on demand.

A chunk's file gets its name only when it is completely written, so a file of that name is complete. The head is
written first, with all that determines the run's numbers and digests of its inputs. Once all chunks are there, it is
written again with the corpus scores and marked finished.
"""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import chain
from operator import itemgetter, methodcaller
from pathlib import Path
from typing import Any

from sema.analysis.placing import digest as scenes_digest
from sema.errors import InputError, Keyword, SemaError, SemaWarning, UsageError, counted
from sema.files.blocks import Blocks, Mapped
from sema.files.replacing import unwritable
from sema.languages import known_language
from sema.metrics.base import Metric, option_values
from sema.metrics.registry import make_metric
from sema.model.links import digest as links_digest
from sema.options import Settings
from sema.runtime.checksums import short_digest
from sema.scoring import run_files as files
from sema.scoring.chunk import Ids, Inputs
from sema.scoring.coerce import whole_number
from sema.scoring.engine import ChunkScores, Engine
from sema.scoring.item_scores import ItemColumns, ItemScore, plain_scores
from sema.scoring.results import Report, Summary, SystemScore
from sema.scoring.run_files import Damaged, intact, plain, plain_text

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
TEXTS, ITEMS, EVIDENCE = range(3)
"""The sections of a chunk's file, in their order."""


def run_head(engine: Engine, given: Inputs, chunk: int) -> dict[str, Any]:
    """The head of a run that is scored in chunks of ``chunk`` items; ``decides`` has all that determines its numbers.

    ``run`` is the digest of ``decides``, by which each chunk names its run.
    """
    plan, signature = engine.plan, engine.signature(given)
    metrics = {metric.name: _plain_options(option_values(metric)) for metric in plan.metrics}
    options = _plain_options(plan.settings.values)
    decides: dict[str, Any] = {
        "sources": _digest(map(plain, given.sources)),
        "outputs": _digest(map(plain, chain.from_iterable(given.systems.values()))),
        "references": None if given.references is None else _digest(map(plain, given.references)),
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
        "defaults": _plain_options(plan.settings.defaults),
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
    return short_digest(map(json.dumps, column))


def _plain_options(values: Mapping[str, object]) -> dict[str, object]:
    """Options as JSON: a metric's full name, and the name of its type for any other object."""

    def plain_value(value: object) -> object:
        if isinstance(value, str | int | float | None):
            return value
        if isinstance(value, Metric):
            return value.full_name
        return str(value) if isinstance(value, Path) else type(value).__name__

    return {key: plain_value(value) for key, value in sorted(values.items())}


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
            raise unwritable(folder, error) from error
        yield writer


class RunWriter:
    """Writes a run (:func:`open_run`); ``missing`` has the numbers of the missing or damaged chunks."""

    def __init__(self, folder: Path, head: Mapping[str, Any], saved: Mapping[str, Any] | None) -> None:
        """Start a run, or continue the one whose head was ``saved``: find its complete chunks."""
        self.folder, self.head = folder, head
        if saved is not None and (differing := _difference(saved["decides"], head["decides"])):
            raise InputError(f"is a run that differs in {differing}; name another folder", file=folder)
        self._chunks: dict[int, Mapping[str, Any]] = {}
        self.missing: list[int] = []
        for number in range(_chunk_count(head)):
            try:
                self._chunks[number], _ = files.read_chunk(folder, number, head["run"])
            except Damaged:
                self.missing.append(number)
        finished = saved is not None and saved["finished"]
        self.finished = finished and not self.missing
        if finished and self.missing:
            again = "is" if len(self.missing) == 1 else "are"
            message = f"is damaged; {counted(len(self.missing), 'chunk')} of its items {again} scored again"
            warnings.warn(f"{folder}: {message}", SemaWarning, stacklevel=2)
        if not self.finished:  # marked as unfinished until all chunks are there
            files.write_head(folder, head)

    def write_chunk(self, number: int, scores: ChunkScores, given: Inputs) -> None:
        """Write a chunk: its inputs, and their scores for every system."""
        metrics = self.head["metrics"]
        columns = {name: ItemColumns(metrics, own) for name, own in zip(given.systems, scores, strict=True)}
        about = {
            "chunk": number,
            "run": self.head["run"],
            "failed": sum(len(own.failed) for own in columns.values()),
            "scored": {name: {metric: own.scored(metric) for metric in metrics} for name, own in columns.items()},
            "sums": {name: own.exact_sums() for name, own in columns.items()},
        }
        files.write_chunk(self.folder, about, _chunk_rows(given, scores))
        self._chunks[number] = about

    def finish(self, metrics: Sequence[Metric]) -> None:
        """Compute the corpus scores from the chunks' sums, and mark the run finished."""
        chunks = [about for _, about in sorted(self._chunks.items())]
        scores, scored = {}, {}
        with intact(self.folder / files.HEAD):
            for system in self.head["systems"]:
                counts = [about["scored"][system] for about in chunks]
                scored[system] = {name: sum(count[name] for count in counts) for name in self.head["metrics"]}
                sums = [about["sums"][system] for about in chunks]
                scores[system] = plain_scores({each.name: each.corpus([_total(each.name, sums)]) for each in metrics})
            failed = sum(about["failed"] for about in chunks)
        found = {"finished": True, "failed": failed, "scores": scores, "scored": scored}
        files.write_head(self.folder, {**self.head, **found})


def _chunk_count(head: Mapping[str, Any]) -> int:
    return -(-int(head["items"]) // int(head["chunk"]))


def _total(metric: str, sums: Sequence[Mapping[str, Sequence[Sequence[float]]]]) -> tuple[float, ...]:
    """The sum of each column of a metric's rows, exact but for one rounding; empty if no item could be scored."""
    parts = [chunk[metric] for chunk in sums if metric in chunk]
    return tuple(math.fsum(chain.from_iterable(columns)) for columns in zip(*parts, strict=True))


def _chunk_rows(given: Inputs, scores: ChunkScores) -> Iterator[dict[str, Any]]:
    """The rows of a chunk, section by section."""
    for place, source in enumerate(given.sources):
        outputs = {name: plain(texts[place]) for name, texts in given.systems.items()}
        row = {"item": given.start + place, "source": plain(source), "outputs": outputs}
        if given.ids is not None:
            row["id"] = given.ids[place]
        if given.references is not None:
            row["references"] = plain(given.references[place]) or []
        yield row
    for shown in (_plain_item, ItemScore.evidence):
        for index, own in enumerate(zip(*scores, strict=True), given.start):
            yield {"item": index, "systems": dict(zip(given.systems, map(shown, own), strict=True))}


def _plain_item(item: ItemScore) -> dict[str, Any]:
    """An item of a system as JSON, without its evidence."""
    return {**item.to_dict(), "rows": item.rows, "errors": item.errors}


def _read_item(row: Mapping[str, Any], index: int) -> ItemScore:
    """The item that :func:`_plain_item` wrote."""
    rows = {name: tuple(map(float, values)) for name, values in row["rows"].items()}
    return ItemScore(index, _read_scores(row["scores"]), rows, row["errors"])


def _read_scores(scores: Mapping[str, float | None]) -> dict[str, float]:
    """Scores from JSON: ``None`` becomes NaN."""
    return {name: math.nan if value is None else float(value) for name, value in scores.items()}


class Run:
    """A run on disk, read on demand; an ``InputError`` if it is none, unfinished or damaged, or lacks an item.

    Attributes:
        folder: where it is.
        head: the contents of ``run.json``.
    """

    def __init__(self, folder: str | Path) -> None:
        if not isinstance(folder, str | Path):
            raise UsageError(f"a run is named by its folder, not by {folder!r}")
        self.folder = Path(folder)
        self.head: Mapping[str, Any] = files.read_head(self.folder)
        with intact(self.folder):
            if not self.head["finished"]:
                message = "is a run that is not finished; repeat its command with --resume (in Python resume=True)"
                raise InputError(message, file=folder)
            if sum(map(files.is_run_file, files.names_in(self.folder))) != _chunk_count(self.head) + 1:
                raise Damaged(self.folder)

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r})"

    def report(self, metrics: Iterable[Metric] = ()) -> Report:
        """The report, equal to that of scoring; ``metrics`` are objects of metrics that no installed package offers."""
        own = {metric.name: metric for metric in metrics}
        with intact(self.folder):
            head, names = self.head, tuple(self.head["metrics"])
            objects = tuple(own[name] if name in own else self._metric(name) for name in names)
            columns = {name: ItemColumns(names) for name in head["systems"]}
            for item in self._items():
                for name, score in item.items():
                    columns[name].extend([score])
            systems = tuple(SystemScore(name, _read_scores(head["scores"][name]), columns[name]) for name in columns)
            return Report(head["signature"], head["lang"], head["level"], names, systems, objects, self.ids)

    def _metric(self, name: str) -> Metric:
        """The metric of that name, with its options: an object's are not among the run's settings."""
        settings, wanted = Settings(self.head["options"], self.head["defaults"]), self.head["metrics"][name]
        language = known_language(self.head["lang"])
        metric = make_metric(name, settings, language)
        if _plain_options(option_values(metric)) != wanted:
            base = name.partition("[")[0]
            with suppress(SemaError):  # a mean of two metrics has no such options
                values = {f"{base}.{key}": value for key, value in wanted.items()}
                metric = make_metric(name, settings.updated(values), language)
        if _plain_options(option_values(metric)) != wanted:
            message = f"was scored by {name} with options that its name cannot be given; give Run.report() the metric"
            raise InputError(message, file=self.folder)
        return metric

    @property
    def summary(self) -> Summary:
        """Corpus scores and failed items; the other items are not read."""
        with intact(self.folder):
            head = self.head
            items = self._items() if head["failed"] else ()
            failed = [one for item in items for name, score in item.items() for one in score.failures(name)]
            failed.sort(key=lambda failure: head["systems"].index(failure.system))
            about = head["signature"], head["lang"], head["level"], tuple(head["metrics"]), head["items"]
            scores = {name: _read_scores(head["scores"][name]) for name in head["systems"]}
            return Summary(*about, scores, head["scored"], tuple(failed))

    def texts(self, index: int) -> dict[str, Any]:
        """The texts of an item: ``source``, ``outputs`` by system, ``references``."""
        return self._texts(self._only(index))[0]

    def all_texts(self) -> Sequence[dict[str, Any]]:
        """The texts of every item, in order (:meth:`texts`); read lazily."""
        return Blocks(self._texts, range(self.head["items"]))

    @property
    def sources(self) -> Sequence[str]:
        """The texts of the sources; read lazily."""
        return Mapped(plain_text, Mapped(itemgetter("source"), self.all_texts()))

    @property
    def lang(self) -> str:
        """The language's code."""
        return str(self.head["lang"])

    @property
    def ids(self) -> Ids | None:
        """The items' ids, read lazily; ``None`` if the run was scored without ids."""
        return Mapped(methodcaller("get", "id"), self.all_texts()) if "id" in self.texts(0) else None

    def item(self, index: int) -> dict[str, ItemScore]:
        """An item as it was scored, by system."""
        with intact(self.folder):
            return next(self._items(self._only(index)))

    def evidence(self, index: int) -> dict[str, dict[str, Any]]:
        """An item's evidence by system."""
        shown: dict[str, dict[str, Any]] = next(self._rows(EVIDENCE, self._only(index)))["systems"]
        return shown

    def all_evidence(self) -> Iterator[dict[str, Any]]:
        """The evidence of every item and system, with ``system`` and ``item``; read lazily."""
        for row in self._rows(EVIDENCE):
            for system, shown in row["systems"].items():
                yield {"system": system, **shown}

    def _texts(self, items: range) -> list[dict[str, Any]]:
        return list(self._rows(TEXTS, items))

    def _items(self, items: range | None = None) -> Iterator[dict[str, ItemScore]]:
        for row in self._rows(ITEMS, items):
            yield {name: _read_item(scored, row["item"]) for name, scored in row["systems"].items()}

    def _rows(self, section: int, items: range | None = None) -> Iterator[dict[str, Any]]:
        """The rows of these consecutive items, or all, in a section of their chunks."""
        size, total, systems = self.head["chunk"], self.head["items"], self.head["systems"]
        left = range(total) if items is None else items
        while left:
            number, first = divmod(left[0], size)
            here, left = left[: size - first], left[size - first :]
            start = section * min(size, total - number * size) + first
            path = files.chunk_path(self.folder, number)
            with intact(path):
                _, lines = files.read_chunk(self.folder, number, self.head["run"])
                rows = list(map(json.loads, lines[start : start + len(here)]))
                for index, row in zip(here, rows, strict=True):
                    own = (
                        row["outputs"] if section == TEXTS else {name: {**one} for name, one in row["systems"].items()}
                    )
                    if (row["item"], list(own)) != (index, systems):
                        raise Damaged(path)
            yield from rows

    def _only(self, index: int) -> range:
        """An item as a range; an ``InputError`` if the run has no such item."""
        count = self.head["items"]
        if whole_number(index, "the number of an item", 0) >= count:
            raise InputError(f"has no item {index}; its items are 0 to {count - 1}", file=self.folder)
        return range(index, index + 1)

    @staticmethod
    def merge(runs: Sequence[Run | str | Path]) -> Report:
        """The report of all items of several runs, one after the other (:meth:`Report.merge`)."""
        return Report.merge([(run if isinstance(run, Run) else Run(run)).report() for run in runs])
