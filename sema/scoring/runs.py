"""Runs on disk: a folder that scoring writes incrementally and resumes from, and that the other commands read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from operator import itemgetter, methodcaller
from pathlib import Path
from typing import Any

from sema.errors import InputError, SemaError, UsageError
from sema.files.blocks import Blocks, Mapped
from sema.languages import find_language
from sema.metrics.base import Metric
from sema.metrics.registry import make_metric
from sema.model.language import Language
from sema.options import Settings
from sema.scoring.chunk import Ids
from sema.scoring.coerce import whole_number
from sema.scoring.item_scores import Failure, ItemColumns, ItemScore
from sema.scoring.results import Report, Summary, SystemScore
from sema.scoring.run_files import (
    RunFolder,
    chunk_count,
    chunk_name,
    damaged,
    is_run_file,
    metric_names,
    metric_options,
    not_a_run,
    plain_text,
    read_item,
    read_rows,
    read_scores,
)

TEXTS, ITEMS, EVIDENCE = range(3)
"""The parts of a chunk's file, in their order."""


@dataclass(frozen=True)
class Run:
    """A run on disk, read on demand; an ``InputError`` if it is none, unfinished or damaged, or lacks an item."""

    folder: Path
    head: Mapping[str, Any] = field(repr=False, compare=False)
    """The contents of ``run.json``."""

    def __init__(self, folder: str | Path) -> None:
        if not isinstance(folder, str | Path):
            raise UsageError(f"a run is named by its folder, not by {folder!r}")
        object.__setattr__(self, "folder", Path(folder))
        try:
            with RunFolder(self.folder) as opened:
                object.__setattr__(self, "head", opened.read_head())
                files = sum(map(is_run_file, opened.names()))
        except (OSError, ValueError) as error:
            raise error if isinstance(error, InputError) else not_a_run(folder) from error
        if not self.head["finished"]:
            message = "is a run that is not finished; finish it first with the same command and resume"
            raise InputError(message, file=folder)
        if files != chunk_count(self.head) + 1:
            raise damaged(self.folder)

    def report(self, metrics: Iterable[Metric] = ()) -> Report:
        """The report, equal to that of scoring; ``metrics`` are objects of metrics that no installed package offers."""
        head = self.head
        own = {metric.name: metric for metric in metrics}
        settings = Settings(head["options"], head["defaults"])
        names = metric_names(head)
        language = _installed(head["lang"])
        objects = tuple(
            own[name] if name in own else self._metric(entry, settings, language)
            for name, entry in zip(names, head["metrics"], strict=True)
        )
        columns = {name: ItemColumns(names) for name in head["systems"]}
        for row in chain.from_iterable(self._rows(ITEMS)):
            columns[row["system"]].extend([read_item(row)])
        systems = tuple(SystemScore(name, read_scores(head["scores"][name]), items) for name, items in columns.items())
        return Report(head["signature"], head["lang"], head["level"], tuple(names), systems, objects, self.ids)

    def _metric(self, entry: Mapping[str, Any], settings: Settings, language: Language | None) -> Metric:
        """The metric of an entry of the head, with its options: an object's are not among the run's settings."""
        name, wanted = entry["name"], entry["options"]
        metric = make_metric(name, settings, language)
        if metric_options(metric) != wanted:
            base = name.partition("[")[0]
            with suppress(SemaError):  # a mean of two metrics has no such options
                values = {f"{base}.{key}": value for key, value in wanted.items()}
                metric = make_metric(name, settings.updated(values), language)
        if metric_options(metric) != wanted:
            message = f"was scored by {name} with options that its name cannot be given; give Run.report() the metric"
            raise InputError(message, file=self.folder)
        return metric

    @property
    def summary(self) -> Summary:
        """Corpus scores and failed items; the other items are not read."""
        head = self.head
        failed: list[Failure] = []
        if head["failed"]:
            broken = [row for row in chain.from_iterable(self._rows(ITEMS)) if row.get("error") is not None]
            failed = [failure for row in broken for failure in read_item(row).failures(row["system"])]
            failed.sort(key=lambda failure: head["systems"].index(failure.system))
        names = tuple(metric_names(head))
        scores = {name: read_scores(head["scores"][name]) for name in head["systems"]}
        return Summary(
            head["signature"], head["lang"], head["level"], names, head["items"], scores, head["scored"], tuple(failed)
        )

    def texts(self, index: int) -> dict[str, Any]:
        """The texts of an item: ``source``, ``outputs`` by system, ``references``."""
        return self._of_item(TEXTS, index)[0]

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
        return {row["system"]: read_item(row) for row in self._of_item(ITEMS, index)}

    def scores(self, index: int) -> dict[str, dict[str, float]]:
        """The scores of an item, by system."""
        return {system: item.scores for system, item in self.item(index).items()}

    def evidence(self, index: int) -> dict[str, dict[str, Any]]:
        """An item's evidence by system."""
        return {row.pop("system"): row for row in self._of_item(EVIDENCE, index)}

    def all_evidence(self) -> Iterator[dict[str, Any]]:
        """The evidence of every item and system, with ``system`` and ``item``; read lazily."""
        return chain.from_iterable(self._rows(EVIDENCE))

    def _rows(self, section: int, items: range | None = None) -> Iterator[list[dict[str, Any]]]:
        """For each of these consecutive items, or all, its rows in a section: one of texts, or one for each system."""
        size, total = self.head["chunk"], self.head["items"]
        systems = [None] if section == TEXTS else self.head["systems"]
        left = range(total) if items is None else items
        while left:
            number, first = divmod(left[0], size)
            here, left = left[: size - first], left[size - first :]
            count = min(size, total - number * size)
            start = (0, count, count * (1 + len(self.head["systems"])))[section] + first * len(systems)
            rows = read_rows(self.folder, number, range(start, start + len(here) * len(systems)))
            for index in here:
                found = list(islice(rows, len(systems)))
                if [(row["item"], row.get("system")) for row in found] != [(index, name) for name in systems]:
                    raise damaged(self.folder / chunk_name(number))  # it is another chunk's
                yield found

    def _texts(self, items: range) -> list[dict[str, Any]]:
        return list(chain.from_iterable(self._rows(TEXTS, items)))

    def _of_item(self, section: int, index: int) -> list[dict[str, Any]]:
        """The rows of an item in a section; an ``InputError`` if the run has no such item."""
        count = self.head["items"]
        if whole_number(index, "the number of an item", 0) >= count:
            raise InputError(f"has no item {index}; its items are 0 to {count - 1}", file=self.folder)
        return next(self._rows(section, range(index, index + 1)))

    @staticmethod
    def merge(runs: Sequence[Run | str | Path]) -> Report:
        """The report of all items of several runs, one after the other (:meth:`Report.merge`)."""
        return Report.merge([(run if isinstance(run, Run) else Run(run)).report() for run in runs])


def _installed(code: str) -> Language | None:
    """The language of a code; ``None`` if it is not installed, as for a caller's own object."""
    with suppress(SemaError):
        return find_language(code)
    return None
