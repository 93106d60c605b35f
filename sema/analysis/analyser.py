"""From texts to items for metrics, in four steps over drafts of the items (:class:`Draft`).

======= ================================= =========================================================================
step    needs                             gives
======= ================================= =========================================================================
segment sources and outputs               the texts of both, the caller's Scenes and links beside them
parse   texts, the caller's Scenes        the Scenes of sources, the scene graphs of outputs, the encoder's states
align   texts, states, the caller's links links, and the weight of every link
read    all that the steps before give    items: the evidence of Scenes, likely links, states, findings
======= ================================= =========================================================================

A step does only what the metrics need. A source that occurs again is parsed once; a pair of sentences that occurs again
in one system is aligned once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from sema.analysis.matching import AS_PUBLISHED, Matching
from sema.analysis.pairs import Links, Weights, align, likely_pairs, linked_pairs, weigh
from sema.analysis.source import SourceAnalysis
from sema.analysis.text_analyser import TextAnalyser
from sema.analysis.texts import Readable, around_errors, first_error
from sema.errors import SemaError
from sema.meaning.evidence import find
from sema.model.item import Item, Need, with_included
from sema.model.language import Parts
from sema.model.links import GivenLinks
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema.plugins import contained
from sema.runtime.forks import SharedLock
from sema.runtime.threads import LoadsAhead

Given = Sequence[GivenLinks | SemaError]
"""For each item of one system the given links, or the error raised by reading them."""
_PARSED = Need.GRAPHS, Need.OUTPUT_SCENES
"""The needs for which sources (first) and outputs (second) are parsed."""
_SHOWN = frozenset({*_PARSED, Need.LINK_WEIGHTS})
"""Needs of evidence that are computed only for explained items, unless scores need them too."""
_NO_TEXT = Text("", (), ())


@dataclass(slots=True, eq=False)
class Draft:
    """A source and an output on the way to an item. A draft with an ``error``, of a text, takes no further step.

    Attributes:
        source: the source, with its Scenes once it is parsed.
        output: the output.
        given: the caller's links, or the error raised by reading them.
        graphs: the scene graphs of the output's sentences.
        links, weights: those of each output sentence; ``None`` until they are found.
        invalid: why parts are missing, by the needs that they are for.
    """

    source: SourceAnalysis
    output: Text
    given: GivenLinks | SemaError | None = None
    graphs: Sequence[SceneGraph] = ()
    links: Links | None = None
    weights: Weights | None = None
    error: SemaError | None = None
    invalid: dict[Need, SemaError] = field(default_factory=dict)

    @property
    def pair(self) -> tuple[Text, Text]:
        """Source and output; Scenes that were read from a file may have brought other sentences of the source."""
        return self.source.text, self.output

    def placed_links(self) -> Links | SemaError:
        """The caller's links in the tokens of the texts, or the error that says why they cannot be used."""
        try:
            return self.given.place(*self.pair) if isinstance(self.given, GivenLinks) else self.given or ()
        except SemaError as error:
            return error


