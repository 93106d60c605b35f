"""Figures in the notations of all languages: *1 000 000*, *1.000.000* and *1000000*, *1,5* and *1.5*, ٢٥ and 25."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from sema.model.text import Text
from sema_reader.normalisation import Match

_GROUPS = r"(?P<whole>[1-9]\d{0,2}(?:(?P<sign>[%s])\d{3})(?:(?P=sign)\d{3})%s)"
_FORMS = [
    re.compile(form)
    for form in (
        r"(?P<whole>0|[1-9]\d*)",
        r"(?P<whole>0|[1-9]\d*)[.,٫](?P<part>(?!\d{3}$)\d*[1-9])",
        _GROUPS % (" '’٬", "*") + r"(?:[.,٫](?P<part>\d*[1-9]))?",
        _GROUPS % (".,", "+"),
        _GROUPS % (".,", "*") + r"(?!(?P=sign))[.,](?P<part>\d*[1-9])",
    )
]
"""Figures with one meaning: *1.000* may be a thousand or one, *007* and *1.10* may be codes."""


def matches(source: Text, output: Text) -> Iterator[Match]:
    """The figures of the output that the source has in other signs."""
    known = dict(_figures(source))
    for value, run in _figures(output):
        if value in known:
            yield known[value], run


def _figures(text: Text) -> Iterator[tuple[str, range]]:
    """The values of the figures of a text, and their tokens; a space may stand between groups of digits."""
    token = 0
    while token < len(text.tokens):
        written, end = _ascii(text.words[token]), token + 1
        while written[-1:].isdecimal() and end < len(text.tokens) and _follows(text, end):
            written, end = f"{written} {_ascii(text.words[end])}", end + 1
        if (value := _value(written)) is not None:
            yield value, range(token, end)
        token = end


def _follows(text: Text, token: int) -> bool:
    """Whether a token begins with three digits, one space behind the token before it."""
    gap = text.tokens[token].start - text.tokens[token - 1].end
    return gap == 1 and re.match(r"\d{3}(?!\d)", text.words[token]) is not None


def _ascii(word: str) -> str:
    """The word with digits of any script as ASCII's, and any space as one."""
    return "".join(" " if char.isspace() else str(unicodedata.decimal(char, char)) for char in word)


def _value(written: str) -> str | None:
    for form in _FORMS:
        if found := form.fullmatch(written):
            return f"{re.sub('[^0-9]', '', found['whole'])}.{found.groupdict().get('part') or ''}"
    return None
