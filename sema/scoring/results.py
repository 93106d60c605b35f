"""Results: a report over systems, and its summary; frozen dataclasses that convert to dicts."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sema.errors import InputError, UsageError
from sema.metrics.base import Metric, Row
from sema.model.pictures import Shown
from sema.scoring.chunk import Ids
from sema.scoring.coerce import whole_number
from sema.scoring.item_scores import Failure, ItemColumns, ItemScore, plain_scores

if TYPE_CHECKING:
    import pandas

DIGITS = 6


def short_signature(signature: str) -> str:
    """``sema 0.3.0 · en · 8f3c2a``: version, language, and the first digits of the long signature's SHA-256."""
    parts = dict(part.partition(":")[::2] for part in signature.split("|"))
    digest = hashlib.sha256(signature.encode()).hexdigest()[:DIGITS]
    return " · ".join([f"sema {parts.get('sema', '').partition('+')[0]}".strip(), parts.get("lang", ""), digest])


@dataclass(frozen=True)
class SystemScore:
    """One system: its corpus scores by metric, over the items that have a score by it, and its items."""

    name: str
    scores: dict[str, float]
    items: Sequence[ItemScore] = field(repr=False)
    """Those of a scorer are columns of numbers, turned into objects on demand."""

    def __getitem__(self, metric: str) -> float:
        """The corpus score by a metric."""
        if metric not in self.scores:
            raise UsageError(f"{self.name!r} has no score by {metric!r}; it has {', '.join(self.scores)}")
        return self.scores[metric]

    @property
    def failed(self) -> list[ItemScore]:
        """The items that at least one metric could not score."""
        if isinstance(self.items, ItemColumns):
            return self.items.failed
        return [item for item in self.items if item.error is not None]

    def rows(self, metric: str) -> list[Row]:
        """The metric's rows of the items that have a score by it, in their order."""
        return [item.rows[metric] for item in self.items if not math.isnan(item.scores.get(metric, math.nan))]

    def columns(self, metrics: Sequence[str]) -> ItemColumns:
        """The items as columns of numbers."""
        return self.items if isinstance(self.items, ItemColumns) else ItemColumns(metrics, self.items)


class RankedOutput(NamedTuple):
    """An item's output by a system, with its score by some metric."""

    score: float
    item: int
    system: str


def item_label(index: int, ids: Ids | None) -> str:
    """An item in a table: its id, or its number (from 0) if no id is known."""
    return str(index) if ids is None or ids[index] is None else str(ids[index])


def item_name(index: int, known: str | None = None) -> str:
    """An item's name in messages: ``id 3``, or ``item 2`` (from 0) if no id is known."""
    return f"item {index}" if known is None else f"id {known}"


Named = TypeVar("Named", SystemScore, Metric)


@dataclass(frozen=True)
class Summary:
    """Corpus scores by system and metric, how many items have each (``scored``), and what failed."""

    signature: str
    lang: str
    level: str
    metrics: tuple[str, ...]
    items: int
    scores: Mapping[str, Mapping[str, float]]
    scored: Mapping[str, Mapping[str, int]]
    failed: tuple[Failure, ...] = ()

    def unscored(self, system: str) -> dict[str, int]:
        """How many items of a system have no score, by metric; only metrics with such items."""
        return {name: self.items - count for name, count in self.scored[system].items() if count < self.items}

    def to_dict(self) -> dict[str, Any]:
        """The object that ``sema score --json`` prints."""
        result: dict[str, Any] = {
            "signature": self.signature,
            "lang": self.lang,
            "level": self.level,
            "items": self.items,
            "systems": [
                {"name": name, "scores": plain_scores(scores)}
                | ({"unscored": unscored} if (unscored := self.unscored(name)) else {})
                for name, scores in self.scores.items()
            ],
        }
        if self.failed:
            result["failed"] = [failure.to_dict() for failure in self.failed]
        return result


@dataclass(frozen=True)
class ItemResults(Shown):
    """One item: each system's scores and evidence, by name."""

    index: int
    systems: Mapping[str, ItemScore]
    evidence: Mapping[str, Mapping[str, Any]] = field(repr=False)


