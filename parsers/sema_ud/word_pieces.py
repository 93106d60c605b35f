"""Words in pieces: how the parser reads a sentence whose words are known.

Each word is cut alone, as if after a space where its script has spaces, so its pieces do not depend on its neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence

from sema_reader.pieces import SPACE, UNSPACED, Cutter

from sema.runtime.caching import remembered

MOST = 8
"""Most pieces that are read of a word: its first ones."""
LETTERS = 40
"""Most letters that are read of a word: its first ones."""


class WordCutter:
    """The pieces of words, cached by word."""

    def __init__(self, cutter: Cutter) -> None:
        """Cut by an encoder's pieces."""
        self.cutter = cutter
        self._pieces = remembered(self._cut)

    def of_words(self, words: Sequence[str]) -> list[tuple[int, ...]]:
        """The ids of each word's pieces, at least one."""
        return list(map(self._pieces, words))

    def _cut(self, word: str) -> tuple[int, ...]:
        spaced = word[:1].isalnum() and not UNSPACED.match(word)
        found = self.cutter.ids((SPACE if spaced else "") + word[:LETTERS])
        return tuple(found[:MOST]) or (Cutter.unknown,)
