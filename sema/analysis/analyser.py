"""From texts to items that metrics can score: segment, extract Scenes, align, gather evidence; all in batches.

A source that occurs again is parsed once; a pair of sentences that occurs again is aligned once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from sema.model.links import Aligner, Link, Pair
from sema.errors import InputError, SemaError
from sema.metrics.base import Item
from sema.metrics.scene_family import Evidence, gather_evidence
from sema.model.scene_graph import Center, Scene, SceneExtractor, SceneGraph
from sema.model.text import Segmenter, Text, Token

RawText = str | Sequence[str] | Text
"""A text to be segmented; or its sentences, to be tokenized only; or a text that is segmented already."""

Readable = RawText | InputError
"""A text, or the error that kept it from being read."""

CACHED_TEXTS = 20_000
"""How many segmented texts and analysed sentences are kept for reuse."""

Key = TypeVar("Key")
Value = TypeVar("Value")


@dataclass(frozen=True)
class SourceAnalysis:
    """A source's Scenes in matching order, over the token indexes of ``text``.

    ``sentence_of[i]`` is the source sentence of Scene ``i``; ``stand_ins`` has the Scene that counts for a sentence
    without any, and ``None`` for the others.
    """

    text: Text
    scenes: tuple[Scene, ...]
    sentence_of: tuple[int, ...]
    stand_ins: tuple[Scene | None, ...]

    @classmethod
    def from_graphs(cls, text: Text, graphs: Sequence[SceneGraph]) -> SourceAnalysis:
        """Join the graphs of consecutive stretches of ``text`` (its sentences, or the whole of it in one graph)."""
        scenes: list[Scene] = []
        offset = 0
        for graph in graphs:
            scenes.extend(scene.shifted(offset) for scene in graph.scenes())
            offset += len(graph.tokens)
        sentence_of = tuple(_sentence_at(text, scene) for scene in scenes)
        stand_ins: list[Scene | None] = [None] * len(text.sentences)
        for index in set(range(len(stand_ins))) - set(sentence_of):
            start, end = text.sentences[index]
            whole = len(graphs) == len(text.sentences)
            stand_ins[index] = graphs[index].root_scene().shifted(start) if whole else _unanalysed(start, end)
        return cls(text, tuple(scenes), sentence_of, tuple(stand_ins))

    def evidence(self, links: Sequence[Sequence[Link]], *, segment: bool) -> tuple[Evidence, ...]:
        """The evidence against an output whose sentences have ``links``: of the whole, or a source sentence each."""
        if not segment:
            return (gather_evidence(self.scenes, links, without_scenes=None if self.scenes else self._whole()),)
        return tuple(
            gather_evidence(
                [scene for scene, sentence in zip(self.scenes, self.sentence_of, strict=True) if sentence == index],
                links,
                without_scenes=stand_in,
            )
            for index, stand_in in enumerate(self.stand_ins)
        )

    def _whole(self) -> Scene:
        """The Scene that stands for a source that has none in any sentence."""
        scenes = [scene for scene in self.stand_ins if scene is not None]
        centers: list[Center] = [center for scene in scenes for center in scene.main_relation]
        return Scene(tuple(centers), (), tuple(leaf for scene in scenes for leaf in scene.leaves))


def _unanalysed(start: int, end: int) -> Scene:
    tokens = tuple(range(start, end))
    return Scene((tokens,), (), tokens)


def _sentence_at(text: Text, scene: Scene) -> int:
    first = min([*scene.leaves[:1], *(token for center in scene.main_relation for token in center)], default=0)
    for index, (start, end) in enumerate(text.sentences):
        if start <= first < end:
            return index
    return len(text.sentences) - 1


class Analyser:
    """Segmenter, extractor and aligner of one language at work, with caches. Not safe for use from several threads."""

    def __init__(self, segmenter: Segmenter, extractor: SceneExtractor | None, aligner: Aligner | None) -> None:
        """``extractor`` and ``aligner`` may be left out where only the text itself is needed."""
        self.segmenter = segmenter
        self.extractor = extractor
        self.aligner = aligner
        self._texts: OrderedDict[str | tuple[str, ...], Text] = OrderedDict()
        self._graphs: OrderedDict[tuple[str, ...], SceneGraph | SemaError] = OrderedDict()

    def segment(self, raw: Sequence[RawText]) -> list[Text]:
        """Segment texts; sentences given as such keep their boundaries."""
        keys = [item if isinstance(item, str | Text) else tuple(item) for item in raw]
        asked = dict.fromkeys(key for key in keys if not isinstance(key, Text))
        missing = [key for key in asked if key not in self._texts]
        strings = [string for key in missing for string in ([key] if isinstance(key, str) else key)]
        segmented = iter(self.segmenter.segment(strings) if strings else [])
        fresh: dict[str | tuple[str, ...], Text] = {}
        for key in missing:
            fresh[key] = next(segmented) if isinstance(key, str) else join_sentences([next(segmented) for _ in key])
        result = [key if isinstance(key, Text) else fresh.get(key) or self._texts[key] for key in keys]
        _remember(self._texts, fresh.items())
        return result

    def graphs(self, texts: Sequence[Text]) -> list[list[SceneGraph] | SemaError]:
        """The scene graphs of every text's sentences; an error stands for a text that cannot be parsed."""
        sentences = dict.fromkeys(words for text in texts for words in text.sentence_words)
        fresh = self._extract([words for words in sentences if words not in self._graphs])
        known = {words: fresh.get(words) or self._graphs[words] for words in sentences}
        _remember(self._graphs, fresh.items())
        result: list[list[SceneGraph] | SemaError] = []
        for text in texts:
            found = [known[words] for words in text.sentence_words]
            errors = [graph for graph in found if isinstance(graph, SemaError)]
            result.append(errors[0] if errors else [graph for graph in found if isinstance(graph, SceneGraph)])
        return result

    def _extract(self, sentences: list[tuple[str, ...]]) -> dict[tuple[str, ...], SceneGraph | SemaError]:
        if not sentences:
            return {}
        if self.extractor is None:
            raise ValueError("this analyser has no scene extractor")
        try:
            return dict(zip(sentences, self.extractor.extract(sentences), strict=True))
        except SemaError as error:
            if len(sentences) == 1:
                return {sentences[0]: error}
        # One sentence of the batch is at fault: take them singly, so that the others keep their graphs.
        return {words: graph for sentence in sentences for words, graph in self._extract([sentence]).items()}

    def analyse(self, texts: Sequence[Text]) -> list[SourceAnalysis | SemaError]:
        """Scenes of every text, or the error that kept it from having any."""
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
        """For each source and output, the links of each output sentence in the source's token indexes."""
        if self.aligner is None:
            raise ValueError("this analyser has no aligner")
        wanted: dict[Pair, list[Link]] = {
            (source_words, output_words): []
            for source, output in pairs
            for output_words in output.sentence_words
            for source_words in source.sentence_words
        }
        for pair, links in zip(wanted, self.aligner.align(list(wanted)), strict=True):
            wanted[pair] = links
        result = []
        for source, output in pairs:
            sentences = []
            for output_words in output.sentence_words:
                found: list[Link] = []
                for (start, _), source_words in zip(source.sentences, source.sentence_words, strict=True):
                    links = wanted[source_words, output_words]
                    found.extend(Link(link.source + start, link.output, link.kind) for link in links)
                sentences.append(tuple(found))
            result.append(tuple(sentences))
        return result

    def prepare(
        self,
        sources: Sequence[RawText],
        outputs: Sequence[Sequence[RawText]],
        *,
        segment: bool,
        scenes: Sequence[SourceAnalysis | SemaError] | None = None,
    ) -> list[list[Item | SemaError]]:
        """Items for every system: ``outputs[k][i]`` is system k's output for source i.

        ``scenes`` are analyses read from elsewhere. Without an extractor the items carry texts alone.
        """
        source_texts = self.segment(sources)
        if scenes is None and self.extractor is not None:
            scenes = self.analyse(source_texts)
        prepared: list[list[Item | SemaError]] = []
        for system in outputs:
            output_texts = self.segment(system)
            if scenes is None:
                prepared.append([Item(*pair) for pair in zip(source_texts, output_texts, strict=True)])
                continue
            usable = [
                (analysis, output)
                for analysis, output in zip(scenes, output_texts, strict=True)
                if not isinstance(analysis, SemaError)
            ]
            links = iter(self.align([(analysis.text, output) for analysis, output in usable]))
            row: list[Item | SemaError] = []
            for analysis, output in zip(scenes, output_texts, strict=True):
                if isinstance(analysis, SemaError):
                    row.append(analysis)
                    continue
                found = next(links)
                row.append(Item(analysis.text, output, (), analysis.evidence(found, segment=segment), found))
            prepared.append(row)
        return prepared


