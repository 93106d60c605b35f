"""Things: one thing replaced by another that excludes it (*red* and *blue*, *hotel* and *school*)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from sema_wordnet.nouns import name_different_things

from sema.model.fact import BECAME, Fact, Kind
from sema.runtime.caching import remembered
from sema.runtime.tables import Places, exclude, places_in_groups
from sema_english.listed import table
from sema_english.meaning.words import Bases, WordFacts, Words
from sema_english.relations import relations
from sema_english.words import word_table

RARER = 0.4
"""How much rarer (Zipf scale) the output's word must be: simplifications choose commoner words."""


@cache
def _groups() -> Mapping[str, Places]:
    return places_in_groups(table("things").values())


class Things(WordFacts):
    """A thing replaced by another of its kind between the same words."""

    kind = Kind.THING

    def __init__(self, bases: Bases) -> None:
        self._bases = bases
        self._kind_of = relations(bases.lexicon, reverse_hyponymy=True).kind
        self._excludes = remembered(self._exclude)

    def found(self, words: Words) -> Iterator[Fact]:
        """Every content word except names; words that are not listed need the same words around them."""
        for token, word in enumerate(words.lower):
            if words.content[token] and (words.words[token][0].islower() or token == words.sentence[token][0]):
                yield Fact(self.kind, word, (token,), words.near((token,)) if word in _groups() else ())

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Words for things of which nothing can be both."""
        first, second = source.value, output.value
        if self._bases.of(first) & self._bases.of(second):
            return None
        return BECAME if self._excludes(first, second) else ""

    def _exclude(self, first: str, second: str) -> bool:
        old, new = (
            frozenset(place for base in self._bases.of(word) for place in _groups().get(base, ()))
            for word in (first, second)
        )
        if old and new:
            return exclude(old, new)
        known = word_table()
        if second not in known or known.zipf(second) > known.zipf(first) - RARER:
            return False  # perhaps a simpler word for the same
        related = self._kind_of(first, second) or self._kind_of(second, first)
        return related is None and name_different_things(first, second)
