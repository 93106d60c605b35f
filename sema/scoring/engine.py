"""The engine: a language's parts and bound metrics, built from a picklable plan, scores chunks of items."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import islice
from traceback import clear_frames
from typing import Any, Literal

from sema.analysis.analyser import Analyser
from sema.analysis.matching import Matching
from sema.analysis.pairs import SIGNATURE as PAIRS
from sema.analysis.pairs import WEIGHED_SIGNATURE as WEIGHED_PAIRS
from sema.analysis.placing import digest
from sema.analysis.source import SourceAnalysis
from sema.errors import InputError, ResourceError, SemaError, counted, one_line
from sema.languages import find_language
from sema.metrics.base import Metric, Row, in_range, number, renamed
from sema.metrics.operations import operations, select_references
from sema.model.item import Item, Need, guarded, has_references
from sema.model.language import Language, Parts
from sema.model.links import Aligner
from sema.model.links import digest as links_digest
from sema.model.scene_graph import SceneExtractor
from sema.options import Settings
from sema.plugins import contained, foreign_distributions, is_own_distribution
from sema.runtime.checksums import DIGITS, digest_of
from sema.runtime.forks import cached_property
from sema.runtime.threads import go_on
from sema.runtime.version import signed_version
from sema.scoring.chunk import Inputs, split_on_error
from sema.scoring.coerce import coerced
from sema.scoring.item_scores import NOT_THE_ITEMS_FAULT, AskedEvidence, ItemScore, evidence_of

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


class WrongShape(ResourceError):
    """A metric returns more or fewer rows than items, so its rows cannot be assigned to items."""


ChunkScores = list[list[ItemScore]]
"""For each system, the scores of a chunk's items."""

Measured = tuple[Row, float]
"""A metric's row and score of one item."""


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
    """How many references of each item only split, only reword, and do anything. Each output is scored against those
    that match its own operations."""


