"""The levels of words by the lists that learners' courses use: CEFR-J (A1 to B2), Octanove (C1, C2)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from sema.model.levels import parse_level
from sema.model.lexicon import Lexicon
from sema_english.listed import read_lines


@cache
def listed_levels() -> Mapping[str, float]:
    """The level of every listed word."""
    return {word: parse_level(level) for level, word in map(str.split, read_lines("cefr_words.txt"))}


def listed_level(word: str, lexicon: Lexicon | None) -> float | None:
    """The level of a word, or the lowest of its lemmas'; ``None`` for a word in no list."""
    known, form = listed_levels(), word.lower()
    forms = {form} if form in known or lexicon is None else lexicon.lemmas(form)
    return min((known[one] for one in forms if one in known), default=None)
