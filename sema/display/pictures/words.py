"""The words of pages and reports by language: English stands in code and templates, other languages in tables.

A table ``templates/words.LANGUAGE.json`` has a text for each English one. ``{name}`` stands for what differs: ``{n}``,
``{n1}`` for a number, ``{part…}`` for words that are in the table themselves, any other name for a text that is left
as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import NamedTuple

from sema.display.pictures.svg import asset

ENGLISH = "en"
NAMES: Mapping[str, str] = {ENGLISH: "English", "zh": "中文"}
"""The languages of pages and reports, each by its own name."""
_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)
_GAP = re.compile(r"\{(\w+)\}")
_COUNT, _NUMBER, _ANY = re.compile(r"n\d*"), r"[\d.,]+", ".+?"


class _Pattern(NamedTuple):
    """An English text with gaps, and the text for it."""

    english: re.Pattern[str]
    other: str


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Within the block, and what it calls, :func:`say` speaks a language of :data:`NAMES`."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def spoken() -> str:
    """The code of the language that :func:`say` speaks."""
    return _spoken.get()


def table(language: str) -> dict[str, str]:
    """The texts of a language by the English ones; none for English."""
    return {} if language == ENGLISH else json.loads(asset(f"words.{language}.json"))


def say(text: str, /, **values: object) -> str:
    """A text in the language that is spoken, ``values`` in its gaps; in English where no table has it.

    A whole sentence is found by a text with gaps too.

    >>> with speaking("zh"):
    ...     say("{n} items", n=3)
    '3 条'
    """
    words, patterns = _words(_spoken.get())
    found = words.get(text)
    if found is not None or values:
        found = text if found is None else found
        return found.format(**values) if values else found
    for pattern in patterns:
        if match := pattern.english.fullmatch(text):
            parts = {name: say(part) if name.startswith("part") else part for name, part in match.groupdict().items()}
            return pattern.other.format(**parts)
    return text


@cache
def _words(language: str) -> tuple[Mapping[str, str], list[_Pattern]]:
    words = table(language)
    return words, [_Pattern(_compiled(english), other) for english, other in words.items() if _GAP.search(english)]


def _compiled(english: str) -> re.Pattern[str]:
    pieces = _GAP.split(english)  # texts and names in turn
    texts = (
        f"(?P<{piece}>{_NUMBER if _COUNT.fullmatch(piece) else _ANY})" if place % 2 else re.escape(piece)
        for place, piece in enumerate(pieces)
    )
    return re.compile("".join(texts), re.DOTALL)
