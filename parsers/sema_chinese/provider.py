"""Trees of Chinese sentences in either script: the parser reads simplified characters, the trees keep the user's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sema_ud.parser import UniversalParser
from sema_ud.trees import DependencyTree

from sema_chinese.segmentation.segmenter import CODE, to_model_characters


class ChineseProvider:
    """Trees of sentences in simplified or traditional characters."""

    def __init__(self, *, threads: int | None = None) -> None:
        """Arguments as for :class:`sema_ud.parser.UniversalParser`."""
        self._parser = UniversalParser(CODE, threads=threads)
        self.signature = self._parser.signature

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """One tree for each sentence, with the sentence's own words, index for index."""
        trees = self._parser.parse([_for_model(sentence) for sentence in sentences])
        return [replace(tree, words=tuple(words)) for tree, words in zip(trees, sentences, strict=True)]


def _for_model(words: Sequence[str]) -> list[str]:
    converted = to_model_characters("".join(words))
    pieces = []
    position = 0
    for word in words:
        pieces.append(converted[position : position + len(word)])
        position += len(word)
    return pieces
