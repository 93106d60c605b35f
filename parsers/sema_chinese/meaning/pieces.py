"""Chinese texts as the reader of pairs takes them: listed words, and characters of the words that are not listed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from sema_reader.pieces import Cutter, Pieces

from sema_chinese.relations import spell

PADDING, UNKNOWN, BEGIN, END = "[PAD]", "[UNK]", "[CLS]", "[SEP]"
SPECIAL = (PADDING, UNKNOWN, BEGIN, END)
JOINED = "##"
"""What stands before a piece that goes on with a Latin word or a figure."""
_LONGEST_WORD = 60
"""Characters of a word that are read; of a longer one its beginning."""
_KNOWN_WORDS = 1 << 15


class ChinesePieces(Cutter):
    """Cuts a text's words in the longest pieces that are listed, in simplified lower-case characters."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._longest = max(map(len, vocabulary))
        self.begin, self.end, self._unknown = (self._ids[name] for name in (BEGIN, END, UNKNOWN))
        self.cut = lru_cache(_KNOWN_WORDS)(self._cut)

    @classmethod
    def load(cls, file: Path) -> ChinesePieces:
        """The pieces of a file, one a line."""
        return cls(file.read_text(encoding="utf-8").split("\n"))

    def of_words(self, words: Sequence[str], glued: Sequence[bool] = ()) -> Pieces:
        """The pieces of words, each cut by itself."""
        found = [(piece, number) for number, word in enumerate(words) for piece in self.cut(word)]
        return Pieces(tuple(piece for piece, _ in found), tuple(word for _, word in found))

    def _cut(self, word: str) -> tuple[int, ...]:
        """The ids of a word's pieces, at least one."""
        chars = spell(word, numerals=False)[:_LONGEST_WORD]
        found: list[int] = []
        at = 0
        while at < len(chars):
            before = JOINED if at and _goes_on(chars[at - 1], chars[at]) else ""
            ends = range(min(len(chars), at + self._longest), at, -1)
            end = next((end for end in ends if before + chars[at:end] in self._ids), None)
            found.append(self._unknown if end is None else self._ids[before + chars[at:end]])
            at = at + 1 if end is None else end
        return tuple(found) or (self._unknown,)


def _goes_on(before: str, char: str) -> bool:
    return before.isascii() and before.isalnum() and char.isascii() and char.isalnum()
