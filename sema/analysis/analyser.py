"""From texts to items for metrics, in four steps over drafts of the items (:class:`sema.analysis.drafts.Draft`).

======= ============================ ====================================================
step    needs                        gives
======= ============================ ====================================================
segment sources and outputs          texts
parse   texts                        Scenes of sources, graphs of outputs
align   texts, states                links and their weights
read    Scenes, graphs, links, texts items: evidence, states, findings
======= ============================ ====================================================

A source that occurs again is parsed once; a pair of sentences that occurs again is aligned once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from threading import Event
from typing import TYPE_CHECKING, Any, Optional, cast

from sema.analysis.drafts import Draft, Links, Reading, Systems, Weights, count_words, fill, sound
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
from sema.analysis.source import SourceAnalysis
from sema.analysis.text_analyser import GRAPH_WORD, TextAnalyser
from sema.analysis.texts import RawText, Readable, around_errors, first_error
from sema.errors import SemaError
from sema.meaning.evidence import find
from sema.model.evidence import Evidence
from sema.model.item import Item, Need, with_included
from sema.model.language import Encoder, Parts
from sema.model.links import GivenLinks, Pair, ProbabilisticAligner
from sema.model.text import Text
from sema.plugins import contained
from sema.runtime.caching import BUDGET
from sema.runtime.forks import SharedLock
from sema.runtime.threads import stoppable

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

Given = Sequence[GivenLinks | SemaError]
"""For each item of one system the given links, or the error raised by reading them."""
States = Optional["NDArray[float32]"]
"""The encoder's states of a text's tokens (tokens, width)."""
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
        """As :meth:`weigh`, but parse and weigh a few sentences at a time: the encoder keeps few states."""
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

    def read_ahead(
        self,
        pool: Executor,
        stop: Event,
        *,
        sources: Sequence[RawText],
        outputs: Sequence[Sequence[RawText]],
        scenes: Sequence[SourceAnalysis | SemaError] | None = None,
        links: Sequence[Given] | None = None,
        explains: bool = False,
    ) -> Reading:
        """Start to segment and parse in threads of ``pool``, which runs tasks in order, for :meth:`prepare`.

        Call it only if :attr:`reads_ahead`. Errors are raised when the results are requested; setting ``stop`` ends the
        reading.
        """
        self._announce_states(aligns=links is None)
        segmented = pool.submit(self._segment, sources, outputs, scenes, links)

        def parse() -> None:
            with stoppable(stop.is_set):
                self._parse(segmented.result(), explains=explains)

        return Reading(segmented, pool.submit(parse))

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
        caller's links for every system, and ``reading`` is the result of :meth:`read_ahead` for the same arguments.
        With ``explains`` the items carry what their evidence needs.
        """
        if reading is None:
            with self._lock:
                self._announce_states(aligns=links is None)
                systems = self._segment(sources, outputs, scenes, links)
                self._parse(systems, explains=explains)
                self._align(systems, explains=explains)
                return self._read(systems, segment=segment, explains=explains)
        systems = reading.segmented.result()
        if scenes is None and links is None and self.needs_links and not self._aligns_by_states:
            # the network is busy with the same texts: only an aligner that needs none of its states runs beside it
            with self._lock:
                for drafts in systems:
                    self._link(drafts)
        reading.parsed.result()
        with self._lock:
            self._align(systems, explains=explains)
            return self._read(systems, segment=segment, explains=explains)

    def _segment(
        self,
        sources: Sequence[RawText],
        outputs: Sequence[Sequence[RawText]],
        scenes: Sequence[SourceAnalysis | SemaError] | None,
        links: Sequence[Given] | None,
    ) -> Systems:
        """Needs sources and outputs; gives their drafts with texts."""
        with self._segmenting:
            first = self.sources.segment(sources)
            rest = [self.outputs.segment(texts) for texts in outputs]
        if self.parse_whole:
            first = [replace(text, sentences=((0, len(text.tokens)),) if text.sentences else ()) for text in first]
        none: Sequence[Any] = [None] * len(sources)
        return [
            [
                Draft((source, output), SourceAnalysis(source), given_scenes, given_links)
                for source, output, given_scenes, given_links in zip(first, texts, scenes or none, own, strict=True)
            ]
            for texts, own in zip(rest, links or [none] * len(rest), strict=True)
        ]

    def _parse(self, systems: Systems, *, explains: bool) -> None:
        """Needs texts; gives the Scenes of sources, the graphs of outputs, and the link weights of long texts.

        Where only evidence needs a text parsed, the draft goes on without what cannot be parsed.
        """
        shown = [
            explains and need in self._explained and bool(side.parts.language.extractors)
            for need, side in zip(_PARSED, self._sides, strict=True)
        ]
        words = count_words(systems)
        every = [draft for drafts in systems for draft in drafts]
        given = [draft.given_scenes for draft in every if draft.given_scenes is not None]  # of all items, or of none
        in_turns = not given and self._weighs_by_states_alone and words >= LONG
        aligner = self.parts.probabilistic_aligner if in_turns else None
        if aligner is None:
            for encoder in self._encoders:
                encoder.make_room(words)
        else:
            BUDGET.reserve(self, GRAPH_WORD * words)
            for drafts in systems:
                weights = self._weighed_in_turns([draft.texts for draft in drafts], aligner, shown)
                fill(drafts, "weights", weights)
        if given or self.parses(0) or shown[0]:  # the tokens of given Scenes are the source's for every metric
            sources = given or self.sources.analyse([draft.texts[0] for draft in every])
            fill(every, "source", sources, needed=self.parses(0))
        if self.parses(1) or shown[1]:
            for drafts in systems:
                graphs = self.outputs.graphs([draft.texts[1] for draft in drafts])
                fill(drafts, "graphs", graphs, needed=self.parses(1))
        BUDGET.reserve(self, 0)

    def _align(self, systems: Systems, *, explains: bool) -> None:
        """Needs texts, and the states that parsing leaves; gives links (the caller's, if any) and their weights."""
        weighs = Need.LINK_WEIGHTS in (self._explained if explains else self.needs)
        for drafts in systems:
            given = [draft for draft in sound(drafts) if draft.given_links is not None]
            fill(given, "links", map(Draft.placed_links, given), needed=self.uses_links)
            if self.needs_links or (weighs and self.parts.probabilistic_aligner is None):
                self._link(sound(drafts))
            unweighed = [draft for draft in sound(drafts) if draft.weights is None]
            if weighs and unweighed:
                links = [draft.links or () for draft in unweighed]
                fill(unweighed, "weights", self.weigh([draft.pair for draft in unweighed], links))

    def _link(self, drafts: Sequence[Draft]) -> None:
        """Needs texts; gives the aligner's links where there are none."""
        unlinked = [draft for draft in drafts if draft.links is None]
        if unlinked:
            fill(unlinked, "links", self.align([draft.pair for draft in unlinked]))

    def _read(self, systems: Systems, *, segment: bool, explains: bool) -> list[list[Item | SemaError]]:
        """Needs Scenes, graphs, links and weights; gives items, with their states, evidence and findings."""
        for drafts in map(sound, systems):
            states = self._states([draft.pair for draft in drafts])
            for draft, own in zip(drafts, states, strict=True):
                draft.item = self._item(draft, *own, segment=segment, explains=explains)
        for encoder in self._encoders:
            free_room = getattr(encoder, "free_room", None)
            if free_room is not None:
                free_room(count_words(systems))  # what is left to do needs no states
        for drafts in map(sound, systems):
            fill(drafts, "item", self._with_findings([cast(Item, draft.item) for draft in drafts]))
        return [[draft.error or cast(Item, draft.item) for draft in drafts] for drafts in systems]

    def _states(self, pairs: Sequence[tuple[Text, Text]]) -> Sequence[tuple[States, States]]:
        if Need.STATES not in self.needs or not pairs:
            return [(None, None)] * len(pairs)
        sources, outputs = zip(*pairs, strict=True)
        if self.sources is self.outputs:
            found = self.outputs.states([*sources, *outputs])
        else:
            found = [*self.sources.states(sources), *self.outputs.states(outputs)]
        return list(zip(found[: len(pairs)], found[len(pairs) :], strict=True))

    def _item(self, draft: Draft, *states: States, segment: bool, explains: bool) -> Item:
        links, weights = draft.links or (), draft.weights or ()
        evidence: tuple[Evidence, ...] = ()
        likely: LinkedPairs = ()
        if Need.SCENES in self.needs:
            evidence = draft.source.evidence(links, segment=segment, matching=self.matching)
        if Need.LIKELY_LINKS in self.needs:
            chosen = draft.given_links is not None or self.parts.chooses_links
            likely = linked_pairs(links) if chosen else likely_pairs(weights)
        return Item(
            *draft.pair,
            links=links,
            graphs=draft.source.graphs,
            scenes=draft.source.scenes,
            evidence=evidence,
            output_graphs=tuple(draft.graphs),
            link_weights=weights,
            likely_links=likely,
            source_states=states[0],
            output_states=states[1],
            provides=self._explained if explains else self.needs,
        )

    def _with_findings(self, items: list[Item]) -> list[Item]:
        function_words = self.parts.of_sources.function_words, self.parts.function_words
        if items and Need.MEANING in self.needs:
            found = find(items, function_words, self.parts.reader)
            items = [replace(item, findings=one) for item, one in zip(items, found, strict=True)]
        if items and Need.MEANING_BY_LINKS in self.needs:
            found = find(items, function_words)
            items = [replace(item, findings_by_links=one) for item, one in zip(items, found, strict=True)]
        return items

    @property
    def _aligns_by_states(self) -> bool:
        """Whether the aligner may need the encoder's states: yes, unless it says otherwise."""
        return self.needs_links and bool(getattr(self.parts.aligner, "reads_states", True))

    @property
    def _encoders(self) -> list[Encoder]:
        """The encoders whose states are read after parsing: the aligner's, and the sources' if a metric needs them."""
        read = self._aligns_by_states or bool(self.needs & {Need.LINK_WEIGHTS, Need.STATES})
        encoders = [self.parts.encoder] if read else []
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


_PARSED = Need.GRAPHS, Need.OUTPUT_SCENES
"""The needs for which sources (first) and outputs (second) are parsed."""
_SHOWN = frozenset({*_PARSED, Need.LINK_WEIGHTS})
"""Needs of evidence that are computed only for explained items, unless scores need them too."""
