"""From texts to items for metrics: segment, extract Scenes, align, gather evidence, in batches.

A source that occurs again is parsed once; a pair of sentences that occurs again is aligned once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from sema.analysis.matching import AS_PUBLISHED, Matching
from sema.analysis.pairs import (
    ALL_PAIRS,
    KEPT,
    KEPT_WEIGHED,
    WEIGHED_PAIRS,
    LinkedPairs,
    by_sentences,
    joined_links,
    joined_weights,
    likely_pairs,
    link_strengths,
    linked_pairs,
)
from sema.analysis.rows import (
    Given,
    Links,
    Parsed,
    Reading,
    Row,
    Weights,
    count_words,
    parse_some,
    placed_links,
    reads_states,
)
from sema.analysis.source import SourceAnalysis
from sema.analysis.text_analyser import TextAnalyser
from sema.analysis.texts import RawText, Readable, around_errors, first_error
from sema.errors import SemaError
from sema.meaning.evidence import find
from sema.model.evidence import Evidence
from sema.model.item import Item, Need, with_included
from sema.model.language import Encoder, Parts
from sema.model.links import Pair, ProbabilisticAligner
from sema.model.text import Text
from sema.plugins import contained
from sema.runtime.caching import BUDGET
from sema.runtime.forks import SharedLock
from sema.runtime.threads import stoppable

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

GRAPH_WORD = 2_000
"""Bytes that a word of a scene graph takes."""
LONG, WINDOW = 40_000, 2_048
"""Texts of so many words or more are parsed and aligned in turns, and so many pairs of sentences in one turn."""


class Analyser:
    """Runs the parts of a language, or of a pair of languages, that ``needs`` asks for, with caches.

    Threads are serialised, except for reading ahead with an extractor that uses several threads. ``shows`` are needs of
    explained items; the Scenes and link weights among them are computed only for such items. With ``parse_whole`` a
    source is one sentence, however many the segmenter finds.
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
        self._sides = self.sources, self.outputs
        self._lock = SharedLock()
        self._segmenting = SharedLock()

    @property
    def needs_links(self) -> bool:
        """Whether words are aligned."""
        if Need.LINK_WEIGHTS in self.needs and self.parts.probabilistic_aligner is None:
            return True
        return Need.LINKS in self.needs

    def parses(self, side: int) -> bool:
        """Whether scores need sources (0) or outputs (1) parsed."""
        return _PARSED[side] in self.needs

    @contained()
    def align(self, pairs: Sequence[tuple[Text, Text]]) -> list[Links]:
        """For each source and output, the links of each output sentence in the source's token indexes.

        Each output sentence is aligned with every source sentence, in long passages with those that share rare words
        with it (:func:`sema.analysis.pairs.candidate_pairs`).
        """
        return by_sentences(pairs, self.parts.aligner.align, joined_links, ALL_PAIRS, KEPT)

    @contained()
    def weigh(self, pairs: Sequence[tuple[Text, Text]], links: Sequence[Links]) -> list[Weights]:
        """For each source and output the probability of every link (:attr:`sema.model.item.Item.link_weights`).

        Without a probabilistic aligner the weights are the strengths of the links' kinds; with one, the caller's links
        do not change the probabilities. In long passages only sentences that share rare words are weighed, as in
        :meth:`align` but with other limits.
        """
        if self.parts.probabilistic_aligner is None:
            return [link_strengths(found, output) for (_, output), found in zip(pairs, links, strict=True)]
        work = self.parts.probabilistic_aligner.probabilities
        return by_sentences(pairs, work, joined_weights, WEIGHED_PAIRS, KEPT_WEIGHED)

    def _weighed_in_turns(
        self, pairs: Sequence[tuple[Text, Text]], aligner: ProbabilisticAligner, shown: Sequence[bool]
    ) -> list[Weights]:
        """As :meth:`weigh`, but parse and weigh a few pairs of sentences at a time.

        The encoder then keeps the states of only a few sentences for the aligner, however long the texts are.
        """
        readers: dict[TextAnalyser, list[int]] = {}
        for side, reader in enumerate(self._sides):
            if shown[side] or self.parses(side):
                readers.setdefault(reader, []).append(side)

        def work(wanted: list[Pair]) -> Iterator[NDArray[float32]]:
            for start in range(0, len(wanted), WINDOW):
                some = wanted[start : start + WINDOW]
                for reader, sides in readers.items():
                    reader.parse(tuple(pair[side]) for pair in some for side in sides)
                yield from aligner.probabilities(some)

        return by_sentences(pairs, work, joined_weights, WEIGHED_PAIRS, KEPT_WEIGHED)

    @property
    def reads_ahead(self) -> bool:
        """Whether reading ahead pays: an extractor that scores need uses several threads."""
        parsed = [side.parts for place, side in enumerate(self._sides) if self.parses(place)]
        return any(getattr(parts.extractor, "threads", 1) > 1 for parts in parsed)

    def read(
        self,
        sources: Sequence[RawText],
        outputs: Sequence[Sequence[RawText]],
        pool: Executor,
        stop: Event,
        *,
        scenes: Sequence[SourceAnalysis | SemaError] | None = None,
        aligns: bool = True,
        explains: bool = False,
    ) -> Reading:
        """Start to read texts in threads of ``pool``, which runs tasks in order, for :meth:`prepare`.

        Call it only if :attr:`reads_ahead`. Errors are raised when the results are requested; setting ``stop`` ends the
        reading. ``aligns`` is off if the links are given.
        """
        self._announce_states(aligns=aligns)
        texts = pool.submit(self._segmented, sources, outputs)

        def parse() -> Parsed:
            with stoppable(stop.is_set):
                return self._parsed(texts.result(), scenes, explains=explains)

        return Reading(texts, pool.submit(parse))

    def items(
        self, sources: Sequence[Readable], outputs: Sequence[Readable], *, segment: bool = False
    ) -> list[Item | SemaError]:
        """The items of sources and their outputs; an error replaces a pair that cannot be read or analysed."""

        def prepared(pairs: list[tuple[RawText, RawText]]) -> list[Item | SemaError]:
            (found,) = self.prepare([one for one, _ in pairs], [[other for _, other in pairs]], segment=segment)
            return found

        pairs = zip(sources, outputs, strict=True)
        return around_errors([first_error(*pair) or pair for pair in pairs], prepared)

    @contained()
    def prepare(
        self,
        sources: Sequence[RawText],
        outputs: Sequence[Sequence[RawText]],
        *,
        segment: bool,
        scenes: Sequence[SourceAnalysis | SemaError] | None = None,
        links: Sequence[Given] | None = None,
        reading: Reading | None = None,
        explains: bool = False,
    ) -> list[list[Item | SemaError]]:
        """Items for every system: ``outputs[k][i]`` is system k's output for source i.

        ``segment`` makes one evidence for each source sentence. ``scenes`` are analyses read from files, ``links`` the
        caller's links for every system, and ``reading`` is the result of :meth:`read` for the same texts. With
        ``explains`` the items carry what their evidence needs.
        """
        if reading is None:
            with self._lock:
                self._announce_states(aligns=links is None)
                texts = self._segmented(sources, outputs)
                parsed = self._parsed(texts, scenes, explains=explains)
                return self._gathered(texts, parsed, None, links, segment=segment, explains=explains)
        texts = reading.texts.result()
        aligned: list[list[Links]] | None = None
        if scenes is None and links is None and self.needs_links and not reads_states(self.parts.aligner):
            # the network is busy with the same texts: only an aligner that needs none of its states runs beside it
            with self._lock:
                aligned = [self.align(list(zip(texts[0], system, strict=True))) for system in texts[1:]]
        parsed = reading.parsed.result()
        with self._lock:
            return self._gathered(texts, parsed, aligned, links, segment=segment, explains=explains)

    @property
    def _aligns_by_states(self) -> bool:
        return self.needs_links and reads_states(self.parts.aligner)

    @property
    def _reads_states(self) -> bool:
        """Whether the aligner or a metric needs the encoder's states."""
        return self._aligns_by_states or bool(self.needs & {Need.LINK_WEIGHTS, Need.STATES})

    @property
    def _encoders(self) -> list[Encoder]:
        """The encoders whose states are read after parsing: the aligner's, and the sources' if a metric needs them."""
        encoders = [self.parts.encoder] if self._reads_states else []
        if Need.STATES in self.needs:
            encoders.append(self.parts.of_sources.encoder)
        return list({id(encoder): encoder for encoder in encoders if encoder is not None}.values())

    @property
    def _weighs_by_states_alone(self) -> bool:
        """Whether only the weights of links need the encoder's states."""
        return Need.LINK_WEIGHTS in self.needs and Need.STATES not in self.needs and not self._aligns_by_states

    def _announce_states(self, *, aligns: bool) -> None:
        """Have the shared encoder keep its states while parsing, if the aligner or a metric needs them later."""
        if aligns and self.needs_links:
            _ = self.parts.aligner  # an aligner that needs states says so when it is built
        if aligns and Need.LINK_WEIGHTS in self.needs:
            _ = self.parts.probabilistic_aligner
        if Need.STATES in self.needs:
            for encoder in self._encoders:
                encoder.keep_states()

    def _segmented(self, sources: Sequence[RawText], outputs: Sequence[Sequence[RawText]]) -> list[list[Text]]:
        """The texts of the sources, then those of every system."""
        with self._segmenting:
            first = self.sources.segment(sources)
            rest = [self.outputs.segment(texts) for texts in outputs]
        if self.parse_whole:
            first = [replace(text, sentences=((0, len(text.tokens)),) if text.sentences else ()) for text in first]
        return [first, *rest]

    def _parsed(
        self, texts: Sequence[list[Text]], scenes: Sequence[SourceAnalysis | SemaError] | None, *, explains: bool
    ) -> Parsed:
        weights: Sequence[Sequence[Weights | None]] = [[None] * len(system) for system in texts[1:]]
        shown = [
            explains and need in self._explained and bool(side.parts.language.extractors)
            for need, side in zip(_PARSED, self._sides, strict=True)
        ]
        in_turns = scenes is None and self._weighs_by_states_alone and count_words(texts) >= LONG
        aligner = self.parts.probabilistic_aligner if in_turns else None
        if aligner is not None:
            BUDGET.reserve(self, GRAPH_WORD * count_words(texts))
            pairs = [list(zip(texts[0], own, strict=True)) for own in texts[1:]]
            weights = [self._weighed_in_turns(own, aligner, shown) for own in pairs]
        else:
            for encoder in self._encoders:
                encoder.make_room(count_words(texts))
        sources: Sequence[SourceAnalysis | SemaError] = list(map(SourceAnalysis, texts[0]))
        scored = [[self.parses(side > 0)] * len(own) for side, own in enumerate(texts)]
        if scenes is None:
            sources = parse_some(self.sources.analyse, texts[0], scored[0], shown[0], SourceAnalysis)
        elif self.parses(0) or shown[0]:
            given = zip(texts[0], scenes, scored[0], strict=True)
            sources = [SourceAnalysis(t) if isinstance(s, SemaError) and not needed else s for t, s, needed in given]
        outputs = [
            parse_some(self.outputs.graphs, own, needed, shown[1], lambda _: [])
            for own, needed in zip(texts[1:], scored[1:], strict=True)
        ]
        BUDGET.reserve(self, 0)
        return Parsed(sources, outputs, weights)

    def _gathered(
        self,
        texts: Sequence[list[Text]],
        parsed: Parsed,
        aligned: Sequence[Sequence[Links]] | None,
        given: Sequence[Given] | None,
        *,
        segment: bool,
        explains: bool,
    ) -> list[list[Item | SemaError]]:
        """The items of every system; ``aligned`` are links that are known already, ``given`` those of the caller."""
        found: list[list[Item | SemaError]] = []
        sources, output_graphs, all_weights = parsed
        for number, (outputs, graphs, weights) in enumerate(zip(texts[1:], output_graphs, all_weights, strict=True)):
            links: Sequence[Links | SemaError | None] = [None] * len(outputs)
            if given is not None:
                links = list(map(placed_links, given[number], sources, outputs))
            elif aligned is not None:
                links = aligned[number]
            rows = list(map(Row.of, sources, outputs, graphs, links, weights))
            chosen = given is not None or self.parts.chooses_links
            found.append(around_errors(rows, partial(self._items, chosen=chosen, segment=segment, explains=explains)))
        for encoder in self._encoders:
            free_room = getattr(encoder, "free_room", None)
            if free_room is not None:
                free_room(count_words(texts))  # what is left to do needs no states
        return [around_errors(items, self._with_findings) for items in found]

    def _items(self, rows: Sequence[Row], *, chosen: bool, segment: bool, explains: bool) -> list[Item]:
        """One system's items without their findings; ``chosen``: the caller chose the links, or their aligner."""
        texts = [(row.source.text, row.output) for row in rows]
        links = [row.links for row in rows if row.links is not None]  # of all items, or of none
        needs = self._explained if explains else self.needs
        if not links:
            by_links = Need.LINK_WEIGHTS in needs and self.parts.probabilistic_aligner is None
            links = self.align(texts) if self.needs_links or by_links else [()] * len(rows)
        weights = [row.weights for row in rows if row.weights is not None]  # likewise
        if not weights:
            weights = self.weigh(texts, links) if Need.LINK_WEIGHTS in needs else [()] * len(rows)
        states: list[NDArray[float32] | None] = [None] * (2 * len(rows))
        if Need.STATES in self.needs:
            sources, outputs = [source for source, _ in texts], [output for _, output in texts]
            if self.sources is self.outputs:
                states = self.outputs.states([*sources, *outputs])
            else:
                states = [*self.sources.states(sources), *self.outputs.states(outputs)]
        evidence: list[tuple[Evidence, ...]] = [()] * len(rows)
        if Need.SCENES in self.needs:
            evidence = [
                row.source.evidence(found, segment=segment, matching=self.matching)
                for row, found in zip(rows, links, strict=True)
            ]

        def likely(index: int) -> LinkedPairs:
            if Need.LIKELY_LINKS not in self.needs:
                return ()
            return linked_pairs(links[index]) if chosen else likely_pairs(weights[index])

        return [
            Item(
                row.source.text,
                row.output,
                links=links[index],
                graphs=row.source.graphs,
                scenes=row.source.scenes,
                evidence=evidence[index],
                output_graphs=tuple(row.graphs),
                link_weights=weights[index],
                likely_links=likely(index),
                source_states=states[index],
                output_states=states[len(rows) + index],
                provides=self._explained if explains else self.needs,
            )
            for index, row in enumerate(rows)
        ]

    def _with_findings(self, items: list[Item]) -> list[Item]:
        """The items with the findings that the meaning metrics need."""
        function_words = self.parts.of_sources.function_words, self.parts.function_words
        if Need.MEANING in self.needs:
            found = find(items, function_words, self.parts.reader)
            items = [replace(item, findings=one) for item, one in zip(items, found, strict=True)]
        if Need.MEANING_BY_LINKS in self.needs:
            found = find(items, function_words)
            items = [replace(item, findings_by_links=one) for item, one in zip(items, found, strict=True)]
        return items


_PARSED = Need.GRAPHS, Need.OUTPUT_SCENES
"""The needs for which sources (first) and outputs (second) are parsed."""
_SHOWN = frozenset({*_PARSED, Need.LINK_WEIGHTS})
"""Needs of evidence that are computed only for explained items, unless scores need them too."""
