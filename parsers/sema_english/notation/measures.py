"""The quantities of an English text: its numbers, and what they are parts of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from sema_reader.quantities import NUMBER, Line, Patterns, Quantity, decimal

from sema.model.text import Text
from sema.runtime.caching import remembered
from sema_english.notation.quantities import COUNT, ORDINAL, SHARE, Scanner
from sema_english.words import FUNCTION_WORDS, table


@remembered
def read_quantities(text: Text) -> tuple[Quantity, ...]:
    """The numbers of a text, with the names that they count, and what they are parts of."""
    numbers = tuple(Scanner(text).scan())
    line = Line(_pieces(text, numbers), between=" ")
    return (*numbers, *(named for one in numbers for named in _named(text, one)), *_patterns().read(line))


@cache
def _patterns() -> Patterns:
    return Patterns(table("measures"), rf"{NUMBER}|\bone\b", _value)


def _value(figure: str) -> float:
    return 1.0 if figure.lower() in ("one", "a", "an") else decimal(figure)


def _pieces(text: Text, numbers: Sequence[Quantity]) -> Iterator[tuple[str, range]]:
    """The words of a text, its numbers in digits."""
    starts = {one.tokens.start: one for one in numbers if one.kind in (COUNT, ORDINAL, SHARE)}
    token = 0
    while token < len(text.words):
        if one := starts.get(token):
            factor, ending = {ORDINAL: (1, "th"), SHARE: (100, "%")}.get(one.kind, (1, ""))
            yield f"#{round(one.value * factor, 6):.15g}{ending}", one.tokens
            token = one.tokens.stop
        else:
            yield text.words[token].replace("#", "\ufffd"), range(token, token + 1)
            token += 1


def _named(text: Text, one: Quantity) -> Iterator[Quantity]:
    """The number with the names that it counts: *World War II*, *the Second World War*."""
    words, start, end = text.words, one.tokens.start, one.tokens.stop
    if one.kind == ORDINAL and words[start][1:].islower():
        while end < len(words) and _is_name(words[end]):
            end += 1
    elif not words[start][0].islower():
        while start and _is_name(words[start - 1]):
            start -= 1
    names = (*words[start : one.tokens.start], *words[one.tokens.stop : end])
    if len(names) > 1:
        yield Quantity((one.value, *names), "named", range(start, end))


def _is_name(word: str) -> bool:
    return word.isalpha() and word.istitle() and word.lower() not in FUNCTION_WORDS
