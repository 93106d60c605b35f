"""Translations of pages and reports: English is written in code and templates, other languages in tables.

A table ``templates/words.LANGUAGE.json`` maps each English text to its translation. Placeholders ``{n}`` and ``{n1}``
stand for numbers, ``{file}`` for a file's name with its line, ``{part…}`` for text that is translated too, any other
``{name}`` for text that is kept as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from sema.display.pictures.svg import asset

ENGLISH = "en"
NAMES: Mapping[str, str] = {ENGLISH: "English", "zh": "中文"}  # of pages and reports, each by its own name
_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)
_GAP = re.compile(r"\{(\w+)\}")
_COUNT, _NUMBER, _FILE, _ANY = re.compile(r"n\d*"), r"[\d.,]+", r".+?\.\w+(?::\d+)?", ".+?"


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within the block, :func:`say` translates into a language of :data:`NAMES`."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken() -> str:
    """The code of the language that :func:`say` translates into."""
    return _spoken.get()


def table(language: str) -> dict[str, str]:
    """A language's translations by English text; none for English."""
    return {} if language == ENGLISH else json.loads(asset(f"words.{language}.json"))


def say(text: str, /, **values: object) -> str:
    """A text in the current language, its placeholders filled with ``values``; in English if no table has it.

    A text without values is also matched against the table's texts with placeholders.

    >>> with speaking("zh"):
    ...     say("{n} items", n=3)
    '3 条'
    """
    words, patterns = _words(_spoken.get())
    found = words.get(text)
    if found is not None or values:
        found = text if found is None else found
        return found.format(**values) if values else found
    for pattern, other in patterns:
        if match := pattern.fullmatch(text):
            parts = {name: say(part) if name.startswith("part") else part for name, part in match.groupdict().items()}
            return other.format(**parts)
    return text


@cache
def _words(language: str) -> tuple[Mapping[str, str], list[tuple[re.Pattern[str], str]]]:
    """The translations, and those of texts with placeholders by the texts' patterns."""
    words = table(language)
    return words, [(_compiled(english), other) for english, other in words.items() if _GAP.search(english)]


def capitalized(text: str) -> str:
    """The text with its first letter in upper case; no other letter changes."""
    return text[:1].upper() + text[1:]


def _compiled(english: str) -> re.Pattern[str]:
    pieces = _GAP.split(english)  # texts and names in turn
    texts = (
        f"(?P<{piece}>{_NUMBER if _COUNT.fullmatch(piece) else _FILE if piece == 'file' else _ANY})"
        if place % 2
        else re.escape(piece)
        for place, piece in enumerate(pieces)
    )
    return re.compile("".join(texts), re.DOTALL)
