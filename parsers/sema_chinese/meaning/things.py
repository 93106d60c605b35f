"""Listed words that exclude each other: things, names, and states of a plan."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.listed import table
from sema_chinese.meaning.words import read_words
from sema_chinese.synonyms import known_names, replacements

_EXCLUDED = {"planned": ("done", "duty"), "expected": ("done", "duty")}
"""The states that conflict with a state of the source."""


def _listed(kind: Kind, text: Text, known: Container[str]) -> list[Fact]:
    """The tokens that are listed words, anchored in the content words around."""
    words = read_words(text)
    return [Fact(kind, word, (t,), words.near((t,))) for t, word in enumerate(words.plain) if word in known]


class Things:
    """A thing replaced by another of the same group (*mother*, *aunt*)."""

    kind = Kind.THING
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every listed word."""
        return _listed(self.kind, text, _groups())

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Different things of one group."""
        first, second = str(source.value), str(output.value)
        if second in replacements(first):
            return None
        here, there = _groups()[first], _groups()[second]
        together = {group for group, _ in here} & {group for group, _ in there}
        return BECAME if together and not here & there else ""


@cache
def _groups() -> Mapping[str, frozenset[tuple[int, int]]]:
    """For each listed word its groups and its place in each; words at one place are synonyms."""
    found: dict[str, set[tuple[int, int]]] = {}
    for group, members in enumerate(table("things")):
        for place, words in enumerate(members):
            for word in words.split():
                found.setdefault(word, set()).add((group, place))
    return {word: frozenset(places) for word, places in found.items()}


class Names:
    """The name of a place or person replaced by another."""

    kind = Kind.NAME
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every listed name."""
        return _listed(self.kind, text, known_names())

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Names without a common character, of which neither has the short form of the other (粤西, 广东)."""
        first, second = str(source.value), str(output.value)
        pairs = ((first, second), (second, first))
        shortened = any(long in replacements(char) for short, long in pairs for char in short)
        return None if shortened or not set(first).isdisjoint(second) else BECAME


class Tenses:
    """Something planned or expected that became a fact or a duty."""

    kind = Kind.TENSE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word that marks something as planned, expected, done or a duty."""
        words = read_words(text)
        states = {word: state for state, some in table("tenses").items() for word in some}
        return [Fact(self.kind, states[word], tokens, words.near(tokens)) for word, tokens in words.places(states)]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """A plan or an expectation that became a fact or a duty."""
        return BECAME if output.value in _EXCLUDED.get(str(source.value), ()) else ""