class Engine:
    """Executes a plan. Models load on first use and stay loaded; sources, parses and links are cached."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.matching = plan.settings.build(MATCH, Matching)
        self.language = find_language(plan.language) if isinstance(plan.language, str) else plan.language
        self.parts: Parts = self.language.parts(extractor=plan.extractor, aligner=plan.aligner, settings=plan.settings)
        self._across = self.language.sides is not None

    def __reduce__(self) -> tuple[type[Engine], tuple[Plan]]:
        """Pickle the plan: an engine is rebuilt from it in the other process."""
        return Engine, (self.plan,)

    @cached_property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics, bound to the language."""
        with contained():
            return tuple(renamed(metric.bind(self.parts), metric.name) for metric in self.plan.metrics)

    @cached_property
    def analyser(self) -> Analyser:
        """The analyser that prepares items for the metrics."""
        needs = {need for metric in self.metrics for need in metric.requires}
        if self.plan.select_references:
            needs.add(Need.LIKELY_LINKS)
        shows = {need for metric in self.metrics for need in metric.shows}
        return Analyser(self.parts, needs, self.matching, shows=shows, parse_whole=self.plan.parse_whole)

    @property
    def unread_options(self) -> list[str]:
        """The options that were set for the matching, an extractor or an aligner and that no score depends on."""
        read = {MATCH: Need.SCENES in self.analyser.needs}
        for side, parts in enumerate((self.parts.of_sources, self.parts)):
            for name in parts.language.extractors:
                read[name] = read.get(name, False) or (self.analyser.parses(side) and name == parts.chosen_extractor)
        for name in self.parts.language.aligners:
            read[name] = self.analyser.uses_links and name == self.parts.chosen_aligner
        return [option for option in self.plan.settings.values if not read.get(option.partition(".")[0], True)]

    @contained()
    def load(self) -> None:
        """Load what scoring needs, by scoring a pair of texts with words and figures."""
        source, output = "The old cat sat on 2 mats. It slept.", "A cat was sitting on mats."
        references = [[output] * sum(self.plan.select_references or (1,))]
        pair = coerced([source], [output], references, targets=[2])
        self.score(pair, keep=Keep.EVIDENCE)

    @contained()
    def signature(self, given: Inputs | None = None) -> str:
        """Everything that determines the numbers, as ``key:value|…``; ``given`` may have tokens, scenes and links."""
        scenes, links = (given.scenes, given.links) if given else (None, None)
        needs = self.analyser.needs
        parts = {"lang": self.language.code, "level": self.plan.level}
        if data := dict.fromkeys([*self.parts.of_sources.data, *self.parts.data]):
            parts["data"] = digest_of(*data)
        if self.plan.level == "passage":
            parts["segment"] = "yes" if self.plan.segment else "no,parse=whole" if self.plan.parse_whole else "no"
        parts["text"] = self.parts.of_sources.segmenter.signature
        if self._across:
            parts["text"] += f",outputs={self.parts.segmenter.signature}"
        if given is not None and given.tokenized:
            parts["text"] += ",tokens=given"
        if scenes is not None or self.analyser.parses(0) or self.analyser.parses(1):
            parts["scenes"] = self._parsers(scenes)
        if Need.SCENES in needs:
            parts["match"] = self.matching.signature
        if links is not None and self.analyser.uses_links:
            parts["align"] = f"given,sha256={links_digest(links.values())}"
        elif self.analyser.needs_links:
            parts["align"] = f"{self.parts.aligner.signature},pairs={PAIRS}"
        probable = self.parts.probabilistic_aligner if Need.LINK_WEIGHTS in needs else None
        if probable is not None and probable is not self.parts.aligner:
            parts["weights"] = f"{probable.signature},pairs={WEIGHED_PAIRS}"
        if Need.STATES in needs and self.parts.encoder is not None:
            parts["encoder"] = self.parts.encoder.signature
        if self.plan.select_references:
            parts["references"] = "selected"
        parts["metrics"] = "+".join(metric.full_name for metric in self.metrics if not metric.signature)
        parts.update({metric.name: metric.signature for metric in self.metrics if metric.signature})
        languages = {self.language.source, *(side.source for side in self.language.sides or ())}
        plugins = {source for source in languages if source and not is_own_distribution(source)}
        parts["plugins"] = "+".join(sorted(plugins | foreign_distributions(*self._used(), *self.metrics)))
        parts["sema"] = signed_version()
        return _shown_once("|".join(f"{key}:{value.replace('|', ';')}" for key, value in parts.items() if value))

    def _used(self) -> Iterator[object]:
        """The segmenters, and the extractors and aligner that metrics need."""
        for side, parts in enumerate((self.parts.of_sources, self.parts)):
            yield parts.segmenter
            if self.analyser.parses(side):
                yield parts.extractor
        if self.analyser.needs_links:
            yield self.parts.aligner

    def _parsers(self, scenes: Sequence[SourceAnalysis | SemaError] | None) -> str:
        """The signature's entry for Scenes: how the sources' are found, and the outputs' where that differs."""
        found = []
        if scenes is not None:
            found.append(f"file,sha256={digest(scenes)}")
        elif self.analyser.parses(0) or not self._across:
            found.append(self.parts.of_sources.extractor.signature)
        if self.analyser.parses(1) and (scenes is not None or self._across):
            found.append(f"outputs={self.parts.extractor.signature}")
        return ",".join(found)

    @contained()
    def score(self, chunk: Inputs, *, keep: Keep) -> ChunkScores:
        """The scores of a chunk's items for every system.

        An item that fails, or that a metric fails on, carries the error; its other scores and other items stay.
        """
        return [self._score(chunk, items, keep) for items in self._prepare(chunk, keep)]

    def _prepare(self, chunk: Inputs, keep: Keep) -> list[list[Item | SemaError]]:
        """Each system's items; an item that cannot be analysed is replaced by its error."""
        try:
            return self.analyser.prepare(
                chunk.sources,
                list(chunk.systems.values()),
                segment=self.plan.segment and self.plan.level == "passage",
                scenes=chunk.scenes,
                links=None if chunk.links is None else list(chunk.links.values()),
                explains=keep is not Keep.NOTHING,
            )
        except (*NOT_THE_ITEMS_FAULT, ResourceError):
            raise
        except Exception as error:
            # One item or one system's output fails: prepare them one by one, so that the others keep their scores.
            divided = split_on_error(chunk, lambda parts: [self._prepare(part, keep) for part in parts])
            if divided is not None:
                return divided
            return [[_item_error(error, "this item cannot be analysed", "take it out of every file")]]

    def _score(self, chunk: Inputs, items: Sequence[Item | SemaError], keep: Keep) -> list[ItemScore]:
        references = [()] * len(chunk) if chunk.references is None else chunk.references
        targets = [None] * len(chunk) if chunk.targets is None else chunk.targets
        complete = [
            self._completed(item, texts, target) if isinstance(item, Item) else item
            for item, texts, target in zip(items, references, targets, strict=True)
        ]
        usable = {index: item for index, item in enumerate(complete, chunk.start) if isinstance(item, Item)}
        measured = {metric.name: self._measured(metric, usable) for metric in self.metrics}
        return [
            self._item_score(index, item, {name: column[index] for name, column in measured.items()}, keep)
            if isinstance(item, Item)
            else ItemScore(index, {}, errors={"": str(item)}, causes={"": item})
            for index, item in enumerate(complete, chunk.start)
        ]

    def _item_score(
        self, index: int, item: Item, measured: Mapping[str, Measured | SemaError], keep: Keep
    ) -> ItemScore:
        failed = {name: error for name, error in measured.items() if isinstance(error, SemaError)}
        scored = {name: result for name, result in measured.items() if not isinstance(result, SemaError)}
        kept: Mapping[str, Any] | None = None
        if keep is not Keep.NOTHING:
            kept = (evidence_of if keep is Keep.EVIDENCE else AskedEvidence)(item, self.metrics, failed)
        return ItemScore(
            index,
            {name: scored[name][1] if name in scored else math.nan for name in measured},
            {name: row for name, (row, _) in scored.items()},
            item=item if keep is Keep.ITEMS else None,
            kept=kept,
        ).without(failed)

    def _completed(self, item: Item, texts: tuple[str, ...] | InputError, target: float | InputError | None) -> Item:
        """The item with its references and its target, or with the errors in their place."""
        given = {Need.REFERENCES: texts, Need.TARGET: target}
        invalid: dict[Need, SemaError] = {need: value for need, value in given.items() if isinstance(value, SemaError)}
        references = () if isinstance(texts, SemaError) else texts
        if self.plan.select_references is not None and references:
            if unlinked := item.error_of([Need.LIKELY_LINKS]):
                invalid[Need.REFERENCES] = unlinked
            left = iter(references)
            sets = [tuple(islice(left, size)) for size in self.plan.select_references]
            references = select_references(operations(item), *sets)
        target = None if isinstance(target, SemaError) else target
        return replace(item, references=references, target=target, invalid={**item.invalid, **invalid})

    def _measured(self, metric: Metric, items: Mapping[int, Item]) -> dict[int, Measured | SemaError]:
        """The row and score of every item, by its number, or the error of the metric that fails on it."""
        measured: dict[int, Measured | SemaError] = {}
        for index, item in items.items():
            if error := item.error_of(metric.requires):
                measured[index] = error
            elif Need.REFERENCES in metric.requires and not has_references(item):
                what = f"{metric.name} needs a reference, and this item has none; give one"
                measured[index] = InputError(what, item=index)
        usable = {index: item for index, item in items.items() if index not in measured}
        go_on()
        try:
            with contained():
                return measured | dict(zip(usable, _measure(metric, list(usable.values())), strict=True))
        except (*NOT_THE_ITEMS_FAULT, WrongShape):
            raise
        except Exception as error:
            if len(usable) > 1:  # score them one by one, so that the others keep their scores
                alone = (self._measured(metric, {index: item}) for index, item in usable.items())
                return measured | {index: result for found in alone for index, result in found.items()}
            failed = _item_error(error, f"{metric.name} cannot score this item", "leave the metric or the item out")
            return measured | dict.fromkeys(usable, failed)


