"""Scored items: one item's scores, rows and evidence, and all items of a system as columns of numbers."""

from __future__ import annotations

import math
import warnings
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TYPE_CHECKING, Any, overload

from sema.errors import InputError, SemaError, SemaWarning, one_line
from sema.metrics.base import Metric, Row
from sema.model.evidence import SharedEvidence
from sema.model.item import Item, Need, guarded
from sema.model.pictures import Shown
from sema.plugins import contained
from sema.runtime.forks import cached_property

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


NOT_THE_ITEMS_FAULT = (CancelledError, ImportError, MemoryError, SystemError)
"""Exceptions that end the scoring. Any other is the failure of a metric or of a language's part on one item."""
OWN_KEYS = frozenset(
    {
        *("item", "id", "system", "scores", "error", "warnings", "unexplained"),
        *("source", "source_sentences", "sentences", "scenes", "links", "facts", "output", "levels"),
        *("verdict", "findings", "spans", "not_attributed", "thresholds", "source_words", "output_words"),
        *("source_weights", "output_weights", "source_scenes", "output_scenes"),
    }
)
"""Keys that pages, reports and runs read; of metrics only :class:`SharedEvidence` has them."""


@dataclass(frozen=True)
class Failure:
    """A failed item of a system; ``metric`` is ``None`` if the item as a whole failed."""

    system: str
    item: int
    error: str
    metric: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The entry of ``failed`` in the object that ``sema score --json`` prints."""
        by = {} if self.metric is None else {"metric": self.metric}
        return {"system": self.system, "item": self.item, **by, "error": self.error}


@dataclass(frozen=True)
class ItemScore(Shown):
    """One item of one system: its scores by metric, or the errors in their place.

    Attributes:
        index: the number of the item, from 0.
        scores: by metric; NaN where a metric failed or the score is undefined. Empty for an item that cannot be read.
        rows: by metric, the numbers that corpus scores are summed from; metrics that failed have none.
        errors, causes: the message and the error of each metric that failed, by its name; those of an item that cannot
            be read have the name ``""``.
        item, kept: the analysed item, and its evidence as plain data, where they were kept.
    """

    index: int
    scores: dict[str, float]
    rows: dict[str, Row] = field(default_factory=dict, repr=False)
    errors: dict[str, str] = field(default_factory=dict)
    causes: dict[str, SemaError] = field(default_factory=dict, repr=False, compare=False)
    item: Item | None = field(default=None, repr=False, compare=False)
    kept: Mapping[str, Any] | None = field(default=None, repr=False, compare=False)

    @property
    def error(self) -> str | None:
        """The message that says why scores are missing; ``None`` if nothing failed."""
        return "; ".join(dict.fromkeys(self.errors.values())) or None

    @property
    def cause(self) -> SemaError | None:
        """The first error."""
        return next(iter(self.causes.values()), None)

    def without(self, causes: Mapping[str, SemaError]) -> ItemScore:
        """The item without the scores of the metrics that failed; ``causes`` has their errors by name."""
        if not causes:
            return self
        scores = {**self.scores, **dict.fromkeys(causes, math.nan)}
        rows = {name: row for name, row in self.rows.items() if name not in causes}
        item = replace(self, scores=scores, rows=rows, causes={**self.causes, **causes})
        return item.placed(lambda error, _: str(error))

    def placed(self, place: Callable[[SemaError, int], str]) -> ItemScore:
        """The item with the error texts ``place(error, item number)``."""
        errors = {name: place(cause, self.index) for name, cause in self.causes.items()}
        return replace(self, errors={**self.errors, **errors})

    def failures(self, system: str) -> Iterator[Failure]:
        """The failures: of each metric that failed, or of the item as a whole."""
        for name, error in self.errors.items():
            yield Failure(system, self.index, error, name or None)

    def to_dict(self) -> dict[str, Any]:
        """The row that ``--per-item`` writes, without the system's name; NaN becomes ``None``."""
        row: dict[str, Any] = {"item": self.index, "scores": plain_scores(self.scores)}
        if self.error is not None:
            row["error"] = self.error
        return row

    def evidence(self) -> dict[str, Any]:
        """The item's evidence, where it was kept, as plain data: tokens, Scenes, and the metrics' explanations."""
        broken = {} if self.error is None or self.rows else {"error": self.error}
        return {"item": self.index, **(broken if self.kept is None else self.kept)}


