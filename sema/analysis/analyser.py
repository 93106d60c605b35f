"""From texts to items for metrics: segment, extract Scenes, align, gather evidence, in batches.

A source that occurs again is parsed once; a pair of sentences that occurs again is aligned once.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from concurrent.futures import Executor, Future
from dataclasses import replace
from threading import Event, RLock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sema.alignment.rules import RuleAligner
from sema.analysis.candidates import ALL_PAIRS, KEPT, KEPT_WEIGHED, WEIGHED_PAIRS, candidate_pairs
from sema.analysis.matching import AS_PUBLISHED, Matching
from sema.analysis.placing import place_links
from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import RawText, Readable, around_errors, first_error, join_sentences
from sema.analysis.weights import joined_weights, link_strengths
from sema.errors import InputError, SemaError
from sema.model.forms import segmented
from sema.model.item import Item, Need
from sema.model.language import Parts
from sema.model.links import GivenLinks, Link, LinkGrid, Pair
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema.runtime.caching import BoundedCache
from sema.runtime.threads import stoppable

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

CACHED_TEXTS = 4_000
"""How many segmented texts and analysed sentences are kept for reuse."""


Aligned = Sequence[tuple[tuple[Link, ...], ...]]
"""For each item the links of each output sentence."""

Given = Sequence[GivenLinks | SemaError]
"""For each item of one system the given links, or the error raised by reading them."""


class Parsed(NamedTuple):
    """Parsed texts, as far as needed: the sources, and the graphs of every system's outputs."""

    sources: Sequence[SourceAnalysis | SemaError | Text]
    outputs: Sequence[Sequence[list[SceneGraph] | SemaError]]


class Reading(NamedTuple):
    """Texts being read in threads: segmented (the sources, then every system), then parsed."""

    texts: Future[list[list[Text]]]
    parsed: Future[Parsed]


