"""Texts of one language, segmented and parsed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sema.analysis.source import SourceAnalysis
from sema.analysis.texts import RawText, first_error, join_sentences
from sema.errors import InputError, SemaError, counted, kind_of
from sema.model.forms import segmented
from sema.model.language import Parts
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema.plugins import contained
from sema.runtime.caching import Cache

Sentence = tuple[str, ...]
GRAPH_WORD = 1_000
"""Bytes that a word of a scene graph takes in the cache, at most."""


class TextAnalyser:
    """Segments and parses texts of one language, each once; sources and outputs share one, if not in two languages."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._texts: Cache[str | tuple[str, ...], Text] = Cache()
        self._graphs: Cache[Sentence, SceneGraph | SemaError] = Cache(size=lambda words, _: GRAPH_WORD * len(words))

    @contained()
    def segment(self, raw: Sequence[RawText]) -> list[Text]:
        """Segment texts; sentences given as such keep their boundaries."""
        keys = [item if isinstance(item, str | Text) else tuple(item) for item in raw]
        known = self._texts.lookup((key for key in keys if not isinstance(key, Text)), self._segment)
        return [key if isinstance(key, Text) else known[key] for key in keys]

    def _segment(self, texts: list[str | tuple[str, ...]]) -> Iterator[Text]:
        strings = [string for text in texts for string in ([text] if isinstance(text, str) else text)]
        read = iter(segmented(self.parts.segmenter, strings) if strings else [])
        for text in texts:
            yield next(read) if isinstance(text, str) else join_sentences([next(read) for _ in text])

    @contained()
    def graphs(self, texts: Sequence[Text]) -> list[list[SceneGraph] | SemaError]:
        """The scene graphs of every text's sentences; an error replaces those of a text that cannot be parsed."""
        known = self._graphs.lookup((words for text in texts for words in text.sentence_words), self._extract)
        found = [[known[words] for words in text.sentence_words] for text in texts]
        return [first_error(*graphs) or cast(list[SceneGraph], graphs) for graphs in found]

    def _extract(self, sentences: list[Sentence]) -> list[SceneGraph | SemaError]:
        try:
            found = zip(sentences, self.parts.extractor.extract(sentences), strict=True)
            return [_checked(graph, words) for words, graph in found]
        except SemaError as error:
            if len(sentences) == 1:
                return [error]
        # One sentence of the batch fails: parse them one by one, so that the others keep their graphs.
        return [graph for sentence in sentences for graph in self._extract([sentence])]

    @contained()
    def analyse(self, texts: Sequence[Text]) -> list[SourceAnalysis | SemaError]:
        """The Scenes of every text, or the error of parsing it."""
        distinct = list(dict.fromkeys(texts))
        found = dict(zip(distinct, map(self._joined, distinct, self.graphs(distinct)), strict=True))
        return [found[text] for text in texts]

    @staticmethod
    def _joined(text: Text, graphs: list[SceneGraph] | SemaError) -> SourceAnalysis | SemaError:
        if isinstance(graphs, SemaError):
            return graphs
        if not graphs:
            return InputError("the source has no words; give it a text, or take the item out of every file")
        return SourceAnalysis.from_graphs(text, graphs)

    @contained()
    def states(self, texts: Sequence[Text]) -> list[NDArray[np.float32] | None]:
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


def _checked(graph: SceneGraph, words: Sentence) -> SceneGraph:
    """The graph; an ``InputError`` if an extractor of a plug-in gives something else."""
    if not isinstance(graph, SceneGraph):
        raise InputError(f"the scene extractor gives {kind_of(graph)} in place of a sema.SceneGraph; repair it")
    if len(graph.tokens) != len(words):
        counts = f"{counted(len(graph.tokens), 'token')} for a sentence of {len(words)}"
        raise InputError(f"the scene extractor gives a graph of {counts}; repair it")
    return graph
