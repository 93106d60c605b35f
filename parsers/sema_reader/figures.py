"""Figures in the notations of all languages: *1 000 000*, *1.000.000* and *1000000*, *1,5* and *1.5*, ٢٥ and 25."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from sema.model.text import Text
from sema_reader.normalisation import Match
from sema_reader.quantities import NUMBER, Line, Patterns, Quantity, alike, decimal, tables_of

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

_GLUED = re.compile(r"(.*\d)([^\W\d_]+|[^\w\s])")
"""A figure with its unit: 50%, 5km, 120万."""


def matches(source: Text, output: Text) -> Iterator[Match]:
    """The figures of the output that the source has in other signs, and what they are parts of."""
    yield from alike(_quantities(source), _quantities(output))


def _quantities(text: Text) -> Iterator[Quantity]:
    """The figures of a text, then what they are parts of."""
    pieces = list(_pieces(text))
    yield from (Quantity(piece, "figure", run) for piece, run in pieces if piece.startswith("#"))
    yield from _patterns().read(Line(pieces, between=" "))


@cache
def _patterns() -> Patterns:
    return Patterns(tables_of("languages without tables"), NUMBER, decimal)


def _pieces(text: Text) -> Iterator[tuple[str, range]]:
    """The words of a text, its figures behind a # as a decimal number; a space may stand between groups of digits."""
    token = 0
    while token < len(text.tokens):
        written, end = _ascii(text.words[token]), token + 1
        while written[-1:].isdecimal() and end < len(text.tokens) and (gap := _gap(text, end)) is not None:
            written, end = f"{written}{gap}{_ascii(text.words[end])}", end + 1
        glued = _GLUED.fullmatch(written)
        value = _value(glued[1] if glued else written)
        behind = f" {glued[2]}" if glued else ""
        yield written.replace("#", "\ufffd") if value is None else f"#{value}{behind}", range(token, end)
        token = end


def _gap(text: Text, token: int) -> str | None:
    """What stands between a token and the figure before it: nothing, or a space before three digits; else ``None``."""
    gap, word = text.tokens[token].start - text.tokens[token - 1].end, text.words[token]
    if gap == 0 and word[0].isdecimal():
        return ""
    return " " if gap == 1 and re.match(r"\d{3}(?!\d)", word) else None


def _ascii(word: str) -> str:
    """The word with digits of any script and wide signs as ASCII's, and any space as one."""
    return "".join(" " if char.isspace() else str(unicodedata.decimal(char, _narrow(char))) for char in word)


def _narrow(char: str) -> str:
    wide, _, code = unicodedata.decomposition(char).partition(" ")
    return chr(int(code, 16)) if wide == "<wide>" else char


def _value(written: str) -> str | None:
    for form in _FORMS:
        if found := form.fullmatch(written):
            part = found.groupdict().get("part")
            return re.sub("[^0-9]", "", found["whole"]) + (f".{part}" if part else "")
    return None
