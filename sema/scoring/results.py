"""Results: plain frozen dataclasses that know how to become dicts, each with what a person needs to see why."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sema.errors import InputError, SemaError
from sema.metrics.base import Metric, Row
from sema.model.item import Item

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class ItemScore:
    """One item of one system: its scores by metric, or the error that kept it from having any.

    Attributes:
        index: the number of the item, from 0.
        scores: by metric.
        rows: by metric, the numbers that corpus scores are summed from.
        error: why the item has no scores, as a person reads it.
        cause: the error itself.
        item: the analysed item, where it was kept.
        kept: the item's evidence as it was read back from a run on disk.
    """

    index: int
    scores: dict[str, float]
    rows: dict[str, Row] = field(default_factory=dict, repr=False)
    error: str | None = None
    cause: SemaError | None = field(default=None, repr=False, compare=False)
    item: Item | None = field(default=None, repr=False, compare=False)
    kept: dict[str, Any] | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The row that ``--per-item`` writes, without the system's name; NaN becomes ``None``."""
        row: dict[str, Any] = {"item": self.index, "scores": plain_scores(self.scores)}
        if self.error is not None:
            row["error"] = self.error
        return row

    def evidence(self, metrics: Sequence[Metric] = ()) -> dict[str, Any]:
        """Why the item scored as it did, as plain data: tokens, Scenes, and what ``metrics`` have to say about it."""
        if self.kept is not None:
            return self.kept
        if self.item is None:
            return {"item": self.index, **({} if self.error is None else {"error": self.error})}
        return {"item": self.index, **evidence_of(self.item, metrics)}

    def _repr_html_(self) -> str:
        from sema.drawing.pages import in_notebook, item_html

        source, output = ("", "") if self.item is None else (self.item.source.raw, self.item.output.raw)
        return in_notebook(item_html(self.evidence(), self.scores, source_text=source, output_text=output))

    def _repr_svg_(self) -> str | None:
        """The item's links; nothing where none were kept."""
        from sema.drawing.arcs import alignment_svg

        found = self.evidence()
        if "links" not in found:
            return None
        return alignment_svg(found["source"], found["sentences"], found["links"])


def evidence_of(item: Item, metrics: Sequence[Metric] = ()) -> dict[str, Any]:
    """An item's evidence: tokens, each Scene's sentence and the fate of its centers, and what ``metrics`` explain.

    With links, ``links[s]`` are those to output sentence ``s``: source index, index in the sentence, kind.
    """
    found: dict[str, Any] = {
        "source": list(item.source.words),
        "sentences": [list(words) for words in item.output.sentence_words],
        "scenes": [scene.to_dict() for evidence in item.evidence for scene in evidence.scenes],
    }
    if item.links:
        found["links"] = [[list(link[:3]) for link in sentence] for sentence in item.links]
    for metric in metrics:
        found.update(metric.explain(item))
    return found


@dataclass(frozen=True)
class SystemScore:
    """One system: corpus scores by metric over the items that could be scored, and the items."""

    name: str
    scores: dict[str, float]
    items: tuple[ItemScore, ...] = field(repr=False)

    @property
    def failed(self) -> list[ItemScore]:
        """The items that could not be scored."""
        return [item for item in self.items if item.error is not None]

    def rows(self, metric: str) -> list[Row]:
        """The metric's rows of the items that could be scored, in their order."""
        return [item.rows[metric] for item in self.items if item.error is None]

    def to_dict(self) -> dict[str, Any]:
        """The entry of ``systems`` in the JSON that ``sema score`` prints."""
        return {"name": self.name, "scores": plain_scores(self.scores)}


