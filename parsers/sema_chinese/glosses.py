"""Words that CC-CEDICT explains alike (``glosses.npz``), as paraphrases beside another lexicon's senses."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from sema.model.lexicon import IndexedLexicon, LayeredLexicon
from sema.runtime.caching import remembered
from sema.runtime.pairs import Partners, load_pairs
from sema_chinese.words import TABLES

FILE = TABLES / "glosses.npz"
"""Pairs of words in simplified characters; ``CARD.md`` says how they were chosen."""


@cache
def shipped_pairs() -> Partners:
    """The partners of each word by the pairs that ship."""
    return load_pairs(FILE)


class GlossLexicon(LayeredLexicon):
    """``base`` with the pairs of the table; words that share a sense in ``base`` are not paraphrases."""

    def __init__(self, base: IndexedLexicon, plain: Callable[[str], str]) -> None:
        """``plain`` writes a word in simplified characters; the table is read on first use."""
        super().__init__(base, "cc-cedict-1")
        self._plain = plain
        self.paraphrases = remembered(self._paraphrases)

    def over(self, base: IndexedLexicon) -> GlossLexicon:
        """The same pairs beside another lexicon."""
        return GlossLexicon(base, self._plain)

    def lemmas(self, word: str) -> frozenset[str]:
        """The base lexicon's lemmas, and a traditional word's simplified form."""
        plain, forms = self._plain(word), self.base.lemmas(word)
        return forms if plain == word else forms | {plain}

    def _paraphrases(self, word: str) -> frozenset[str]:
        """The words that are paired with a word or its simplified form."""
        return frozenset(shipped_pairs().get(self._plain(word), ()))

    def are_paraphrases(self, first: str, second: str) -> bool:
        """Whether the words are paired and share no sense."""
        return self._plain(second) in self.paraphrases(first) and not self.are_synonyms(first, second)
