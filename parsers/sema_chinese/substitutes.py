"""Words that replace each other in simplifications (``synonyms.txt``), and opposites (``opposites.json``).

Listed words are found however a text is segmented. Opposites are listed too, or differ only by opposite characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from sema.runtime.caching import remembered
from sema.runtime.tables import partners
from sema_chinese.relations import OPPOSITE_CHARACTERS
from sema_chinese.spelling import Spelling
from sema_chinese.words import read_lines, table

_LONGEST = 8


@cache
def _lines() -> Sequence[Sequence[str]]:
    return [line.split() for line in read_lines("synonyms.txt")]


@cache
def groups() -> Mapping[str, frozenset[int]]:
    """For each listed word the numbers of the lines that it stands in; the words of a line may replace each other."""
    by_word: dict[str, set[int]] = {}
    for number, words in enumerate(_lines()):
        for word in words:
            by_word.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in by_word.items()}


def replacements(word: str) -> frozenset[str]:
    """The listed words for a word, itself included."""
    return frozenset(other for number in groups().get(word, ()) for other in _lines()[number]) | {word}


class Place(NamedTuple):
    """The place of a listed word: characters from ``begin`` to ``end``."""

    word: str
    begin: int
    end: int


def listed_places(spelling: Spelling) -> Iterator[Place]:
    """Every listed word of a text, also within longer ones; at least one of its edges is an edge of a token.

    A single character has to be a token.
    """
    known, chars = groups(), spelling.chars
    edges = set(spelling.starts)
    for begin in range(len(chars)):
        for end in range(begin + 1, min(begin + _LONGEST, len(chars)) + 1):
            if (word := chars[begin:end]) in known:
                inside = (begin in edges) + (end in edges)
                if inside == 2 or (inside == 1 and len(word) > 1):
                    yield Place(word, begin, end)


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """The listed opposites of each word."""
    return partners(table("opposites"))


def are_listed_opposites(first: str, second: str) -> bool:
    """Whether two words are listed as opposites."""
    return second in opposites().get(first, ())


@remembered
def are_opposed(first: str, second: str) -> bool:
    """Whether two words, or words that may replace them, are listed as opposites, or differ by opposite characters."""
    whole = {first, second}
    degree = table("grammar")["degree characters"]  # before an adjective, without changing its sense
    first, second = first.lstrip(degree) or first, second.lstrip(degree) or second
    if first == second:
        return False
    if are_listed_opposites(first, second):
        return True
    if len(first) == len(second) > 1:
        differing = [frozenset(pair) for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
        if len(differing) == 1 and differing[0] in OPPOSITE_CHARACTERS:
            return True
    if second in replacements(first) or any(len(word) == 1 and word not in whole for word in (first, second)):
        return False  # 最低 is not an opposite of 超过
    return second in _opposites_of(first) or first in _opposites_of(second)


@remembered
def _opposites_of(word: str) -> frozenset[str]:
    """The opposites of a word and of its listed replacements; for an ambiguous single character only its own."""
    words = replacements(word) if len(word) > 1 else (word,)
    return frozenset(other for word in words for other in opposites().get(word, ()))
