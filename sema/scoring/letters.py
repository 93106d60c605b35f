"""Warns of texts with letters of another language or with invisible characters; neither is an error."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sema.errors import SemaWarning
from sema.model.language import Language
from sema.model.text import INVISIBLE, Text
from sema.runtime.caching import remembered

SOURCE = "source"
"""The name of the texts in the sources' language; all others are in the outputs'."""
LEAST_SHARE = 1 / 3
"""A text with a smaller share of the language's letters does not fit."""
LEAST_LETTERS = 4
"""Texts with fewer letters are not checked: they may be names."""


_STRAY = re.compile(f"(?![\ufe00-\ufe0f])[{INVISIBLE}]")
"""Invisible characters but the marks of a variant, which belong to emoji."""
_Find = Callable[[str, Sequence[Any], int], str | None]


@remembered
def _script(letter: str) -> str:
    """The first word of a character's Unicode name (``LATIN``, ``CJK``); empty if it is not a letter."""
    return unicodedata.name(letter, "").partition(" ")[0] if letter.isalpha() else ""


def share_of(text: str, scripts: Sequence[str]) -> float | None:
    """The share of a text's letters that belong to some scripts; ``None`` if it has too few letters to tell."""
    scripts_seen = [name for name in map(_script, text) if name]
    if len(scripts_seen) < LEAST_LETTERS:
        return None
    return sum(name in scripts for name in scripts_seen) / len(scripts_seen)


def misfit(language: Language, what: str, texts: Sequence[Any], start: int | None = 0) -> str | None:
    """A warning about the first text whose letters are not the language's; ``None`` if all fit.

    ``what`` names the texts (:data:`SOURCE`, or an output), and ``start`` is the number of the first one's item;
    ``None`` leaves the item out of the message. Languages without scripts, and values that are not texts, are not
    checked.
    """
    language = language.of_sources if what == SOURCE else language.of_outputs
    if not language.scripts:
        return None
    for index, text in enumerate(texts, start or 0):
        share = share_of(_characters(text), language.scripts)
        if share is not None and share < LEAST_SHARE:
            place = what if start is None else f"item {index}, {what}"
            fit = f"{100 * share:.0f} % of the letters fit {language.name}"
            return f"{place}: {fit}; is {language.code!r} the right language?"
    return None


def unseen(what: str, texts: Sequence[Any], start: int) -> str | None:
    """A warning about the first text with a character that no reader sees, as metrics of words read it.

    They compare with published scores, so they read what sacreBLEU and EASSE read.
    """
    for index, text in enumerate(texts, start):
        if found := _STRAY.search(_characters(text)):
            seen = f"U+{ord(found[0]):04X} is invisible, but SARI, BLEU and other metrics of words read it"
            return f"item {index}, {what}: {seen}; remove it"
    return None


def _characters(text: Any) -> str:
    if isinstance(text, Text):
        return text.raw
    if isinstance(text, list | tuple):
        return " ".join(map(_characters, text))
    return text if isinstance(text, str) else ""


class LetterCheck:
    """Warns of each part of the items (the sources, a system's outputs) at the first text that fails a check."""

    def __init__(self, language: Language) -> None:
        self._misfit = partial(misfit, language)
        self._warned: set[tuple[Any, str]] = set()

    def check(self, start: int, parts: Mapping[str, Sequence[Any]]) -> None:
        """Check a batch of items that begins with number ``start``; ``parts`` has their texts by part (*source* …)."""
        self._warn(self._misfit, start, parts)

    def check_seen(self, start: int, parts: Mapping[str, Sequence[Any]]) -> None:
        """Check a batch, as :meth:`check` does, for characters that no reader sees (:func:`unseen`)."""
        self._warn(unseen, start, parts)

    def _warn(self, find: _Find, start: int, parts: Mapping[str, Sequence[Any]]) -> None:
        for what, texts in parts.items():
            if (find, what) not in self._warned and (message := find(what, texts, start)) is not None:
                self._warned.add((find, what))
                warnings.warn(message, SemaWarning, stacklevel=3)
