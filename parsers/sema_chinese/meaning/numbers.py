"""Numbers and their bounds: another number in the place of one, a minimum that became a maximum."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from math import isnan

from sema.model.fact import BECAME, Fact, Kind
from sema_chinese.listed import table
from sema_chinese.meaning.quantities import FIGURE, Number, numbers, same, value_of
from sema_chinese.meaning.words import WordFacts, Words

_FIGURE = rf"(?:百分之)?(?P<figure>{FIGURE}|一)"


class Numbers(WordFacts):
    """A number replaced by another."""

    kind = Kind.NUMBER
    exchanges = True

    def found(self, words: Words) -> Iterator[Fact]:
        """Every number, anchored in the content words around it."""
        for number in numbers(words.spelling):
            yield Fact(self.kind, number, number.tokens, words.near(number.tokens), unit=number.unit)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Numbers of one kind that are not the same."""
        if same(source.value, output.value, rounded=True):
            return None
        return BECAME if _comparable(source.value, output.value) else ""


def _comparable(first: Number, second: Number) -> bool:
    kinds = {first.kind, second.kind}
    if kinds == {"%", "share"}:
        return True
    if len(kinds) == 2 and 1 in (first.value, second.value):
        return False  # 一年 for 年 counts nothing
    return len(kinds) == 1 or bool(kinds & {"", "vague"}) or not kinds & {"%", "share", "ordinal"}


class Bounds(WordFacts):
    """A number bounded from the opposite side."""

    kind = Kind.BOUND

    def found(self, words: Words) -> Iterator[Fact]:
        """Every bounded number with the side of the allowed values (十六岁 以下 不可以 means sixteen or more)."""
        for pattern in _patterns():
            for limit in pattern.finditer(words.spelling.chars):
                parts, value = limit.groupdict(), value_of(limit["figure"])
                tokens = tuple(words.spelling.tokens(limit.start(), limit.end()))
                above = bool(parts.get("over") or parts.get("least")) != bool(parts.get("not"))
                if not isnan(value):
                    yield Fact(self.kind, (value, above != _denied(words, tokens)), tokens, words.near(tokens), value)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Opposite bounds of one number."""
        return BECAME if source.value != output.value else ""


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


def _denied(words: Words, tokens: Sequence[int]) -> bool:
    """Whether the rest of the clause of a limit is negated."""
    rest = "".join(words.plain[t] for t in words.clause(tokens[0]) if t not in tokens)
    return sum(char in table("grammar")["denying characters"] for char in rest) % 2 == 1