@dataclass(frozen=True)
class Report:
    """Everything one run of a scorer found. Reports pickle, and halves of a run merge to the whole."""

    signature: str
    lang: str
    level: str
    metrics: tuple[str, ...]
    systems: tuple[SystemScore, ...]
    objects: tuple[Metric, ...] = field(default=(), repr=False, compare=False)
    """The metrics themselves, which turn sums of rows into scores."""

    @property
    def items(self) -> int:
        """The number of items that a system has."""
        return len(self.systems[0].items) if self.systems else 0

    @property
    def higher_is_better(self) -> dict[str, bool]:
        """For each metric, whether more is better."""
        return {metric.name: metric.higher_is_better for metric in self.objects}

    @property
    def failed(self) -> list[tuple[SystemScore, ItemScore]]:
        """The items that could not be scored, with their systems."""
        return [(system, item) for system in self.systems for item in system.failed]

    def metric(self, name: str) -> Metric:
        """The metric of that name.

        Raises:
            InputError: the report has no such metric.
        """
        for metric in self.objects:
            if metric.name == name:
                return metric
        raise InputError(f"the report has no metric {name!r}; it has {', '.join(self.metrics)}")

    def evidence(self, index: int) -> dict[str, dict[str, Any]]:
        """Why an item scored as it did, by system; the report must have kept its items.

        Raises:
            InputError: there is no such item.
        """
        if not 0 <= index < self.items:
            raise InputError(f"there is no item {index}; items are numbered from 0 to {self.items - 1}")
        return {system.name: system.items[index].evidence(self.objects) for system in self.systems}

    def to_dict(self) -> dict[str, Any]:
        """The object that ``sema score --json`` prints."""
        result: dict[str, Any] = {
            "signature": self.signature,
            "lang": self.lang,
            "level": self.level,
            "items": self.items,
            "systems": [system.to_dict() for system in self.systems],
        }
        failed = [{"system": system.name, "item": item.index, "error": item.error} for system, item in self.failed]
        if failed:
            result["failed"] = failed
        return result

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each system and item, as ``--per-item`` writes them."""
        for system in self.systems:
            for item in system.items:
                yield {"system": system.name, **item.to_dict()}

    def to_frame(self) -> pandas.DataFrame:
        """A row for each system and item: ``system``, ``item``, a column for each metric, ``error``."""
        import pandas

        rows = [
            {
                "system": system.name,
                "item": item.index,
                **dict.fromkeys(self.metrics),
                **item.scores,
                "error": item.error,
            }
            for system in self.systems
            for item in system.items
        ]
        return pandas.DataFrame(rows, columns=["system", "item", *self.metrics, "error"])

    def _repr_html_(self) -> str:
        from sema.drawing.pages import in_notebook, scores_html

        better = {name: self.higher_is_better.get(name, True) for name in self.metrics}
        systems = [(system.name, system.scores) for system in self.systems]
        return in_notebook(scores_html(systems, better, note=f"{self.items} items | {self.signature}"))

    def _repr_svg_(self) -> str:
        from sema.drawing.dots import scores_svg

        return scores_svg([(system.name, system.scores) for system in self.systems], self.metrics)

    @staticmethod
    def merge(reports: Sequence[Report]) -> Report:
        """The report of all items of several reports, one after the other.

        Raises:
            InputError: there are none, or they differ in signature, metrics or systems.
        """
        if not reports:
            raise InputError("there are no reports to merge; give one at least")
        first = reports[0]
        names = [system.name for system in first.systems]
        for other in reports[1:]:
            if other.signature != first.signature or other.metrics != first.metrics:
                raise InputError(f"reports of different scorers do not merge: {first.signature} and {other.signature}")
            if [system.name for system in other.systems] != names:
                raise InputError("reports of different systems do not merge; score the same systems in each")
        columns: dict[str, list[ItemScore]] = {name: [] for name in names}
        for report in reports:
            for system in report.systems:
                column = columns[system.name]
                column.extend(_renumbered(item, len(column)) for item in system.items)
        systems = tuple(make_system(name, items, first.objects) for name, items in columns.items())
        return Report(first.signature, first.lang, first.level, first.metrics, systems, first.objects)


def _renumbered(item: ItemScore, index: int) -> ItemScore:
    return ItemScore(index, item.scores, item.rows, item.error, item.cause, item.item, item.kept)


def make_system(name: str, items: Sequence[ItemScore], metrics: Sequence[Metric]) -> SystemScore:
    """A system's corpus scores from its items' rows; NaN where no item could be scored."""
    usable = [item for item in items if item.error is None]
    scores = {metric.name: metric.corpus([item.rows[metric.name] for item in usable]) for metric in metrics}
    return SystemScore(name, scores, tuple(items))


def plain_scores(scores: Mapping[str, float]) -> dict[str, float | None]:
    """Scores as JSON has them: NaN (no item could be scored) becomes ``None``."""
    return {name: None if math.isnan(value) else value for name, value in scores.items()}
