"""Opposites: a word replaced by its contrary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from sema_wordnet.antonyms import antonyms

from sema.meaning.kinds import Contraries, Stated
from sema.model.fact import Fact
from sema.runtime.caching import remembered
from sema.runtime.tables import partners
from sema_english.listed import table, word_list
from sema_english.meaning.words import Bases, WordFacts, Words, negates_by_prefix

_SHORTEST = 4
"""The least number of letters of a word that takes a negative prefix."""


class Opposites(Contraries, WordFacts):
    """A word replaced by its opposite, unless a negation compensates."""

    def __init__(self, bases: Bases) -> None:
        self._bases = bases
        self.are_opposed = remembered(self._have_opposed_bases)
        self._has_opposite = remembered(self._may_be_opposed)

    def found(self, words: Words) -> Iterator[Fact]:
        """Every word that has an opposite, anchored in the content words next to it."""
        for token, word in enumerate(words.lower):
            if self._has_opposite(word) and word not in word_list("negation", "negators"):
                reversed_ = words.at(token - 1) in word_list("opposites", "reversing")
                stated = Stated(word, words.negated(token) != reversed_)
                yield Fact(self.kind, stated, (token,), self._anchor(words, token))

    def _anchor(self, words: Words, token: int) -> tuple[int, ...]:
        """Nothing for function words (*on*) and converses (*buy*, *sell*): they need the same words around them."""
        loose = not words.content[token] or not _converses().isdisjoint(self._bases.of(words.words[token]))
        return () if loose else words.near((token,))

    def are_same(self, first: str, second: str) -> bool:
        """Whether two words have a common base form."""
        return not self._bases.of(first).isdisjoint(self._bases.of(second))

    def _have_opposed_bases(self, first: str, second: str) -> bool:
        return any(
            b in _listed().get(a, ()) or b in antonyms().get(a, ()) or _by_prefix(a, b)
            for a in self._bases.of(first)
            for b in self._bases.of(second)
        )

    def _may_be_opposed(self, word: str) -> bool:
        prefixes = tuple(word_list("opposites", "negative prefixes"))
        return word.isalpha() and any(
            base in _listed() or base in antonyms() or base.startswith(prefixes) for base in self._bases.of(word)
        )


def _by_prefix(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return len(shorter) >= _SHORTEST and negates_by_prefix(longer, shorter)


@cache
def _converses() -> frozenset[str]:
    return frozenset(" ".join(table("opposites")["converses"]).split())


@cache
def _listed() -> Mapping[str, frozenset[str]]:
    return partners(table("opposites")["pairs"])