def _remember(cache: OrderedDict[Key, Value], entries: Iterable[tuple[Key, Value]]) -> None:
    cache.update(entries)
    while len(cache) > CACHED_TEXTS:
        cache.popitem(last=False)


def check_text(text: Readable, role: str, line: int | None = None) -> Readable:
    """The text itself, or the error that says why it cannot be scored; a ``role`` other than source may be blank."""
    if isinstance(text, InputError):
        return text
    strings = text.words if isinstance(text, Text) else [text] if isinstance(text, str) else list(text)
    if role == "source" and not any(string.strip() for string in strings):
        return InputError("the source is empty; give it a text, or take the item out of every file", line=line)
    for string in strings:
        if "\0" in string:
            return InputError(f"the {role} holds a NUL byte; remove it (is this a text file?)", line=line)
        if any("\ud800" <= char <= "\udfff" for char in string):
            return InputError(f"the {role} holds half of a surrogate pair; decode it as UTF-8 again", line=line)
    return text


def join_sentences(texts: Sequence[Text]) -> Text:
    """One text of several, each of which becomes one sentence of it; ``raw`` joins theirs with single spaces."""
    tokens: list[Token] = []
    spans: list[tuple[int, int]] = []
    position = 0
    for text in texts:
        if text.tokens:
            spans.append((len(tokens), len(tokens) + len(text.tokens)))
            tokens.extend(Token(token.text, token.start + position, token.end + position) for token in text.tokens)
        position += len(text.raw) + 1
    return Text(" ".join(text.raw for text in texts), tuple(tokens), tuple(spans))


