"""Listed words that exclude each other: things, superlatives, names, and states of a plan."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.listed import table
from sema_chinese.meaning.words import read_words
from sema_chinese.synonyms import known_names, replacements

_MOST = "最"
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
    for group, line in enumerate(table("things")["things"]):
        for place, words in enumerate(line.split("|")):
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


class Superlatives:
    """A superlative replaced by that of another quality."""

    kind = Kind.DEGREE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every 最 with a listed quality; *规模 最大* is of size, *价格 最低* and *最 便宜* are one end of prices."""
        words = read_words(text)
        found = []
        for token, word in enumerate(words.plain):
            alone = word == _MOST and token + 1 < len(words.plain)
            quality = words.plain[token + 1] if alone else word.removeprefix(_MOST)
            if not word.startswith(_MOST) or quality not in _qualities():
                continue
            tokens = (token, token + 1) if alone else (token,)
            noun = words.plain[token - 1] if token else ""
            named = frozenset(end for end in _qualities()[quality] if end[0] == _dimensions().get(noun))
            tokens = (token - 1, *tokens) if named else tokens
            found.append(Fact(self.kind, named or _qualities()[quality], tokens, words.near(tokens), _MOST))
        return found

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Ends of different scales, or of one."""
        assert isinstance(source.value, frozenset)
        assert isinstance(output.value, frozenset)
        return BECAME if source.value.isdisjoint(output.value) else None


End = tuple[int, bool]
"""An end of a scale: its number, and whether it is the upper one."""


@cache
def _qualities() -> Mapping[str, frozenset[End]]:
    """For each quality the ends of scales that it can be."""
    found: dict[str, set[End]] = {}
    for number, line in enumerate(table("things")["superlatives"]):
        for upper, words in zip((True, False), line.split("|")[1:], strict=True):
            for word in words.split():
                found.setdefault(word, set()).add((number, upper))
    return {word: frozenset(ends) for word, ends in found.items()}


@cache
def _dimensions() -> Mapping[str, int]:
    """The scale that each noun names."""
    lines = table("things")["superlatives"]
    return {noun: number for number, line in enumerate(lines) for noun in line.split("|")[0].split()}
