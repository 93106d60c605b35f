"""Runs on disk: a folder that scoring writes incrementally and resumes from, and that the other commands read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import itemgetter, methodcaller
from pathlib import Path
from typing import Any

from sema.errors import InputError, SemaError, UsageError
from sema.files.blocks import Blocks, Mapped
from sema.languages import known_language
from sema.metrics.base import Metric, option_values
from sema.metrics.registry import make_metric
from sema.options import Settings
from sema.scoring import run_files as files
from sema.scoring.chunk import Ids
from sema.scoring.coerce import whole_number
from sema.scoring.item_scores import ItemColumns, ItemScore
from sema.scoring.results import Report, Summary, SystemScore
from sema.scoring.run_files import Damaged, intact, plain_text, read_item, read_scores

TEXTS, ITEMS, EVIDENCE = range(3)
"""The sections of a chunk's file, in their order."""


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
                message = "is a run that is not finished; finish it first with the same command and resume"
                raise InputError(message, file=folder)
            if sum(map(files.is_run_file, files.names_in(self.folder))) != files.chunk_count(self.head) + 1:
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
            systems = tuple(SystemScore(name, read_scores(head["scores"][name]), columns[name]) for name in columns)
            return Report(head["signature"], head["lang"], head["level"], names, systems, objects, self.ids)

    def _metric(self, name: str) -> Metric:
        """The metric of that name, with its options: an object's are not among the run's settings."""
        settings, wanted = Settings(self.head["options"], self.head["defaults"]), self.head["metrics"][name]
        language = known_language(self.head["lang"])
        metric = make_metric(name, settings, language)
        if files.plain_options(option_values(metric)) != wanted:
            base = name.partition("[")[0]
            with suppress(SemaError):  # a mean of two metrics has no such options
                values = {f"{base}.{key}": value for key, value in wanted.items()}
                metric = make_metric(name, settings.updated(values), language)
        if files.plain_options(option_values(metric)) != wanted:
            message = f"was scored by {name} with options that its name cannot be given; give Run.report() the metric"
            raise InputError(message, file=self.folder)
        return metric

    @property
    def summary(self) -> Summary:
        """Corpus scores and failed items; the other items are not read."""
        with intact(self.folder):
            head = self.head
            items = [pair for item in self._items() for pair in item.items()] if head["failed"] else []
            failed = [failure for name, score in items for failure in score.failures(name)]
            failed.sort(key=lambda failure: head["systems"].index(failure.system))
            about = head["signature"], head["lang"], head["level"], tuple(head["metrics"]), head["items"]
            scores = {name: read_scores(head["scores"][name]) for name in head["systems"]}
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
            yield {name: read_item(row["item"], scored) for name, scored in row["systems"].items()}

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
