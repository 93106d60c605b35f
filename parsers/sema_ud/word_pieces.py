"""Words in pieces: how the parser reads a sentence whose words are known.

Each word is cut alone, as after a space if its script has spaces, so that its pieces depend on nothing but itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from sema_reader.pieces import SPACE, UNSPACED, Cutter

MOST = 8
"""Pieces of a word that are read: its first ones."""
LETTERS = 40
"""Letters of a word that are read: its first ones."""


class WordCutter:
    """The pieces of words; those of a word are found once."""

    def __init__(self, cutter: Cutter) -> None:
        """Cut by an encoder's pieces."""
        self.cutter = cutter
        self._known: dict[str, tuple[int, ...]] = {}

    def of_words(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The ids of each word's pieces, one at least."""
        return [self._known.get(word) or self._cut(word) for word in words]

    def _cut(self, word: str) -> tuple[int, ...]:
        spaced = word[:1].isalnum() and not UNSPACED.match(word)
        found = self.cutter.ids((SPACE if spaced else "") + word[:LETTERS])
        cut = self._known[word] = tuple(found[:MOST]) or (Cutter.unknown,)
        return cut