class Analyser:
    """Runs the parts of a language, or of a pair of languages, that ``needs`` asks for, with caches.

    Threads take turns. ``shows`` are needs of explained items; the Scenes and link weights among them are computed only
    for such items. With ``parse_whole`` a source is one sentence, however many the segmenter finds.
    """

    def __init__(
        self,
        parts: Parts,
        needs: Collection[Need] = (),
        matching: Matching = AS_PUBLISHED,
        *,
        shows: Collection[Need] = (),
        parse_whole: bool = False,
    ) -> None:
        self.parts = parts
        self.matching = matching
        shown = with_included(shows)
        self.needs = with_included(needs) | (shown - _SHOWN)
        if Need.LIKELY_LINKS in self.needs:
            self.needs |= {Need.LINKS if parts.chooses_links else Need.LINK_WEIGHTS}
        self._explained = self.needs | shown
        self.parse_whole = parse_whole
        self.outputs = TextAnalyser(parts)
        self.sources = self.outputs if parts.of_sources is parts else TextAnalyser(parts.of_sources)
        self._lock = SharedLock()
        self._loads = True

    @property
    def needs_links(self) -> bool:
        """Whether words are aligned."""
        weighs_links = Need.LINK_WEIGHTS in self.needs and self.parts.probabilistic_aligner is None
        return weighs_links or Need.LINKS in self.needs

    @property
    def uses_links(self) -> bool:
        """Whether scores depend on links, which the caller may give."""
        return self.needs_links or Need.LIKELY_LINKS in self.needs

    def parses(self, side: int) -> bool:
        """Whether scores need sources (0) or outputs (1) parsed."""
        return _PARSED[side] in self.needs

    @contained()
    def align(self, pairs: Sequence[tuple[Text, Text]]) -> list[Links]:
        """For each pair the links of each output sentence, in long passages to sentences with shared rare words."""
        return align(self.parts.aligner, pairs)

    @contained()
    def weigh(self, pairs: Sequence[tuple[Text, Text]], links: Sequence[Links]) -> list[Weights]:
        """For each source and output the probability of every link (:attr:`sema.model.item.Item.link_weights`).

        Without a probabilistic aligner these are the strengths of the ``links``' kinds.
        """
        return weigh(self.parts.probabilistic_aligner, pairs, links)

    def items(
        self, sources: Sequence[Readable], outputs: Sequence[Readable], *, segment: bool = False
    ) -> list[Item | SemaError]:
        """The items of sources and their outputs (:meth:`prepare`), or the error of one that lacks a part."""
        (found,) = self.prepare(sources, [outputs], segment=segment)
        return [item if isinstance(item, SemaError) else next(iter(item.invalid.values()), item) for item in found]

    @contained()
    def prepare(
        self,
        sources: Sequence[Readable],
        outputs: Sequence[Sequence[Readable]],
        *,
        segment: bool,
        scenes: Sequence[SourceAnalysis | SemaError] | None = None,
        links: Sequence[Given] | None = None,
        explains: bool = False,
    ) -> list[list[Item | SemaError]]:
        """Items for every system: ``outputs[k][i]`` is system k's output for source i. An error replaces an item whose
        texts cannot be read; parts that cannot be found are ``invalid`` (:class:`sema.model.item.Item`).

        ``segment`` makes one evidence for each source sentence. ``scenes`` are analyses read from files, ``links`` the
        caller's links for every system. With ``explains`` the items carry what their evidence needs.
        """
        needs = self._explained if explains else self.needs
        found = []
        with self._lock:
            self._load_ahead(sources, outputs, needs, parsed=scenes is not None)
            self._announce_states(aligns=links is None)
            systems = self._segment(sources, outputs, scenes, links)
            if scenes is None:
                self._parse([draft for drafts in systems for draft in drafts], 0, needs)
            for drafts in systems:
                self._parse(drafts, 1, needs)
                self._align(drafts, needs)
                found.append(self._read(drafts, needs, segment=segment))
        return found

    def _load_ahead(
        self,
        sources: Sequence[Readable],
        outputs: Sequence[Sequence[Readable]],
        needs: Collection[Need],
        *,
        parsed: bool,
    ) -> None:
        """Have the networks that the first texts need loaded while other parts are made and texts are segmented."""
        if not self._loads:
            return
        self._loads = False
        used: list[object] = []
        with suppress(SemaError):  # what cannot be made costs the scores that need it, when they need it
            for side, analyser in enumerate((self.sources, self.outputs)):
                if self._is_parsed(side, needs) and (side or not parsed):
                    used.append(analyser.parts.extractor)
            if Need.MEANING in needs and any(list(texts) != list(sources) for texts in outputs):  # copies are not read
                used.append(self.parts.reader)
        for part in dict.fromkeys(used):
            if isinstance(part, LoadsAhead):
                part.load_ahead()

    def _is_parsed(self, side: int, needs: Collection[Need]) -> bool:
        """Whether sources (0) or outputs (1) are parsed, for scores or for evidence."""
        extractors = (self.sources, self.outputs)[side].parts.language.extractors
        return self.parses(side) or (_PARSED[side] in needs and bool(extractors))

    def _announce_states(self, *, aligns: bool) -> None:
        """Have encoders keep the states of what is parsed, if an aligner or a metric reads them later."""
        if aligns and self.needs_links:
            _ = self.parts.aligner  # an aligner that needs states says so when it is built
        if aligns and Need.LINK_WEIGHTS in self.needs:
            _ = self.parts.probabilistic_aligner
        if Need.STATES in self.needs:
            for parts in (self.parts.of_sources, self.parts):
                if parts.encoder is not None:
                    parts.encoder.keep_states()

    def _segment(
        self,
        sources: Sequence[Readable],
        outputs: Sequence[Sequence[Readable]],
        scenes: Sequence[SourceAnalysis | SemaError] | None,
        links: Sequence[Given] | None,
    ) -> list[list[Draft]]:
        """Needs sources and outputs; gives each system's drafts, with texts.

        Given Scenes are the source's, and bring its tokens, whatever the metrics need.
        """
        first: list[Text | SemaError] = around_errors(sources, self.sources.segment)
        if self.parse_whole:
            first = [
                replace(text, sentences=((0, len(text.tokens)),)) if isinstance(text, Text) and text.tokens else text
                for text in first
            ]
        none: Sequence[Any] = [None] * len(sources)
        analyses = [
            text
            if isinstance(text, SemaError)
            else given
            if isinstance(given, SourceAnalysis)
            else SourceAnalysis(text)
            for text, given in zip(first, scenes or none, strict=True)
        ]
        broken = [{Need.GRAPHS: given} if isinstance(given, SemaError) else {} for given in scenes or none]
        return [
            [
                Draft(SourceAnalysis(_NO_TEXT), _NO_TEXT, error=first_error(source, output))
                if isinstance(source, SemaError) or isinstance(output, SemaError)
                else Draft(source, output, own, invalid={**invalid})
                for source, output, own, invalid in zip(
                    analyses, around_errors(texts, self.outputs.segment), given, broken, strict=True
                )
            ]
            for texts, given in zip(outputs, links or [none] * len(outputs), strict=True)
        ]

    def _parse(self, drafts: Sequence[Draft], side: int, needs: Collection[Need]) -> None:
        """Needs texts; gives the Scenes of sources (0) or the graphs of outputs (1), as far as they are needed."""
        analyser, drafts = self.outputs if side else self.sources, _sound(drafts)
        if self._is_parsed(side, needs):
            texts = [draft.output if side else draft.source.text for draft in drafts]
            found: Sequence[Any] = analyser.graphs(texts) if side else analyser.analyse(texts)
            _fill(drafts, "graphs" if side else "source", found, _PARSED[side])

    def _align(self, drafts: Sequence[Draft], needs: Collection[Need]) -> None:
        """Needs texts, and the states that parsing leaves; gives links (the caller's, if any) and their weights."""
        weighs = Need.LINK_WEIGHTS in needs
        given = [draft for draft in _sound(drafts) if draft.given is not None]
        linked = [Need.LINKS, Need.LIKELY_LINKS, *([] if self.parts.probabilistic_aligner else [Need.LINK_WEIGHTS])]
        _fill(given, "links", map(Draft.placed_links, given), *linked)
        for draft in given:
            if draft.links is None:  # its own links are wrong, and others are not what was asked for
                draft.links = ((),) * len(draft.output.sentences)
        if self.needs_links or (weighs and self.parts.probabilistic_aligner is None):
            unlinked = [draft for draft in _sound(drafts) if draft.links is None]
            _fill(unlinked, "links", self.align([draft.pair for draft in unlinked]))
        if weighs:
            sound = _sound(drafts)
            weights = self.weigh([draft.pair for draft in sound], [draft.links or () for draft in sound])
            _fill(sound, "weights", weights)

    def _read(self, drafts: Sequence[Draft], needs: frozenset[Need], *, segment: bool) -> list[Item | SemaError]:
        """Needs Scenes, graphs, links and weights; gives items, with their states, evidence and findings."""
        items = [self._item(draft, needs, segment=segment) for draft in _sound(drafts)]
        if Need.STATES in needs:
            first = self.sources.states([item.source for item in items])
            second = self.outputs.states([item.output for item in items])
            together = zip(items, first, second, strict=True)
            items = [replace(item, source_states=one, output_states=other) for item, one, other in together]
        function_words = self.parts.of_sources.function_words, self.parts.function_words
        if Need.MEANING in needs and items:
            found = find(items, function_words, self.parts.reader)
            items = [replace(item, findings=one) for item, one in zip(items, found, strict=True)]
        if Need.MEANING_BY_LINKS in needs:
            found = find(items, function_words)
            items = [replace(item, findings_by_links=one) for item, one in zip(items, found, strict=True)]
        made = iter(items)
        return [draft.error or next(made) for draft in drafts]

    def _item(self, draft: Draft, needs: frozenset[Need], *, segment: bool) -> Item:
        links, weights = draft.links or (), draft.weights or ()
        item = Item(
            *draft.pair,
            links=links,
            graphs=draft.source.graphs,
            scenes=draft.source.scenes,
            output_graphs=tuple(draft.graphs),
            link_weights=weights,
            provides=needs,
            invalid=draft.invalid,
        )
        if Need.SCENES in needs and item.error_of([Need.SCENES]) is None:
            evidence = draft.source.evidence(links, segment=segment, matching=self.matching)
            item = replace(item, evidence=evidence)
        if Need.LIKELY_LINKS in needs:
            chosen = draft.given is not None or self.parts.chooses_links
            item = replace(item, likely_links=linked_pairs(links) if chosen else likely_pairs(weights))
        return item


def _sound(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts without an error."""
    return [draft for draft in drafts if draft.error is None]


def _fill(drafts: Sequence[Draft], part: str, found: Iterable[Any], *needs: Need) -> None:
    """Fill a part into drafts; an error leaves it as it is, and is why the draft lacks what is for these ``needs``."""
    for draft, made in zip(drafts, found, strict=True):
        if isinstance(made, SemaError):
            draft.invalid = {**dict.fromkeys(needs, made), **draft.invalid}
        else:
            setattr(draft, part, made)
