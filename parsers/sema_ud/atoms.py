"""Atoms: the smallest parts that words are made of, and their pieces, as the cutter reads them.

An atom is a run of letters with their marks, a run of digits, or any other single sign; in scripts without spaces
between words, every letter is an atom. A word is one atom or several neighbouring ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from sema_reader.pieces import SPACE, UNSPACED, Cutter

from sema.runtime.caching import remembered

_LONE = UNSPACED.pattern
_ATOM = re.compile(rf"{_LONE}|\d+|(?:(?![\d_]|{_LONE})\w)+|\S")
"""It does not match combining vowel signs and accents as letters: :func:`atoms` joins them to the atom before."""
SPACED, JOINED, BEGINS = 1, 2, 3
"""Marks of an atom's pieces: after a space; inside a piece of its run; at the start of one, in unspaced scripts."""
LETTERS, MOST = 40, 8
"""Most letters and pieces that are read of an atom or a word: its first ones."""


@dataclass(frozen=True)
class Atom:
    """Characters ``start:end`` of a text, and whether the text begins or has white space before them."""

    start: int
    end: int
    spaced: bool


@dataclass(frozen=True)
class Cut:
    """The atoms' pieces: ids and marks of all of them, and the place of each atom's first piece."""

    ids: list[int]
    marks: list[int]
    firsts: list[int]


def atoms(text: str) -> list[Atom]:
    """The atoms of a text, in order; every character but white space is in one."""
    found: list[Atom] = []
    for match in _ATOM.finditer(text):
        start, end = match.span()
        touches = bool(found) and found[-1].end == start
        if touches and _goes_on(text, found[-1], start):
            before = found.pop()
            found.append(Atom(before.start, end, before.spaced))
        else:
            found.append(Atom(start, end, not touches))
    return found


def _goes_on(text: str, before: Atom, start: int) -> bool:
    """Whether the atom ``before`` continues: with a mark, or with a letter after a mark in a word."""
    if _is_mark(text[start]):
        return True
    letters = text[start].isalpha() and text[before.start].isalpha() and not UNSPACED.match(text[start])
    return letters and _is_mark(text[before.end - 1])


def _is_mark(sign: str) -> bool:
    return unicodedata.category(sign).startswith("M")


class PieceCutter:
    """The pieces of atoms and of words, each cut alone, so that they do not depend on their neighbours; cached."""

    def __init__(self, cutter: Cutter) -> None:
        """Cut by an encoder's pieces."""
        self.cutter = cutter
        self._pieces = remembered(self._cut)

    def cut(self, text: str, parts: Sequence[Atom]) -> Cut:
        """The pieces of a text's atoms."""
        begins = set(self.cutter.of_string(text)[1]) if any(UNSPACED.match(text[part.start]) for part in parts) else ()
        ids: list[int] = []
        marks: list[int] = []
        firsts: list[int] = []
        for part in parts:
            firsts.append(len(ids))
            own = self._pieces(text[part.start : part.end][:LETTERS], part.spaced)
            ids += own
            marks += [SPACED if part.spaced else BEGINS if part.start in begins else JOINED] * len(own)
        return Cut(ids, marks, firsts)

    def of_words(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The ids of each word's pieces, at least one, as after a space where its script has spaces."""
        return [self._pieces(word[:LETTERS], word[:1].isalnum()) for word in words]

    def _cut(self, part: str, spaced: bool) -> tuple[int, ...]:
        found = self.cutter.ids((SPACE if spaced and not UNSPACED.match(part) else "") + part)
        return tuple(found[:MOST]) or (self.cutter.unknown,)
