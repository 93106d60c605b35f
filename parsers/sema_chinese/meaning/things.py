"""Listed words that exclude each other: things, names, and states of a plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema.runtime.tables import Places, exclude, places_in_groups
from sema_chinese.listed import table
from sema_chinese.meaning.words import WordFacts, Words
from sema_chinese.synonyms import known_names, replacements

_EXCLUDED = {"planned": ("done", "duty"), "expected": ("done", "duty")}
"""The states that conflict with a state of the source."""


@cache
def _groups() -> Mapping[str, Places]:
    return places_in_groups(table("things"))


class Things(WordFacts):
    """A thing replaced by another of the same group (*mother*, *aunt*)."""

    kind = Kind.THING
    exchanges = True

    def found(self, words: Words) -> Iterator[Fact]:
        """Every listed word, anchored in the content words around it."""
        for token, word in enumerate(words.plain):
            if word in _groups():
                yield Fact(self.kind, word, (token,), words.near((token,)))

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Different things of one group."""
        first, second = source.value, output.value
        if second in replacements(first):
            return None
        return BECAME if exclude(_groups()[first], _groups()[second]) else ""


class Names(WordFacts):
    """The name of a place or person replaced by another."""

    kind = Kind.NAME
    exchanges = True

    def found(self, words: Words) -> Iterator[Fact]:
        """Every listed name, anchored in the content words around it."""
        for token, word in enumerate(words.plain):
            if word in known_names():
                yield Fact(self.kind, word, (token,), words.near((token,)))

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Names without a common character, of which neither has the short form of the other (粤西, 广东)."""
        first, second = source.value, output.value
        pairs = ((first, second), (second, first))
        shortened = any(long in replacements(char) for short, long in pairs for char in short)
        return None if shortened or not set(first).isdisjoint(second) else BECAME


class Tenses(WordFacts):
    """Something planned or expected that became a fact or a duty."""

    kind = Kind.TENSE

    def found(self, words: Words) -> Iterator[Fact]:
        """Every word that marks something as planned, expected, done or a duty."""
        states = {word: state for state, listed in table("tenses").items() for word in listed}
        for word, tokens in words.places(states):
            yield Fact(self.kind, states[word], tokens, words.near(tokens))

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """A plan or an expectation that became a fact or a duty."""
        return BECAME if output.value in _EXCLUDED.get(source.value, ()) else ""
