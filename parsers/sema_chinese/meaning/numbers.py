"""Numbers: another number in the place of one."""

from __future__ import annotations

from collections.abc import Iterator

from sema.model.fact import BECAME, Fact, Kind
from sema_chinese.meaning.quantities import Number, numbers, same
from sema_chinese.meaning.words import WordFacts, Words


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
