"""A lexicon of lemmas for words in any form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sema.model.lexicon import IndexedLexicon, Lexicon
from sema.runtime.caching import remembered
from sema_ud.lemmas import Lemmas

INDEXED = ("senses", "hypernyms", "wider_senses", "paraphrases")
"""The methods that an :class:`IndexedLexicon` has besides those of every lexicon; the first argument is a word."""


class LemmaLexicon:
    """A lexicon, looked up by a word's lemma, or by the word itself if the lexicon does not know the lemma."""

    def __init__(self, base: Lexicon, lemmas: Lemmas) -> None:
        self._base = base
        self.signature = f"{base.signature}+lemmas"
        self._known = remembered(lambda word: self._choose(word, lemmas.lemma(word)))
        for name in INDEXED if isinstance(base, IndexedLexicon) else ():
            setattr(self, name, self._by_lemma(getattr(base, name)))

    def _by_lemma(self, method: Callable[..., Any]) -> Callable[..., Any]:
        return lambda word, *rest: method(self._known(word), *rest)

    def _choose(self, word: str, lemma: str) -> str:
        if not self._base.lemmas(lemma):
            return word
        return lemma[:1].upper() + lemma[1:] if word[:1].isupper() else lemma

    def lemmas(self, word: str) -> frozenset[str]:
        """The base lexicon's lemmas of the word's lemma."""
        return self._base.lemmas(self._known(word))

    def are_synonyms(self, first: str, second: str) -> bool:
        """Whether the lemmas are synonyms."""
        return self._base.are_synonyms(self._known(first), self._known(second))

    def are_paraphrases(self, first: str, second: str) -> bool:
        """Whether the lemmas are paraphrases."""
        return self._base.are_paraphrases(self._known(first), self._known(second))

    def is_hyponym(self, word: str, other: str, *, depth: int = 3) -> bool:
        """Whether one lemma is a kind of the other."""
        return self._base.is_hyponym(self._known(word), self._known(other), depth=depth)
