"""Opposites: a word replaced by its contrary."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from sema_wordnet.antonyms import antonyms

from sema.model.fact import BECAME, Fact, Kind
from sema.model.lexicon import Lexicon
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table, word_list
from sema_english.meaning.words import Bases, Words, negates_by_prefix, read_words

_SHORTEST = 4
"""The least number of letters of a word that takes a negative prefix."""


class Stated(NamedTuple):
    """A word, and whether it is negated or reversed by *less*."""

    word: str
    denied: bool


class Opposites:
    """A word replaced by its opposite, unless a negation compensates."""

    kind = Kind.OPPOSITE
    exchanges = False

    def __init__(self, lexicon: Lexicon | None) -> None:
        self._bases = Bases(lexicon)
        self._opposed = lru_cache(1 << 15)(self._are_opposed)
        self._has_opposite = lru_cache(1 << 15)(self._may_be_opposed)

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word that has an opposite, anchored in the content words next to it."""
        words = read_words(text)
        reversing = word_list("opposites", "reversing")
        return [
            Fact(
                self.kind,
                Stated(word, words.negated(token) != (words.at(token - 1) in reversing)),
                (token,),
                self._anchor(words, token),
            )
            for token, word in enumerate(words.lower)
            if self._has_opposite(word) and word not in word_list("negation", "negators")
        ]

    def _anchor(self, words: Words, token: int) -> tuple[int, ...]:
        """Nothing for function words (*on*) and converses (*buy*, *sell*): they need the same words around them."""
        loose = not words.content[token] or not _converses().isdisjoint(self._bases.of(words.words[token]))
        return () if loose else words.near((token,))

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Opposites, both denied or neither."""
        first, second = source.value, output.value
        assert isinstance(first, Stated)
        assert isinstance(second, Stated)
        if not self._opposed(first.word, second.word):
            return None if self._bases.of(first.word) & self._bases.of(second.word) else ""
        return BECAME if first.denied == second.denied else None

    def _are_opposed(self, first: str, second: str) -> bool:
        here, there = self._bases.of(first), self._bases.of(second)
        return here.isdisjoint(there) and any(
            b in _listed().get(a, ()) or b in antonyms().get(a, ()) or _by_prefix(a, b) for a in here for b in there
        )

    def _may_be_opposed(self, word: str) -> bool:
        prefixes = tuple(word_list("opposites", "negative prefixes"))
        return word.isalpha() and any(
            base in _listed() or base in antonyms() or base.startswith(prefixes) for base in self._bases.of(word)
        )

    def __reduce__(self) -> tuple[type[Opposites], tuple[Lexicon | None]]:
        return type(self), (self._bases.lexicon,)


def _by_prefix(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return len(shorter) >= _SHORTEST and negates_by_prefix(longer, shorter)


@cache
def _converses() -> frozenset[str]:
    return frozenset(word for pair in table("opposites")["converses"] for word in pair.split())


@cache
def _listed() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in table("opposites")["pairs"]:
        first, second = pair.split()
        found.setdefault(first, set()).add(second)
        found.setdefault(second, set()).add(first)
    return {word: frozenset(others) for word, others in found.items()}