@dataclass(frozen=True)
class Report(Shown):
    """The results of one run of a scorer. Reports pickle, and reports of parts of a corpus merge."""

    signature: str
    lang: str
    level: str
    metrics: tuple[str, ...]
    systems: tuple[SystemScore, ...]
    objects: tuple[Metric, ...] = field(default=(), repr=False, compare=False)
    """The metrics: they turn sums of rows into scores."""
    ids: Ids | None = field(default=None, repr=False, compare=False)
    """The items' ids, where their file or the caller gave some."""

    def __getitem__(self, name: str) -> SystemScore:
        """The results of the system of that name; a ``UsageError`` if the report has no such system."""
        return _find("system", name, self.systems, self.names)

    def __iter__(self) -> Iterator[SystemScore]:
        return iter(self.systems)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(system.name for system in self.systems)

    def item_name(self, index: int) -> str:
        """An item's name in messages (:func:`item_name`)."""
        return item_name(index, None if self.ids is None else self.ids[index])

    def worst_first(self, metric: str, limit: float | None = None) -> list[RankedOutput]:
        """The outputs with a score by a metric, the worst first; with a ``limit`` only those that are worse."""
        sign = 1 if self.metric(metric).higher_is_better else -1
        ranked = [
            RankedOutput(score, item, system.name)
            for system in self.systems
            for item, score in enumerate(system.columns(self.metrics).values(metric).tolist())
            if not math.isnan(score) and (limit is None or sign * score < sign * limit)
        ]
        return sorted(ranked, key=lambda output: (sign * output.score, output.item))

    @property
    def items(self) -> int:
        """The number of items of each system."""
        return len(self.systems[0].items) if self.systems else 0

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """For each metric, whether more is better."""
        return {metric.name: metric.higher_is_better for metric in self.objects}

    @property
    def failed(self) -> list[tuple[SystemScore, ItemScore]]:
        """The items that at least one metric could not score, with their systems."""
        return [(system, item) for system in self.systems for item in system.failed]

    def metric(self, name: str) -> Metric:
        """The metric of that name; a ``UsageError`` if the report has no such metric."""
        return _find("metric", name, self.objects, self.metrics)

    @property
    def ranges(self) -> dict[str, tuple[float, float]]:
        """The least and the greatest possible score of each metric."""
        return {metric.name: metric.range for metric in self.objects}

    def evidence(self, index: int) -> dict[str, dict[str, Any]]:
        """An item's evidence by system, if the report kept items; a ``UsageError`` if there is no such item."""
        index = whole_number(index, "the number of an item", 0)
        if index >= self.items:
            raise UsageError(f"there is no item {index}; items are numbered from 0 to {self.items - 1}")
        return {system.name: system.items[index].evidence() for system in self.systems}

    def item(self, index: int) -> ItemResults:
        """An item with the scores and the evidence of every system; raises as :meth:`evidence` does."""
        evidence = self.evidence(index)
        return ItemResults(index, {system.name: system.items[index] for system in self.systems}, evidence)

    def to_dict(self) -> dict[str, Any]:
        """The object that ``sema score --json`` prints."""
        return self.summary.to_dict()

    @property
    def summary(self) -> Summary:
        """The report without the items that could be scored."""
        failed = tuple(failure for system, item in self.failed for failure in item.failures(system.name))
        scores = {system.name: system.scores for system in self.systems}
        columns = {system.name: system.columns(self.metrics) for system in self.systems}
        scored = {name: {metric: own.scored(metric) for metric in self.metrics} for name, own in columns.items()}
        return Summary(self.signature, self.lang, self.level, self.metrics, self.items, scores, scored, failed)

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each system and item, as ``--per-item`` writes them."""
        for system in self.systems:
            for item in system.items:
                yield {"system": system.name, **item.to_dict()}

    def labelled_rows(self) -> tuple[list[str], Iterator[dict[str, Any]]]:
        """The names of label columns (``["id"]`` if items have ids), and the rows of :meth:`rows` with the labels."""
        ids, rows = self.ids, self.rows()
        if ids is None:
            return [], rows
        return ["id"], ({"system": row["system"], "item": row["item"], "id": ids[row["item"]], **row} for row in rows)

    def to_frame(self) -> pandas.DataFrame:
        """A row for each system and item: ``system``, ``item``, a column for each metric, ``error``."""
        import pandas

        rows = [
            {**item.scores, "system": system.name, "item": item.index, "error": item.error}
            for system in self.systems
            for item in system.items
        ]
        return pandas.DataFrame(rows, columns=["system", "item", *self.metrics, "error"])

    @staticmethod
    def merge(reports: Sequence[Report]) -> Report:
        """The report of all items of several reports, one after the other; an ``InputError`` if their signatures or
        systems differ."""
        if not isinstance(reports, Sequence) or not all(isinstance(report, Report) for report in reports):
            raise UsageError("reports must be a list of sema.Report; give those that Scorer.score returned")
        if not reports:
            raise InputError("there are no reports to merge; give one at least")
        first = reports[0]
        for other in reports[1:]:
            if (other.signature, other.metrics) != (first.signature, first.metrics):
                raise InputError(f"reports of different scorers do not merge: {first.signature} and {other.signature}")
            if other.names != first.names:
                raise InputError("reports of different systems do not merge; score the same systems in each")
        systems = []
        for parts in zip(*(report.systems for report in reports), strict=True):
            items = ItemColumns(first.metrics, (item for part in parts for item in part.items))
            systems.append(make_system(parts[0].name, items, first.objects))
        ids = chain.from_iterable([None] * part.items if part.ids is None else part.ids for part in reports)
        known = any(part.ids is not None for part in reports)
        return replace(first, systems=tuple(systems), ids=list(ids) if known else None)


def _find(what: str, name: str, among: Iterable[Named], known: Iterable[str]) -> Named:
    result = next((one for one in among if one.name == name), None)
    if result is None:
        raise UsageError(f"the report has no {what} {name!r}; it has {', '.join(known)}")
    return result


def make_system(name: str, items: Iterable[ItemScore], metrics: Sequence[Metric]) -> SystemScore:
    """A system's corpus scores from its items' rows; NaN where no item has a score."""
    columns = items if isinstance(items, ItemColumns) else ItemColumns([metric.name for metric in metrics], items)
    scores = {metric.name: metric.corpus([columns.sums(metric.name)]) for metric in metrics}
    return SystemScore(name, scores, columns)
