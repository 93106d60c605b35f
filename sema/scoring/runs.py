"""Runs on disk: a folder that scoring writes incrementally and resumes from, and that the other commands read."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from operator import itemgetter
from pathlib import Path
from typing import Any

from sema.errors import InputError, UsageError
from sema.files.blocks import Blocks, Mapped
from sema.metrics.base import Metric
from sema.metrics.registry import make_metric
from sema.options import Settings
from sema.scoring.inputs import whole_number
from sema.scoring.item_scores import Failure, ItemColumns
from sema.scoring.results import Report, Summary, SystemScore
from sema.scoring.run_files import (
    CHUNKS,
    EVIDENCE,
    ITEMS,
    TEXTS,
    damaged,
    metric_names,
    plain_text,
    read_head,
    read_item,
    read_lines,
    read_scores,
)


@dataclass(frozen=True)
class Run:
    """A run on disk, read on demand.

    Raises:
        InputError: the folder holds no finished run, or one that cannot be read; later, there is no item of that
            number.
    """

    folder: Path
    _known: dict[str, tuple[Sequence[int], Sequence[int]]] = field(repr=False, compare=False)

    def __init__(self, folder: str | Path) -> None:
        if not isinstance(folder, str | Path):
            raise UsageError(f"a run is named by its folder, not by {folder!r}")
        object.__setattr__(self, "folder", Path(folder))
        object.__setattr__(self, "_known", {})
        if not self.head["finished"]:
            message = "is a run that is not finished; finish it first with the same command and resume"
            raise InputError(message, file=folder)

    @property
    def head(self) -> dict[str, Any]:
        """The contents of ``run.json``."""
        return read_head(self.folder)

    def report(self, metrics: Iterable[Metric] = ()) -> Report:
        """The report, equal to the one returned by scoring.

        ``metrics`` are objects of metrics that no installed package offers by name.
        """
        head = self.head
        own = {metric.name: metric for metric in metrics}
        settings = Settings(head["options"], head["defaults"])
        names = metric_names(head)
        objects = tuple(own[name] if name in own else make_metric(name, settings) for name in names)
        columns = {name: ItemColumns(names) for name in head["systems"]}
        for row in read_lines(self.folder / ITEMS):
            scores = columns.get(row["system"])
            known = row["scores"].keys() & {*row["rows"], *row.get("errors", ())}
            complete = row.get("error") is not None or known.issuperset(names)
            if scores is None or row["item"] != len(scores) or not complete:
                raise damaged(self.folder / ITEMS)
            scores.extend([read_item(row)])
        if any(len(items) != head["items"] for items in columns.values()):
            raise damaged(self.folder / ITEMS)
        systems = tuple(SystemScore(name, read_scores(head["scores"][name]), items) for name, items in columns.items())
        return Report(head["signature"], head["lang"], head["level"], tuple(names), systems, objects)

    @property
    def summary(self) -> Summary:
        """Corpus scores and failed items; the other items are not read."""
        head = self.head
        failed: list[Failure] = []
        if head["failed"]:
            rows = read_lines(self.folder / ITEMS)
            broken = [row for row in rows if row.get("error") is not None]
            failed = [failure for row in broken for failure in read_item(row).failures(row["system"])]
            if any(failure.system not in head["systems"] for failure in failed):
                raise damaged(self.folder / ITEMS)
            failed.sort(key=lambda failure: head["systems"].index(failure.system))
        names = tuple(metric_names(head))
        scores = {name: read_scores(head["scores"][name]) for name in head["systems"]}
        return Summary(
            head["signature"], head["lang"], head["level"], names, head["items"], scores, head["scored"], tuple(failed)
        )

    def texts(self, index: int) -> dict[str, Any]:
        """The texts of an item: ``source``, ``outputs`` by system, ``references``."""
        return self._texts([self._checked(index)])[0]

    def all_texts(self) -> Sequence[dict[str, Any]]:
        """The texts of every item, in order (:meth:`texts`); read lazily."""
        return Blocks(self._texts, range(self.head["items"]))

    @property
    def sources(self) -> Sequence[str]:
        """The texts of the sources; read lazily."""
        return Mapped(plain_text, Mapped(itemgetter("source"), self.all_texts()))

    def scores(self, index: int) -> dict[str, dict[str, float]]:
        """The scores of an item, by system."""
        return {name: read_item(row).scores for name, row in self._by_system(ITEMS, index).items()}

    def evidence(self, index: int) -> dict[str, dict[str, Any]]:
        """An item's evidence by system."""
        rows = self._by_system(EVIDENCE, index)
        return {name: {key: value for key, value in row.items() if key != "system"} for name, row in rows.items()}

    def all_evidence(self) -> Iterator[dict[str, Any]]:
        """The evidence of every item and system, with ``system`` and ``item``; read lazily."""
        return read_lines(self.folder / EVIDENCE)

    def _texts(self, items: Sequence[int]) -> list[dict[str, Any]]:
        """The texts of consecutive items."""
        rows, systems = self._rows(TEXTS, items[0], items[-1] + 1), set(self.head["systems"])
        if [row["item"] for row in rows] != [*items] or any(row["outputs"].keys() != systems for row in rows):
            raise damaged(self.folder / TEXTS)
        return rows

    def _by_system(self, name: str, index: int) -> dict[str, dict[str, Any]]:
        """The lines of an item in a file, one for each system."""
        rows = {row["system"]: row for row in self._rows(name, self._checked(index), index + 1)}
        if rows.keys() != set(self.head["systems"]):
            raise damaged(self.folder / name)
        return rows

    def _checked(self, index: int) -> int:
        """The number of an item that the run has."""
        count: int = self.head["items"]
        if whole_number(index, "the number of an item", 0) >= count:
            raise InputError(f"has no item {index}; its items are 0 to {count - 1}", file=self.folder)
        return index

    def _rows(self, name: str, first: int, end: int) -> list[dict[str, Any]]:
        """The lines of a file for the items from ``first`` to before ``end``."""
        ends, places = self._chunks(name)
        chunk = bisect_right(ends, first)
        lines = 1 if name == TEXTS else len(self.head["systems"])  # of an item
        before = ends[chunk - 1] if chunk else 0
        start = places[chunk - 1] if chunk else 0
        rows = read_lines(self.folder / name, start, before * lines + 1, skip=(first - before) * lines)
        return [row for row in takewhile(lambda row: row["item"] < end, rows) if row["item"] >= first]

    def _chunks(self, name: str) -> tuple[Sequence[int], Sequence[int]]:
        """For each chunk the number of the first item after it, and where it ends in a file."""
        if name not in self._known:
            ends, places = array("q"), array("q")
            for row in read_lines(self.folder / CHUNKS):
                ends.append(row["end"])
                places.append(row["ends"][name])
            self._known[name] = ends, places
        return self._known[name]

    @staticmethod
    def merge(runs: Sequence[Run | str | Path]) -> Report:
        """The report of all items of several runs, one after the other (:meth:`Report.merge`)."""
        return Report.merge([(run if isinstance(run, Run) else Run(run)).report() for run in runs])
