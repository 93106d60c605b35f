"""A pair of texts as the reader's network takes it: word pieces, and whether the other text has them too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from rapidfuzz.distance import LCSseq

from sema.model.text import Text, unescaped

NO_TEXT, IN_ORDER, ELSEWHERE, ABSENT = 0, 1, 2, 3
"""Marks of a piece: no piece of a text, in the other text and in the same order, in it elsewhere, not in it."""
_LONGEST_WORD = 400
"""Characters of a word that are read; of a longer one its beginning."""
_KNOWN_WORDS = 1 << 15


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text in pieces: their ids, and for each the word (token index) that it belongs to."""

    ids: tuple[int, ...]
    words: tuple[int, ...]


def overlap(source: Sequence[int], output: Sequence[int]) -> tuple[list[int], list[int]]:
    """The marks of the pieces of both texts; pieces in order are those of a longest common subsequence."""
    known = set(source) & set(output)
    first, second = ([ELSEWHERE if piece in known else ABSENT for piece in text] for text in (source, output))
    for step in LCSseq.opcodes(source, output):
        if step.tag == "equal":
            for place in range(step.src_end - step.src_start):
                first[step.src_start + place] = second[step.dest_start + place] = IN_ORDER
    return first, second


class Cutter(Protocol):
    """Cuts texts in the pieces of a network; ``begin`` and ``end`` stand around them."""

    begin: int
    end: int

    def pieces(self, text: Text) -> Pieces:
        """The pieces of a text."""
        ...


class PieceReader:
    """Cuts texts in pieces; what stands together without a space is cut as one, as the network was taught."""

    def __init__(self, file: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(file))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        id_of: Any = self._tokenizer.token_to_id
        self.begin, self.end, self._unknown = (int(id_of(name)) for name in ("[CLS]", "[SEP]", "[UNK]"))
        self._cut = lru_cache(_KNOWN_WORDS)(self._cut_run)

    def pieces(self, text: Text) -> Pieces:
        """The pieces of a text."""
        ids: list[int] = []
        words: list[int] = []
        tokens, start = text.tokens, 0
        for end in range(1, len(tokens) + 1):
            if end == len(tokens) or tokens[end].start != tokens[end - 1].end:
                for piece, word in self._cut(text.words[start:end]):
                    ids.append(piece)
                    words.append(start + word)
                start = end
        return Pieces(tuple(ids), tuple(words))

    def _cut_run(self, run: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
        """(id, word) of the pieces of words that stand together."""
        known = [unescaped(word)[:_LONGEST_WORD] for word in run]
        owners = [number for number, word in enumerate(known) for _ in word]
        read = self._tokenizer.encode("".join(known), add_special_tokens=False)
        found = [(piece, owners[start]) for piece, (start, _) in zip(read.ids, read.offsets, strict=True)]
        return tuple(found) or ((self._unknown, 0),)
