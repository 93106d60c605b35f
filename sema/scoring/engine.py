"""The engine: a language's parts and bound metrics, built from a picklable plan, scores chunks of items."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, Executor
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from threading import Event
from traceback import clear_frames
from typing import Literal

from sema.analysis.analyser import Analyser, Reading
from sema.analysis.candidates import SIGNATURE as PAIRS
from sema.analysis.candidates import WEIGHED_SIGNATURE as WEIGHED_PAIRS
from sema.analysis.matching import Matching
from sema.analysis.placing import digest
from sema.analysis.source import SourceAnalysis
from sema.errors import InputError, ResourceError, SemaError, one_line
from sema.languages import find_language
from sema.metrics.base import Metric, Row, in_range
from sema.metrics.operations import operations, select_references
from sema.model.item import Item, Need
from sema.model.language import Language, Parts
from sema.model.links import Aligner, GivenLinks
from sema.model.links import digest as links_digest
from sema.model.scene_graph import SceneExtractor
from sema.options import Settings
from sema.runtime.memory import give_back
from sema.scoring.inputs import Chunk, apart
from sema.scoring.item_scores import ItemScore, evidence_of

Level = Literal["sentence", "passage"]


class Keep(StrEnum):
    """The data kept with an item's scores."""

    NOTHING = "nothing"
    EVIDENCE = "evidence"
    """Its evidence as plain data."""
    ITEMS = "items"
    """The analysed item itself."""


MATCH = "match"
"""The component of settings for :class:`~sema.analysis.matching.Matching`."""

NOT_THE_ITEMS_FAULT = (CancelledError, ImportError, MemoryError, SystemError)
"""Exceptions that end the scoring. Any other is the failure of a metric or of a language's part on one item."""

ChunkScores = list[list[ItemScore]]
"""For each system, the scores of a chunk's items."""


@dataclass(frozen=True)
class Plan:
    """Everything that determines a scorer's numbers, in picklable form for worker processes."""

    language: str | Language
    metrics: tuple[Metric, ...]
    level: Level = "sentence"
    segment: bool = True
    parse_whole: bool = False
    extractor: str | SceneExtractor | None = None
    aligner: str | Aligner | None = None
    settings: Settings = field(default_factory=Settings)
    select_references: tuple[int, int, int] | None = None
    """How many references of each item only split, only reword, and do anything: each output is scored against those
    that fit its own operations."""