def place_scenes(segmenter: Segmenter, graphs: Sequence[SceneGraph], raw: str, name: str) -> SourceAnalysis:
    """The analysis of a source whose scenes were read from a file called ``name``.

    The file's tokens are the source's tokens. Several graphs are its sentences; a single graph may hold a passage,
    which the segmenter divides.

    Raises:
        InputError: the file is about another text than ``raw``.
    """
    words = [word for graph in graphs for word in graph.tokens]
    if not words:
        raise InputError("the passage has no tokens; is it the right file?", file=name)
    _check_same_text(words, raw, name)
    text = Text.from_sentences([graph.tokens for graph in graphs])
    if len(graphs) == 1:
        (divided,) = segmenter.segment([text.raw])
        ends = {divided.tokens[end - 1].end for _, end in divided.sentences}
        cuts = [index + 1 for index, token in enumerate(text.tokens[:-1]) if token.end in ends]
        bounds = [0, *cuts, len(words)]
        text = Text(text.raw, text.tokens, tuple(pairwise(bounds)))
    return SourceAnalysis.from_graphs(text, graphs)


def _check_same_text(words: Sequence[str], raw: str, name: str) -> None:
    from rapidfuzz.fuzz import ratio

    def bare(text: str) -> str:
        return "".join(char for char in text.casefold() if char.isalnum())

    given, read = bare(raw), bare("".join(words))
    if given != read and ratio(given, read) < 60:
        raise InputError(
            f"these scenes are of another text than the source ({' '.join(words[:6])} …); "
            "files go with sources in the order of their names",
            file=name,
        )


ProgressCallback = Callable[[int, int], None]
"""Called with the number of items done and their total."""
