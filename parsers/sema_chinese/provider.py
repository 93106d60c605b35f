"""Trees of Chinese sentences in either script: the models read simplified characters, the trees keep the user's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sema_ud.stanza_provider import StanzaProvider
from sema_ud.trees import DependencyTree

from sema_chinese.joined_verbs import lift_joined_verbs
from sema_chinese.segmentation.segmenter import MODEL_CODE, to_model_characters


class ChineseProvider:
    """Stanza's trees for simplified Chinese, for sentences in simplified or traditional characters."""

    def __init__(self, *, threads: int | None = None, prefer_shipped: bool = False) -> None:
        """Choose the models, the user's own unless ``prefer_shipped``; they are loaded when first needed.

        ``threads`` is that of :class:`~sema_ud.stanza_provider.StanzaProvider`.
        """
        self._provider = StanzaProvider(MODEL_CODE, threads=threads, prefer_shipped=prefer_shipped)
        self.signature = f"{self._provider.signature}+joined-verbs"

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[DependencyTree]:
        """One tree for each sentence, with the sentence's own words, index for index."""
        trees = self._provider.parse([_for_model(sentence) for sentence in sentences])
        return [
            lift_joined_verbs(replace(tree, words=tuple(words))) for tree, words in zip(trees, sentences, strict=True)
        ]


def _for_model(words: Sequence[str]) -> list[str]:
    converted = to_model_characters("".join(words))
    pieces = []
    position = 0
    for word in words:
        pieces.append(converted[position : position + len(word)])
        position += len(word)
    return pieces
