"""Opposites: listed words (``tables/opposites.json``), and words that differ only by opposite characters."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from sema.runtime.caching import remembered
from sema.runtime.tables import partners
from sema_chinese.listed import table
from sema_chinese.relations import OPPOSITE_CHARACTERS
from sema_chinese.synonyms import replacements


@cache
def opposites() -> Mapping[str, frozenset[str]]:
    """The listed opposites of each word."""
    return partners(table("opposites"))


def are_listed_opposites(first: str, second: str) -> bool:
    """Whether the two characters are listed as opposites."""
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