class AskedEvidence(Mapping[str, Any]):
    """An item's evidence (:func:`evidence_of`), gathered when it is first read; a pickle holds it as a dict."""

    def __init__(self, item: Item, metrics: Sequence[Metric], failed: Collection[str]) -> None:
        self._asked = item, metrics, failed

    @cached_property
    def _shown(self) -> dict[str, Any]:
        with contained():
            return evidence_of(*self._asked)

    def __getitem__(self, name: str) -> Any:
        return self._shown[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown)

    def __len__(self) -> int:
        return len(self._shown)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (self._shown,)


def evidence_of(item: Item, metrics: Sequence[Metric], failed: Collection[str]) -> dict[str, Any]:
    """An item's evidence: tokens, each Scene's sentence and its centers, and the explanations of ``metrics``.

    ``links[s]`` are those to output sentence ``s``: source index, index in the sentence, kind. Metrics in ``failed``
    are skipped; ``unexplained`` has the errors of others that cannot explain the item, by name. An explanation that
    has one of :data:`OWN_KEYS`, or another value for a key of an earlier metric, is kept under the metric's name.
    """
    shown: dict[str, Any] = {
        "source": list(item.source.words),
        "source_sentences": [list(span) for span in item.source.sentences],
        "sentences": [list(words) for words in item.output.sentence_words],
        "scenes": [scene.to_dict() for evidence in item.evidence for scene in evidence.scenes],
    }
    if item.links and item.error_of([Need.LINKS]) is None:
        shown["links"] = [[list(link[:3]) for link in sentence] for sentence in item.links]
    for metric in metrics:
        if metric.name in failed:
            continue
        try:
            (seen,) = guarded([item], {*metric.requires, *metric.shows}, metric.name)
            explained = metric.explain(seen)
            own = OWN_KEYS & explained.keys() and not isinstance(explained, SharedEvidence)
            if own or any(key in shown and shown[key] != value for key, value in explained.items()):
                if metric.name in OWN_KEYS | shown.keys():
                    raise InputError(f"the evidence already has a key {metric.name!r}; rename the metric")
                explained = {metric.name: dict(explained)}
            shown.update(explained)
        except NOT_THE_ITEMS_FAULT:
            raise
        except Exception as error:
            shown.setdefault("unexplained", {})[metric.name] = one_line(error)
    return shown


def summable(item: ItemScore, widths: dict[str, int]) -> ItemScore:
    """The item without scores whose rows cannot be summed: they differ in length from earlier items' (``widths``)."""
    errors: dict[str, SemaError] = {}
    for name, row in item.rows.items():
        width = widths.setdefault(name, len(row))
        if len(row) != width:
            what = f"it returns {len(row)} numbers for this item and {width} for others"
            errors[name] = InputError(f"{name} cannot score this item ({what}); leave the metric or the item out")
    return item.without(errors)


def warn_of_doubts(part: Sequence[Sequence[ItemScore]], metrics: Sequence[Metric], warned: set[str]) -> None:
    """Warn of each metric's first score that is doubtful or out of its range, once (``warned``)."""
    for metric, item in product(metrics, (item for items in part for item in items)):
        if metric.name in item.rows and metric.name not in warned and (doubt := _doubt(metric, item)):
            warned.add(metric.name)
            score = f"{metric.name} {item.scores[metric.name]:.2f}"
            message = f"item {item.index} has {score}: it {doubt}; others may be like it"
            warnings.warn(message, SemaWarning, stacklevel=4)


def _doubt(metric: Metric, item: ItemScore) -> str:
    least, most = metric.range
    outside = item.scores[metric.name] < least or item.scores[metric.name] > most
    beyond = f"is outside the range that the metric states, {least:g} to {most:g}: correct the score or the range"
    return metric.doubt(item.rows[metric.name]) or (beyond if outside else "")