class Engine:
    """Executes a plan. Models load on first use and stay loaded; sources, parses and links are cached."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.matching = plan.settings.build(MATCH, Matching)
        self.language = find_language(plan.language) if isinstance(plan.language, str) else plan.language
        self.parts: Parts = self.language.parts(extractor=plan.extractor, aligner=plan.aligner, settings=plan.settings)

    def __getstate__(self) -> Plan:
        """The plan: an engine is rebuilt from it in the other process."""
        return self.plan

    def __setstate__(self, plan: Plan) -> None:
        self.__init__(plan)  # type: ignore[misc]

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, bound to the language."""
        return tuple(metric.bind(self.parts) for metric in self.plan.metrics)

    @property
    def needs(self) -> frozenset[Need]:
        """Everything that the metrics require of an item."""
        asked = frozenset[Need]().union(*(metric.requires for metric in self.plan.metrics))
        return asked | {Need.LINKS} if self.plan.select_references else asked

    @cached_property
    def analyser(self) -> Analyser:
        """The analyser that prepares items for the metrics."""
        return Analyser(self.parts, self.needs, self.matching, parse_whole=self.plan.parse_whole)

    def signature(
        self,
        scenes: Sequence[SourceAnalysis | SemaError] | None = None,
        links: Mapping[str, Sequence[GivenLinks | SemaError]] | None = None,
    ) -> str:
        """Everything that determines the numbers, as ``key:value|…``.

        ``scenes`` were read instead of parsed; ``links`` were given, by system, instead of found.
        """
        from sema import __version__

        parts = {"lang": self.language.code, "level": self.plan.level}
        if self.plan.level == "passage":
            parts["segment"] = "yes" if self.plan.segment else "no,parse=whole" if self.plan.parse_whole else "no"
        parts["text"] = self.parts.segmenter.signature
        if self.needs & {Need.SCENES, Need.GRAPHS, Need.OUTPUT_SCENES}:
            parts["scenes"] = self.parts.extractor.signature if scenes is None else f"file,sha256={digest(scenes)}"
        if Need.SCENES in self.needs:
            parts["match"] = self.matching.signature
        if self.analyser.needs_links and links is not None:
            parts["align"] = f"given,sha256={links_digest(links.values())}"
        elif self.analyser.needs_links:
            parts["align"] = f"{self.parts.aligner.signature},pairs={PAIRS}"
        if links is None and Need.LINK_WEIGHTS in self.needs and self.parts.weigher not in (None, self.parts.aligner):
            assert self.parts.weigher is not None
            parts["weights"] = f"{self.parts.weigher.signature},pairs={WEIGHED_PAIRS}"
        if Need.STATES in self.needs and self.parts.encoder is not None:
            parts["encoder"] = self.parts.encoder.signature
        if self.plan.select_references:
            parts["references"] = "selected"
        parts.update({metric.name: metric.signature for metric in self.metrics if metric.signature})
        parts["sema"] = __version__
        return "|".join(f"{key}:{value.replace('|', ';')}" for key, value in parts.items())

    @property
    def ahead(self) -> int:
        """How many chunks to :meth:`read` while one is scored.

        Two keep the network busy while a chunk's last trees are built. Word states are cached for about two chunks, so
        it is one where a metric needs states.
        """
        if not self.analyser.reads_ahead:
            return 0
        return 1 if self.needs & {Need.LINK_WEIGHTS, Need.STATES} else 2

    def read(self, chunk: Chunk, pool: Executor, stop: Event) -> Reading:
        """Start to read a chunk's texts in threads of ``pool``, for :meth:`score`; only if :attr:`ahead` is not 0.

        Setting ``stop`` ends the reading.
        """
        return self.analyser.read(
            chunk.sources, chunk.outputs, pool, stop, scenes=chunk.scenes, aligns=chunk.links is None
        )

    def score(self, chunk: Chunk, *, keep: Keep, reading: Reading | None = None) -> ChunkScores:
        """The scores of a chunk's items for every system; ``reading`` is the result of :meth:`read`.

        An item that fails carries its error; the other items are unaffected.
        """
        segment = self.plan.segment and self.plan.level == "passage"
        prepared = self._prepare(chunk, segment, reading)
        found = [
            self._measure(chunk, items, errors, keep) for items, errors in zip(prepared, chunk.errors, strict=True)
        ]
        give_back()
        return found

    def _prepare(self, chunk: Chunk, segment: bool, reading: Reading | None = None) -> list[list[Item | SemaError]]:
        """Each system's items; an item that cannot be analysed is replaced by its error."""
        try:
            return self.analyser.prepare(
                chunk.sources, chunk.outputs, segment=segment, scenes=chunk.scenes, links=chunk.links, reading=reading
            )
        except Exception as error:
            if isinstance(error, (*NOT_THE_ITEMS_FAULT, ResourceError)):
                raise
            # One item or one system's output fails: prepare them one by one, so that the others keep their scores.
            divided = apart(chunk, lambda parts: [self._prepare(part, segment) for part in parts])
            if divided is not None:
                return divided
            if isinstance(error, SemaError):
                return [[error]]
            message = f"this item cannot be analysed ({one_line(error)[:200]}); take it out of every file"
            return [[_with_cause(InputError(message), error)]]

    def _measure(
        self, chunk: Chunk, items: Sequence[Item | SemaError], errors: Sequence[SemaError | None], keep: Keep
    ) -> list[ItemScore]:
        found = [error or item for error, item in zip(errors, items, strict=True)]
        complete = [
            replace(item, references=self._selected(item, texts)) if isinstance(item, Item) and texts else item
            for item, texts in zip(found, chunk.references, strict=True)
        ]
        if chunk.targets is not None:
            complete = [
                replace(item, target=target) if isinstance(item, Item) else item
                for item, target in zip(complete, chunk.targets, strict=True)
            ]
        measured = iter(self._values([item for item in complete if isinstance(item, Item)]))
        scored = []
        for index, item in enumerate(complete, chunk.start):
            result = item if isinstance(item, SemaError) else next(measured)
            if isinstance(result, SemaError):
                scored.append(ItemScore(index, {}, {}, str(result), result))
            else:
                rows, scores = result
                assert isinstance(item, Item)
                kept = {"item": index, **evidence_of(item, self.metrics)} if keep is not Keep.NOTHING else None
                scored.append(ItemScore(index, scores, rows, item=item if keep is Keep.ITEMS else None, kept=kept))
        return scored

    def _selected(self, item: Item, texts: tuple[str, ...]) -> tuple[str, ...]:
        """The references that an output is scored against."""
        if self.plan.select_references is None:
            return texts
        splitting, rewording, _ = self.plan.select_references
        middle = splitting + rewording
        return select_references(operations(item), texts[:splitting], texts[splitting:middle], texts[middle:])

    def _values(self, items: Sequence[Item]) -> list[tuple[dict[str, Row], dict[str, float]] | SemaError]:
        """Every item's rows and scores by metric; an item on which a metric fails is replaced by its error."""
        if not items:
            return []
        columns: list[list[tuple[Row, float]]] = []
        for metric in self.metrics:
            try:
                columns.append(_measured(metric, items))
            except Exception as error:
                if isinstance(error, NOT_THE_ITEMS_FAULT):
                    raise
                if len(items) > 1:  # score them one by one, so that the others keep their scores
                    return [result for item in items for result in self._values([item])]
                if isinstance(error, SemaError):
                    return [error]
                message = (
                    f"{metric.name} cannot score this item ({one_line(error)[:200]}); leave the metric or the item out"
                )
                return [_with_cause(InputError(message), error)]
        names = [metric.name for metric in self.metrics]
        return [
            (
                {name: row for name, (row, _) in zip(names, found, strict=True)},
                {name: value for name, (_, value) in zip(names, found, strict=True)},
            )
            for found in zip(*columns, strict=True)
        ]


def _measured(metric: Metric, items: Sequence[Item]) -> list[tuple[Row, float]]:
    """Each item's row and score.

    Raises:
        ValueError: the metric is broken: it gives more or fewer rows than items, or a number that is not finite.
    """
    rows = [tuple(map(float, row)) for row in metric.rows(items)]
    if len(rows) != len(items):
        raise ValueError(f"it returns {len(rows)} rows for {len(items)} items")
    found = [(row, in_range(metric.item_value(row), metric.range)) for row in rows]
    for row, value in found:
        if not all(map(math.isfinite, (*row, value))):
            raise ValueError(f"it returns {next(x for x in (*row, value) if not math.isfinite(x))}, which is no number")
    return found


def _with_cause(error: InputError, cause: Exception) -> InputError:
    """The error with its cause; the cause's traceback keeps its lines but releases the items."""
    place = cause.__traceback__
    cause.__traceback__ = place and (place.tb_next or place)
    clear_frames(cause.__traceback__)
    error.__cause__ = cause
    return error
