"""Bounds: a minimum that became a maximum, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.listed import table
from sema_chinese.meaning.numbers import FIGURE, value_of
from sema_chinese.meaning.words import Words, read_words

_FIGURE = rf"(?:百分之)?(?P<figure>{FIGURE}|一)"
_OVER, _UNDER = 1, -1


@cache
def _patterns() -> Sequence[re.Pattern[str]]:
    """Bounds before a number and behind it."""
    sides = {part: "|".join(words.split()) for part, words in table("bounds").items()}
    before = (
        rf"(?:(?P<not>{sides['not']})?(?:(?P<over>{sides['over']})|(?P<under>{sides['under']}))"
        rf"|(?P<least>{sides['least']})|(?P<most>{sides['most']}))"
        rf"(?:[了于约]?|(?<={sides['adverbs']})[^\W\d]{{1,3}}?){_FIGURE}"
    )
    behind = (
        rf"{_FIGURE}[^，。；、,;\d]{{0,4}}?(?:(?P<over>{sides['over, behind']})|(?P<under>{sides['under, behind']}))"
    )
    return re.compile(before), re.compile(behind)


class Bounds:
    """A number bounded from the opposite side."""

    kind = Kind.BOUND
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every bounded number with the side of the allowed values (十六岁 以下 不可以 means sixteen or more)."""
        words = read_words(text)
        return [
            Fact(self.kind, (value, -side if _denied(words, tokens) else side), tokens, words.near(tokens), value)
            for tokens, value, side in _limits(words)
        ]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Opposite bounds of one number."""
        return BECAME if source.aspect == output.aspect and source.value != output.value else ""


def _limits(words: Words) -> Iterator[tuple[tuple[int, ...], float, int]]:
    chars = words.spelling.chars
    for pattern in _patterns():
        for found in pattern.finditer(chars):
            given = found.groupdict()
            side = _OVER if given.get("over") or given.get("least") else _UNDER
            value = value_of(found["figure"])
            if value is not None:
                tokens = tuple(words.spelling.tokens(found.start(), found.end()))
                yield tokens, value, -side if given.get("not") else side


def _denied(words: Words, tokens: Sequence[int]) -> bool:
    """Whether the rest of the clause of a limit is negated."""
    rest = "".join(words.plain[t] for t in words.clause(tokens[0]) if t not in tokens)
    return sum(char in table("grammar")["denying characters"] for char in rest) % 2 == 1
