"""The blanks between the words of a text: as it was written, or as texts are usually written."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

_BLANK = re.compile(r"\s*")


def gaps(words: Sequence[str], text: str) -> list[str]:
    """The whitespace before each word in ``text``; if a word is not found there, :func:`usual_gaps`.

    Whitespace with a line break becomes one line break, or two where a line is empty; any other becomes one space.
    """
    blanks: list[str] = []
    position = 0
    for word in words:
        start = position + len(_BLANK.match(text, position)[0])  # type: ignore[index]  # it matches anywhere
        at = text.find(word, start, start + len(word) + 12)
        if at < 0:
            return usual_gaps(words)
        ends = min(2, text.count("\n", position, at))
        blanks.append("" if not position or at == position else "\n" * ends or " ")
        position = at + len(word)
    return blanks


def usual_gaps(words: Sequence[str]) -> list[str]:
    """The space before each word: none beside East Asian characters, before closing or after opening marks."""
    return ["" if _is_tight(before, word) else " " for before, word in zip(["", *words], words, strict=False)]


def _is_tight(before: str, word: str) -> bool:
    closing = word in (".", ",", ";", ":", "!", "?", ")", "]", "”", "%", "''", "n't") or word[:1] in ("'", "’")
    opening = before in ("", "(", "[", "“", "$", "``")
    return closing or opening or is_square(before[-1:]) or is_square(word[:1])


def is_square(char: str) -> bool:
    """Whether a character is East Asian and as wide as it is high."""
    return unicodedata.east_asian_width(char or " ") in "WF"