_DIGEST = re.compile(rf"[+=:,]?(?<![0-9a-f])(?=\d*[a-f])[0-9a-f]{{{DIGITS}}}(?![0-9a-z])")


def _shown_once(signature: str) -> str:
    """The signature without repeated digests: each stays only where it first occurs."""
    known: set[str] = set()

    def show(match: re.Match[str]) -> str:
        digest = match[0][-DIGITS:]
        return match[0] if digest not in known and not known.add(digest) else ""  # type: ignore[func-returns-value]

    return _DIGEST.sub(show, signature)


def _measure(metric: Metric, items: Sequence[Item]) -> list[Measured]:
    """Each item's row and score; ``WrongShape`` or ``ValueError`` if the metric returns something else."""
    if not items:
        return []
    rows = [tuple(map(number, row)) for row in metric.rows(guarded(items, metric.requires, metric.name))]
    if len(rows) != len(items):
        counts = f"{counted(len(rows), 'row')} for {counted(len(items), 'item')}"
        raise WrongShape(f"{metric.name} returns {counts}; repair the metric, or leave it out")
    measured = [(row, in_range(metric.item_value(row), metric.range)) for row in rows]
    for row, value in measured:
        numbers = (*row, value) if any(row) else row  # a row of zeros may mean that there is no score
        wrong = next((number for number in numbers if not math.isfinite(number)), None)
        if wrong is not None:
            raise ValueError(f"it returns {wrong}, which is not a number")
    return measured


def _item_error(cause: Exception, what: str, remedy: str) -> SemaError:
    """The error of an item; the cause's traceback keeps its lines but releases the items."""
    if isinstance(cause, SemaError):
        return cause
    place = cause.__traceback__
    cause.__traceback__ = place and (place.tb_next or place)
    clear_frames(cause.__traceback__)
    error = InputError(f"{what} ({one_line(cause)[:200]}); {remedy}")
    error.__cause__ = cause
    return error
