"""Opposites: a word in whose place the output has what says the contrary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from sema_wordnet.antonyms import antonyms

from sema.model.fact import BECAME, Fact, Kind
from sema.model.lexicon import Lexicon
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table
from sema_english.meaning.polarity import is_negator, read_polarity
from sema_english.meaning.words import Bases, Words, read_words

_SHORT = 3
"""Letters up to which a word is too short to carry a prefix."""


@dataclass(frozen=True)
class Said:
    """A word, and whether it is negated or turned round by *less*."""

    word: str
    turned: bool


class Opposites:
    """Opposites in each other's place, unless a negation sets it right."""

    kind = Kind.OPPOSITE
    exchanges = False

    def __init__(self, lexicon: Lexicon | None) -> None:
        self._bases = Bases(lexicon)
        self._opposed = lru_cache(1 << 15)(self._are_opposed)
        self._has_opposite = lru_cache(1 << 15)(self._may_be_opposed)

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word that has an opposite, stated of the words of content next to it."""
        words, polarity = read_words(text), read_polarity(text)
        return [
            Fact(self.kind, Said(word, polarity.turns(words, token)), (token,), self._anchor(words, token))
            for token, word in enumerate(words.lower)
            if self._has_opposite(word) and not is_negator(word)
        ]

    def _anchor(self, words: Words, token: int) -> tuple[int, ...]:
        """What is next to a word; nothing for words of grammar (*on*) and words with converses (*buy*, *sell*).

        They contradict each other only where all around them is the same.
        """
        loose = not words.content[token] or not _converses().isdisjoint(self._bases.of(words.words[token]))
        return () if loose else words.near((token,), 1, 2)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Opposites of which both or none are negated."""
        first, second = source.value, output.value
        assert isinstance(first, Said)
        assert isinstance(second, Said)
        if not self._opposed(first.word, second.word):
            return None if self._bases.of(first.word) & self._bases.of(second.word) else ""
        return BECAME if first.turned == second.turned else None

    def _are_opposed(self, first: str, second: str) -> bool:
        here, there = self._bases.of(first), self._bases.of(second)
        if here & there:
            return False
        return any(
            b in _listed().get(a, ()) or b in antonyms().get(a, ()) or _by_prefix(a, b) for a in here for b in there
        )

    def _may_be_opposed(self, word: str) -> bool:
        if not word.isalpha():
            return False
        return any(base in _listed() or base in antonyms() or _has_prefix(base) for base in self._bases.of(word))

    def __reduce__(self) -> tuple[type[Opposites], tuple[Lexicon | None]]:
        return type(self), (self._bases.lexicon,)


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


def _has_prefix(word: str) -> bool:
    return word.startswith(_prefixes()) and word not in _not_negative()


def _by_prefix(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return (
        len(shorter) > _SHORT
        and longer not in _not_negative()
        and any(longer == prefix + shorter for prefix in _prefixes())
    )


@cache
def _prefixes() -> tuple[str, ...]:
    return tuple(table("opposites")["negative prefixes"])


@cache
def _not_negative() -> frozenset[str]:
    return frozenset(table("opposites")["not negative"])
