"""Words that replace each other in simplifications (``synonyms.txt``), found however a text is segmented."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from sema_chinese.listed import read_lines
from sema_chinese.spelling import Spelling

_LONGEST = 8


@cache
def groups() -> dict[str, frozenset[int]]:
    """For each listed word the numbers of the lines that it stands in; the words of a line may replace each other."""
    by_word: dict[str, set[int]] = {}
    for number, line in enumerate(read_lines("synonyms.txt")):
        for word in line.split():
            by_word.setdefault(word, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in by_word.items()}


def replacements(word: str) -> frozenset[str]:
    """The listed words for a word, itself included."""
    own = groups().get(word, frozenset())
    return frozenset(other for other in _members(own)) | {word}


@cache
def _lines() -> dict[int, frozenset[str]]:
    lines: dict[int, set[str]] = {}
    for word, numbers in groups().items():
        for number in numbers:
            lines.setdefault(number, set()).add(word)
    return {number: frozenset(words) for number, words in lines.items()}


def _members(numbers: Iterable[int]) -> set[str]:
    return {word for number in numbers for word in _lines()[number]}


@dataclass(frozen=True)
class Place:
    """The place of a listed word: characters from ``begin`` to ``end``."""

    word: str
    begin: int
    end: int


def listed_places(spelling: Spelling) -> list[Place]:
    """Every listed word of a text, also within longer ones; at least one of its edges is an edge of a token.

    A single character has to be a token.
    """
    known, chars = groups(), spelling.chars
    edges = set(spelling.starts)
    places = []
    for begin in range(len(chars)):
        for length in range(1, _LONGEST + 1):
            end = begin + length
            word = chars[begin:end]
            if end > len(chars) or word not in known:
                continue
            inside = (begin in edges) + (end in edges)
            if inside == 2 or (inside == 1 and length > 1):
                places.append(Place(word, begin, end))
    return places
