"""Things: one thing replaced by another that excludes it (*mother*, *aunt*), and exchanged superlatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.listed import table
from sema_chinese.meaning.words import read_words
from sema_chinese.synonyms import replacements

_MOST = "最"


Places = Mapping[str, frozenset[tuple[int, int]]]


@cache
def _groups(name: str) -> Places:
    """For each listed word its groups and its place in each; words at one place are synonyms."""
    found: dict[str, set[tuple[int, int]]] = {}
    for group, line in enumerate(table("things")[name]):
        for place, words in enumerate(line.split("|")):
            for word in words.split():
                found.setdefault(word, set()).add((group, place))
    return {word: frozenset(places) for word, places in found.items()}


def _exclude(first: str, second: str, groups: Places) -> bool:
    """Whether words are different things of one group."""
    here, there = groups.get(first, frozenset()), groups.get(second, frozenset())
    return not here & there and bool({group for group, _ in here} & {group for group, _ in there})


class Things:
    """A thing replaced by another of the same group."""

    kind = Kind.THING
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every listed word."""
        words = read_words(text)
        return [
            Fact(self.kind, word, (token,), words.near((token,)))
            for token, word in enumerate(words.plain)
            if word in _groups("things")
        ]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Words that exclude each other."""
        first, second = str(source.value), str(output.value)
        if first == second or second in replacements(first):
            return None
        return BECAME if _exclude(first, second, _groups("things")) else ""


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
