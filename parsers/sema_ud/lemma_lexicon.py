"""A lexicon of lemmas for words in any form."""

from __future__ import annotations

from collections.abc import Hashable

from sema.model.lexicon import IndexedLexicon, Lexicon
from sema.runtime.caching import remembered
from sema_ud.lemmas import Lemmas


def by_lemma(lexicon: Lexicon, lemmas: Lemmas) -> Lexicon:
    """The lexicon, looked up by a word's lemma, or by the word itself if the lexicon does not know the lemma."""
    if isinstance(lexicon, IndexedLexicon):
        return _IndexedLemmaLexicon(lexicon, lemmas)
    return _LemmaLexicon(lexicon, lemmas)


class _LemmaLexicon:
    def __init__(self, base: Lexicon, lemmas: Lemmas) -> None:
        self._base = base
        self.signature = f"{base.signature}+lemmas"
        self._known = remembered(lambda word: self._choose(word, lemmas.lemma(word)))

    def _choose(self, word: str, lemma: str) -> str:
        if not self._base.lemmas(lemma):
            return word
        return lemma[:1].upper() + lemma[1:] if word[:1].isupper() else lemma

    def lemmas(self, word: str) -> frozenset[str]:
        return self._base.lemmas(self._known(word))

    def are_synonyms(self, first: str, second: str) -> bool:
        return self._base.are_synonyms(self._known(first), self._known(second))

    def are_paraphrases(self, first: str, second: str) -> bool:
        return self._base.are_paraphrases(self._known(first), self._known(second))

    def is_hyponym(self, word: str, other: str, *, depth: int = 3) -> bool:
        return self._base.is_hyponym(self._known(word), self._known(other), depth=depth)


class _IndexedLemmaLexicon(_LemmaLexicon):
    _base: IndexedLexicon

    def senses(self, word: str) -> frozenset[Hashable]:
        return self._base.senses(self._known(word))

    def hypernyms(self, word: str, depth: int = 3) -> frozenset[Hashable]:
        return self._base.hypernyms(self._known(word), depth)

    def wider_senses(self, word: str) -> frozenset[Hashable]:
        return self._base.wider_senses(self._known(word))

    def paraphrases(self, word: str) -> frozenset[str]:
        return self._base.paraphrases(self._known(word))