class Analyser:
    """Runs the parts of one language that ``needs`` asks for, with caches.

    Threads are serialised, except for reading ahead with an extractor that uses several threads. With
    ``parse_whole`` a source is one sentence, however many the segmenter sees.
    """

    def __init__(
        self,
        parts: Parts,
        needs: Collection[Need] = (),
        matching: Matching = AS_PUBLISHED,
        *,
        parse_whole: bool = False,
    ) -> None:
        self.parts = parts
        self.matching = matching
        self.needs = frozenset(needs)
        self.parse_whole = parse_whole
        self._texts: BoundedCache[str | tuple[str, ...], Text] = BoundedCache(CACHED_TEXTS)
        self._graphs: BoundedCache[tuple[str, ...], SceneGraph | SemaError] = BoundedCache(CACHED_TEXTS)
        self._lock = RLock()
        self._segmenting = RLock()

    @property
    def needs_links(self) -> bool:
        """Whether words are aligned."""
        if Need.LINK_WEIGHTS in self.needs and self.parts.weigher is None:
            return True
        return bool(self.needs & {Need.LINKS, Need.SCENES})

    def segment(self, raw: Sequence[RawText]) -> list[Text]:
        """Segment texts; sentences given as such keep their boundaries."""
        keys = [item if isinstance(item, str | Text) else tuple(item) for item in raw]
        asked = dict.fromkeys(key for key in keys if not isinstance(key, Text))
        known = self._texts.get(asked)
        missing = [key for key in asked if key not in known]
        strings = [string for key in missing for string in ([key] if isinstance(key, str) else key)]
        read = iter(segmented(self.parts.segmenter, strings) if strings else [])
        for key in missing:
            known[key] = next(read) if isinstance(key, str) else join_sentences([next(read) for _ in key])
            self._texts.put(key, known[key])
        return [key if isinstance(key, Text) else known[key] for key in keys]

    def graphs(self, texts: Sequence[Text]) -> list[list[SceneGraph] | SemaError]:
        """The scene graphs of every text's sentences; an error replaces those of a text that cannot be parsed."""
        sentences = dict.fromkeys(words for text in texts for words in text.sentence_words)
        known = self._graphs.get(sentences)
        for words, graph in self._extract([words for words in sentences if words not in known]).items():
            known[words] = graph
            self._graphs.put(words, graph)
        result: list[list[SceneGraph] | SemaError] = []
        for text in texts:
            found = [known[words] for words in text.sentence_words]
            errors = [graph for graph in found if isinstance(graph, SemaError)]
            result.append(errors[0] if errors else [graph for graph in found if isinstance(graph, SceneGraph)])
        return result

    def _extract(self, sentences: list[tuple[str, ...]]) -> dict[tuple[str, ...], SceneGraph | SemaError]:
        if not sentences:
            return {}
        try:
            return dict(zip(sentences, self.parts.extractor.extract(sentences), strict=True))
        except SemaError as error:
            if len(sentences) == 1:
                return {sentences[0]: error}
        # One sentence of the batch fails: parse them one by one, so that the others keep their graphs.
        return {words: graph for sentence in sentences for words, graph in self._extract([sentence]).items()}

    def analyse(self, texts: Sequence[Text]) -> list[SourceAnalysis | SemaError]:
        """The Scenes of every text, or the error of parsing it."""
        result: list[SourceAnalysis | SemaError] = []
        for text, graphs in zip(texts, self.graphs(texts), strict=True):
            if isinstance(graphs, SemaError):
                result.append(graphs)
            elif not graphs:
                result.append(InputError("the source has no words; give it a text, or take the item out of every file"))
            else:
                result.append(SourceAnalysis.from_graphs(text, graphs))
        return result

    def align(self, pairs: Sequence[tuple[Text, Text]]) -> list[tuple[tuple[Link, ...], ...]]:
        """For each source and output, the links of each output sentence in the source's token indexes.

        Each output sentence is aligned with every source sentence, in long passages with those that share rare words
        with it (:func:`sema.analysis.candidates.candidate_pairs`).
        """
        partners = [_partners(source, output) for source, output in pairs]
        wanted: dict[Pair, list[Link]] = {
            (source.sentence_words[index], output_words): []
            for (source, output), found in zip(pairs, partners, strict=True)
            for output_words, indexes in zip(output.sentence_words, found, strict=True)
            for index in indexes
        }
        for pair, links in zip(wanted, self.parts.aligner.align(list(wanted)), strict=True):
            wanted[pair] = links
        result = []
        for (source, output), found in zip(pairs, partners, strict=True):
            sentences = []
            for output_words, indexes in zip(output.sentence_words, found, strict=True):
                linked: list[Link] = []
                for index in indexes:
                    start = source.sentences[index][0]
                    links = wanted[source.sentence_words[index], output_words]
                    linked.extend(links if start == 0 else (_shifted(link, start) for link in links))
                sentences.append(tuple(linked))
            result.append(tuple(sentences))
        return result

    def weigh(
        self, pairs: Sequence[tuple[Text, Text]], links: Sequence[Sequence[Sequence[Link]]]
    ) -> list[tuple[LinkGrid, ...]]:
        """For each source and output the probability of every link (:attr:`sema.model.item.Item.link_weights`).

        For a language without a weigher each link counts by the strength of its kind. In long passages only sentences
        that share rare words are weighed, as in :meth:`align` with other limits.
        """
        weigher = self.parts.weigher
        if weigher is None:
            return _strengths(pairs, links)
        partners = [_partners(source, output, WEIGHED_PAIRS, KEPT_WEIGHED) for source, output in pairs]
        wanted = list(
            dict.fromkeys(
                (source.sentence_words[index], output_words)
                for (source, output), found in zip(pairs, partners, strict=True)
                for output_words, indexes in zip(output.sentence_words, found, strict=True)
                for index in indexes
            )
        )
        known = dict(zip(wanted, weigher.probabilities(wanted), strict=True))
        return [
            joined_weights(known, source, output, found)
            for (source, output), found in zip(pairs, partners, strict=True)
        ]

    def states(self, texts: Sequence[Text]) -> list[NDArray[float32] | None]:
        """The encoder's states of every text's tokens (tokens, width); ``None`` for a language without an encoder."""
        encoder = self.parts.encoder
        if encoder is None:
            return [None] * len(texts)
        sentences = list(dict.fromkeys(words for text in texts for words in text.sentence_words))
        known = dict(zip(sentences, encoder.states(sentences), strict=True))
        return [
            np.concatenate([known[words] for words in text.sentence_words]) if text.sentences else None
            for text in texts
        ]

    @property
    def reads_ahead(self) -> bool:
        """Whether texts can be read in several threads and other cores can use them."""
        parses = not self.needs.isdisjoint({Need.SCENES, Need.GRAPHS, Need.OUTPUT_SCENES})
        return parses and getattr(self.parts.extractor, "threads", 1) > 1

    def read(
        self,
        sources: Sequence[RawText],
        outputs: Sequence[Sequence[RawText]],
        pool: Executor,
        stop: Event,
        *,
        scenes: Sequence[SourceAnalysis | SemaError] | None = None,
        aligns: bool = True,
    ) -> Reading:
        """Start to read texts in threads of ``pool``, which runs tasks in order, for :meth:`prepare`.

        Only if :attr:`reads_ahead`. Errors are raised when the results are requested; setting ``stop`` ends the
        reading. ``aligns`` is off if the links are given.
        """
        self._announce_states(aligns=aligns)
        texts = pool.submit(self._segmented, sources, outputs)

        def parse() -> Parsed:
            with stoppable(stop):
                return self._parsed(texts.result(), scenes)

        return Reading(texts, pool.submit(parse))

    def items(
        self, sources: Sequence[Readable], outputs: Sequence[Readable], *, segment: bool = False
    ) -> list[Item | SemaError]:
        """The items of sources and their outputs; an error stands for a pair that cannot be read or analysed."""

        def prepared(pairs: list[tuple[RawText, RawText]]) -> list[Item | SemaError]:
            (found,) = self.prepare([one for one, _ in pairs], [[other for _, other in pairs]], segment=segment)
            return found

        pairs = zip(sources, outputs, strict=True)
        return around_errors([first_error(*pair) or pair for pair in pairs], prepared)

    def prepare(
        self,
        sources: Sequence[RawText],
        outputs: Sequence[Sequence[RawText]],
        *,
        segment: bool,
        scenes: Sequence[SourceAnalysis | SemaError] | None = None,
        links: Sequence[Given] | None = None,
        reading: Reading | None = None,
    ) -> list[list[Item | SemaError]]:
        """Items for every system: ``outputs[k][i]`` is system k's output for source i.

        ``segment`` makes one evidence for each source sentence; ``scenes`` are analyses read from elsewhere, ``links``
        given links for every system; ``reading`` is the result of :meth:`read` for the same texts.
        """
        given: Sequence[Given | None] = [None] * len(outputs) if links is None else links
        if reading is None:
            with self._lock:
                self._announce_states(aligns=links is None)
                texts = self._segmented(sources, outputs)
                return self._gathered(texts, self._parsed(texts, scenes), [None] * len(outputs), given, segment)
        texts = reading.texts.result()
        aligned: list[Aligned | None] = [None] * len(outputs)
        rules = links is None and self.needs_links and isinstance(self.parts.aligner, RuleAligner)
        if scenes is None and rules:
            # rules do not use the network, which is busy with the same texts; other aligners may need its states
            with self._lock:
                aligned = [self.align(list(zip(texts[0], system, strict=True))) for system in texts[1:]]
        parsed = reading.parsed.result()
        with self._lock:
            return self._gathered(texts, parsed, aligned, given, segment)

    def _segmented(self, sources: Sequence[RawText], outputs: Sequence[Sequence[RawText]]) -> list[list[Text]]:
        """The texts of the sources, then those of every system."""
        with self._segmenting:
            first, *rest = [self.segment(texts) for texts in (sources, *outputs)]
        return [[_undivided(text) for text in first] if self.parse_whole else first, *rest]

    def _parsed(self, texts: Sequence[list[Text]], scenes: Sequence[SourceAnalysis | SemaError] | None) -> Parsed:
        found: Sequence[SourceAnalysis | SemaError | Text] = texts[0]
        if self.needs & {Need.SCENES, Need.GRAPHS}:
            found = self.analyse(texts[0]) if scenes is None else scenes
        if Need.OUTPUT_SCENES in self.needs:
            return Parsed(found, [self.graphs(system) for system in texts[1:]])
        return Parsed(found, [[[]] * len(system) for system in texts[1:]])

    def _gathered(
        self,
        texts: Sequence[list[Text]],
        parsed: Parsed,
        aligned: Sequence[Aligned | None],
        given: Sequence[Given | None],
        segment: bool,
    ) -> list[list[Item | SemaError]]:
        found = []
        for system, graphs, known, drawn in zip(texts[1:], parsed.outputs, aligned, given, strict=True):
            sources = parsed.sources
            if drawn is not None:
                sources, known = place_links(sources, system, drawn)
            found.append(self._items(sources, system, graphs, segment, known, weighs=drawn is None))
        return found

    def _announce_states(self, *, aligns: bool = True) -> None:
        """Have the shared encoder keep its states while parsing, if the aligner or a metric needs them later."""
        if aligns and self.needs_links:
            _ = self.parts.aligner  # an aligner that needs states says so when it is built
        if aligns and Need.LINK_WEIGHTS in self.needs:
            _ = self.parts.weigher
        if Need.STATES in self.needs and self.parts.encoder is not None:
            self.parts.encoder.keep_states()

    def _items(
        self,
        sources: Sequence[SourceAnalysis | SemaError | Text],
        outputs: Sequence[Text],
        graphs: Sequence[list[SceneGraph] | SemaError],
        segment: bool,
        aligned: Aligned | None,
        *,
        weighs: bool,
    ) -> list[Item | SemaError]:
        """One system's items, with as much as is needed.

        ``graphs`` are those of its outputs, ``aligned`` the links of each item if known; without ``weighs`` only those
        links have a probability.
        """
        usable = [
            (source, output, parsed)
            for source, output, parsed in zip(sources, outputs, graphs, strict=True)
            if not isinstance(source, SemaError)
        ]
        texts = [(source if isinstance(source, Text) else source.text, output) for source, output, _ in usable]
        if aligned is not None:
            pairs = zip(sources, aligned, strict=True)
            links = [found for source, found in pairs if not isinstance(source, SemaError)]
        else:
            links = self.align(texts) if self.needs_links else [()] * len(texts)
        weights: list[tuple[LinkGrid, ...]] = [()] * len(texts)
        if Need.LINK_WEIGHTS in self.needs:
            weights = self.weigh(texts, links) if weighs else _strengths(texts, links)
        states: list[NDArray[float32] | None] = [None] * (2 * len(texts))
        if Need.STATES in self.needs:
            states = self.states([*(source for source, _ in texts), *(output for _, output in texts)])
        made: list[Item | SemaError] = []
        for index, ((source, output, parsed), linked) in enumerate(zip(usable, links, strict=True)):
            if isinstance(parsed, SemaError):
                made.append(parsed)
                continue
            item = Item(
                texts[index][0],
                output,
                links=linked,
                link_weights=weights[index],
                output_graphs=tuple(parsed),
                source_states=states[index],
                output_states=states[len(texts) + index],
            )
            if isinstance(source, SourceAnalysis):
                evidence = (
                    source.evidence(linked, segment=segment, matching=self.matching)
                    if Need.SCENES in self.needs
                    else ()
                )
                item = replace(item, graphs=source.graphs, scenes=source.scenes, evidence=evidence)
            made.append(item)
        rest = iter(made)
        return [source if isinstance(source, SemaError) else next(rest) for source in sources]


def _undivided(text: Text) -> Text:
    return replace(text, sentences=((0, len(text.tokens)),)) if len(text.sentences) > 1 else text


def _partners(source: Text, output: Text, most: int = ALL_PAIRS, kept: int = KEPT) -> Sequence[Sequence[int]]:
    """For each output sentence the source sentences that it is aligned with; all, up to ``most`` pairs."""
    found = candidate_pairs(source.sentence_words, output.sentence_words, most, kept)
    return [range(len(source.sentences))] * len(output.sentences) if found is None else found


def _strengths(
    pairs: Sequence[tuple[Text, Text]], links: Sequence[Sequence[Sequence[Link]]]
) -> list[tuple[LinkGrid, ...]]:
    return [link_strengths(found, output) for (_, output), found in zip(pairs, links, strict=True)]


def _shifted(link: Link, offset: int) -> Link:
    return Link(link.source + offset, link.output, link.kind, link.weight)
