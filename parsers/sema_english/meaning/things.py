"""Things: one thing replaced by another that excludes it (*red* and *blue*, *hotel* and *school*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from sema_wordnet.nouns import name_different_things

from sema.model.fact import BECAME, Fact, Kind
from sema.model.lexicon import Lexicon
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table
from sema_english.meaning.words import Bases, read_words
from sema_english.relations import relations
from sema_english.words import word_table

RARER = 0.4
"""How much rarer (Zipf scale) the output's word must be: simplifications choose commoner words."""


@cache
def _groups() -> Mapping[str, frozenset[tuple[str, int]]]:
    """For each listed word its groups and its place in each; words at one place are synonyms."""
    found: dict[str, set[tuple[str, int]]] = {}
    for group, members in table("things").items():
        for place, words in enumerate(members):
            for word in words.split():
                found.setdefault(word, set()).add((group, place))
    return {word: frozenset(places) for word, places in found.items()}


class Things:
    """A thing replaced by another of its kind between the same words."""

    kind = Kind.THING
    exchanges = False

    def __init__(self, lexicon: Lexicon | None) -> None:
        self._bases = Bases(lexicon)
        self._kind_of = relations(lexicon, reverse_hyponymy=True).kind
        self._excludes = lru_cache(1 << 15)(self._exclude)

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every content word except names; words that are not listed need the same words around them."""
        words = read_words(text)
        return [
            Fact(self.kind, word, (token,), words.near((token,), 1, 2) if word in _groups() else ())
            for token, word in enumerate(words.lower)
            if words.content[token] and (words.words[token][0].islower() or token == words.sentence[token][0])
        ]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Words for things of which nothing can be both."""
        first, second = str(source.value), str(output.value)
        if self._bases.of(first) & self._bases.of(second):
            return None
        return BECAME if self._excludes(first, second) else ""

    def _exclude(self, first: str, second: str) -> bool:
        here, there = (
            frozenset(place for base in self._bases.of(word) for place in _groups().get(base, ()))
            for word in (first, second)
        )
        if here and there:
            shared = {group for group, _ in here} & {group for group, _ in there}
            return bool(shared) and not here & there
        known = word_table()
        if second not in known or known.zipf(second) > known.zipf(first) - RARER:
            return False  # perhaps a simpler word for the same
        related = self._kind_of(first, second) or self._kind_of(second, first)
        return related is None and name_different_things(first, second)
