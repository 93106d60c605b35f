"""Atoms: the smallest parts that words are made of, and their pieces, as the cutter reads them.

An atom is a run of letters with their marks, a run of digits, or any other sign; of scripts that have no spaces
between words every letter is one. Words are atoms or join neighbouring ones.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sema_reader.pieces import SPACE, UNSPACED, Cutter

_LONE = UNSPACED.pattern
_ATOM = re.compile(rf"{_LONE}|\d+|(?:(?![\d_]|{_LONE})\w|(?<=\w)[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670])+|\S")
"""Indic scripts' vowel signs count as letters here through :func:`atoms`, which joins marks to what they stand on."""
SPACED, JOINED, BEGINS = 1, 2, 3
"""Marks of an atom's pieces: behind a space; within a piece of the run that it stands in; where such a piece begins."""
LETTERS, MOST = 40, 8
"""Letters and pieces of an atom that are read: its first ones."""


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
    import unicodedata

    found: list[Atom] = []
    for match in _ATOM.finditer(text):
        start, end = match.span()
        touches = bool(found) and found[-1].end == start
        if touches and unicodedata.category(text[start]).startswith("M"):
            found[-1] = Atom(found[-1].start, end, found[-1].spaced)
            continue
        before = found[-1] if touches else None
        if before is not None and _is_mark_then_letters(text, before, start):
            found[-1] = Atom(before.start, end, before.spaced)
            continue
        found.append(Atom(start, end, not touches))
    return found


def _is_mark_then_letters(text: str, before: Atom, start: int) -> bool:
    """Whether letters go on after a mark: a vowel sign within a word of an Indic script."""
    import unicodedata

    last = text[before.end - 1]
    return (
        unicodedata.category(last).startswith("M")
        and text[start].isalpha()
        and not UNSPACED.match(text[start])
        and text[before.start].isalpha()
    )


class AtomCutter:
    """The pieces of atoms; those of an atom are found once."""

    def __init__(self, cutter: Cutter) -> None:
        """Cut by an encoder's pieces."""
        self.cutter = cutter
        self._known: dict[tuple[str, bool], tuple[int, ...]] = {}

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

    def _pieces(self, atom: str, spaced: bool) -> tuple[int, ...]:
        key = atom, spaced and not UNSPACED.match(atom)
        found = self._known.get(key)
        if found is None:
            cut = self.cutter.ids((SPACE if key[1] else "") + atom)
            found = self._known[key] = tuple(cut[:MOST]) or (self.cutter.unknown,)
        return found