def plain_scores(scores: Mapping[str, float]) -> dict[str, float | None]:
    """Scores for JSON: NaN (undefined, or the metric failed) becomes ``None``."""
    return {name: None if math.isnan(value) else value for name, value in scores.items()}


class ItemColumns(Sequence[ItemScore]):
    """One system's items as columns of numbers; items with an error or with evidence are kept as objects too."""

    def __init__(self, metrics: Sequence[str], items: Iterable[ItemScore] = ()) -> None:
        self.metrics = tuple(metrics)
        self._count = 0
        self._scores = {name: array("d") for name in self.metrics}
        self._rows = {name: array("d") for name in self.metrics}
        self._widths: dict[str, int] = {}
        self._objects: dict[int, ItemScore] = {}
        self.extend(items)

    def extend(self, items: Iterable[ItemScore]) -> None:
        """Append items; they are numbered in order of arrival, and a metric's rows must have equal length."""
        for item in items:
            if item.errors or item.item is not None or item.kept is not None:
                self._objects[self._count] = replace(item, index=self._count)
            for name in self.metrics:
                self._scores[name].append(item.scores.get(name, math.nan))
                self._extend_rows(name, item.rows.get(name))
            self._count += 1

    def _extend_rows(self, name: str, row: Row | None) -> None:
        """Append a row, or zeros for an item without scores: they add nothing to a sum."""
        if row is not None and name not in self._widths:
            self._widths[name] = len(row)
            self._rows[name].extend([0.0] * (len(row) * self._count))
        width = self._widths.get(name, 0)
        if row is not None and len(row) != width:
            raise InputError(f"{name} gives rows of {width} and of {len(row)} numbers; mend the metric")
        self._rows[name].extend([0.0] * width if row is None else row)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> ItemScore: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[ItemScore, ...]: ...

    def __getitem__(self, index: int | slice) -> ItemScore | tuple[ItemScore, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(self._count)))
        place = range(self._count)[index]
        if place in self._objects:
            return self._objects[place]
        scores = {name: self._scores[name][place] for name in self.metrics}
        widths = self._widths.items()
        rows = {name: tuple(self._rows[name][place * width : (place + 1) * width]) for name, width in widths}
        return ItemScore(place, scores, rows)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(own == its for own, its in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{self._count} items>"

    @property
    def failed(self) -> list[ItemScore]:
        """The items that at least one metric could not score."""
        return [item for item in self._objects.values() if item.errors]

    def placed(self, place: Callable[[SemaError, int], str]) -> ItemColumns:
        """A copy whose error texts are ``place(error, item number)``."""
        moved = ItemColumns(self.metrics)
        moved.__dict__.update(self.__dict__)
        moved._objects = {index: item.placed(place) for index, item in self._objects.items()}
        return moved

    def sums(self, name: str) -> Row:
        """The exact sum of a metric's rows, rounded once; empty if no item could be scored."""
        rows, width = self._rows[name], self._widths.get(name, 0)
        return tuple(math.fsum(rows[column::width]) for column in range(width))

    def exact_sums(self) -> dict[str, list[list[float]]]:
        """By metric, the exact sum of each column of its rows (:func:`exact_parts`)."""
        return {
            name: [exact_parts(self._rows[name][column::width]) for column in range(width)]
            for name, width in self._widths.items()
        }

    def values(self, name: str) -> NDArray[float64]:
        """A metric's scores (items,); NaN for an item without one."""
        import numpy as np

        return np.array(self._scores[name])

    def table(self, name: str) -> NDArray[float64]:
        """A metric's rows (items, width of a row); zeros for an item without one."""
        import numpy as np

        return np.array(self._rows[name]).reshape(self._count, self._widths.get(name, 0))

    def scored(self, name: str) -> int:
        """How many items have a score by a metric."""
        return sum(score == score for score in self._scores[name])


def exact_parts(values: Sequence[float]) -> list[float]:
    """The exact sum as a short list of floats: lists of chunks add up, to the last bit, to that of all values."""
    parts: list[float] = []
    rest = math.fsum(values)
    while rest:
        parts.append(rest)
        if not math.isfinite(rest):
            break
        rest = math.fsum([*values, *(-part for part in parts)])
    return parts
