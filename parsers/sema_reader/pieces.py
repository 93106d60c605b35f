"""A pair of texts as the network reads it: XLM-R's pieces, and whether the other text has them too."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from sema.model.text import Text, spelled
from sema.runtime.embeddings import Table

NO_TEXT, IN_ORDER, ELSEWHERE, ABSENT = 0, 1, 2, 3
"""Marks of a piece: not part of a text; in the other text, in the same order; elsewhere in it; not in it."""
SPACE = "▁"
"""The prefix of a piece that follows a space."""
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uff65\U00020000-\U0003ffff"
UNSPACED = re.compile(f"[{_UNSPACED}]")
"""A character of a script that has no spaces between words: Thai, Lao, Burmese, Khmer, Japanese and Chinese."""
_RUN = re.compile(rf"[{_UNSPACED}]+|[^\s{_UNSPACED}]+")
"""A run of characters without white space, all of scripts with spaces or all of those without."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text in pieces: their ids, and for each the word (token index) that it begins in.

    The id of an unknown piece is negative here, and stands for its characters without their case.
    """

    ids: tuple[int, ...]
    words: tuple[int, ...]


class Cutter:
    """Cuts texts into XLM-R's pieces (Conneau et al., ACL 2020) by the algorithm of Kudo (ACL 2018).

    The pieces of a text depend only on its characters, not on how it is cut into words.
    """

    begin, end = 0, 2
    """The ids of the piece before a pair, and of the piece after each of its texts."""
    unknown = 3
    """The id for characters that no piece covers."""
    blank = 1
    """The id for those of an output that its source lacks: the network takes equal embeddings for equal words."""

    def __init__(self, pieces: Sequence[str], scores: Sequence[float]) -> None:
        """The pieces in the order of their ids, the first four being special ones, and their log-probabilities."""
        from tokenizers import Tokenizer, models, normalizers

        entries = list(zip(pieces, scores, strict=True))
        self._tokenizer: Any = Tokenizer(models.Unigram(entries, unk_id=self.unknown, byte_fallback=False))
        self._tokenizer.normalizer = normalizers.NFKC()
        self._kinds: dict[str, int] = {}
        self._kind = cache(self._first_alike)

    def ids(self, text: str) -> list[int]:
        """The ids of a text's pieces; the text must mark its spaces with :data:`SPACE`."""
        found: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return found

    def of_string(self, text: str) -> tuple[list[int], list[int]]:
        """The ids of a text's pieces, and the place of each one's first character."""
        read, places = self._cut(text)
        return read.ids, places

    def _cut(self, text: str) -> tuple[Any, list[int]]:
        parts: list[str] = []
        places: list[int] = []
        for run in _RUN.finditer(text):
            at = run.start()
            if not UNSPACED.match(run[0]) and (at == 0 or text[at - 1].isspace()):
                parts.append(SPACE)
                places.append(at)
            parts.append(run[0])
            places += range(*run.span())
        read = self._tokenizer.encode("".join(parts), add_special_tokens=False)
        return read, [places[start] for start, _ in read.offsets]

    def of_text(self, text: Text, spelling: Callable[[str], str] | None = None) -> Pieces:
        """The pieces of a text's tokens; its white space counts as single spaces.

        ``spelling`` gives the text as the network knows it, character for character.
        """
        parts = spelled(text.tokens)
        owners = [number for number, part in enumerate(parts) for _ in part]
        joined = "".join(parts)
        read, starts = self._cut(spelling(joined) if spelling else joined)
        ids = (
            ~crc32(piece.casefold().encode()) if number == self.unknown else number
            for number, piece in zip(read.ids, read.tokens, strict=True)
        )
        return Pieces(tuple(ids), tuple(owners[start] for start in starts))

    def known(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        """The ids with :attr:`unknown` for every unknown piece: those that have embeddings."""
        return np.where(ids < 0, self.unknown, ids)

    def _first_alike(self, number: int) -> int:
        """The first id seen of the pieces with these letters, whatever their case and the space before them."""
        return self._kinds.setdefault(self._tokenizer.id_to_token(number).lstrip(SPACE).casefold(), number)

    def overlap(self, source: Sequence[int], output: Sequence[int]) -> tuple[list[int], list[int]]:
        """The marks of the pieces of both texts; pieces that differ in case or in a space before them are the same, and
        pieces in order are those of a longest common subsequence."""
        one, other = ([number if number < 0 else self._kind(number) for number in ids] for ids in (source, output))
        known = set(one) & set(other)
        first, second = ([ELSEWHERE if piece in known else ABSENT for piece in text] for text in (one, other))
        for step in LCSseq.opcodes(one, other):
            if step.tag == "equal":
                for place in range(step.src_end - step.src_start):
                    first[step.src_start + place] = second[step.dest_start + place] = IN_ORDER
        return first, second


class Vocabulary(NamedTuple):
    """The pieces of some languages.

    Attributes:
        digest: that of their file, for signatures.
        read: gives the pieces and their embeddings; it reads the file once.
    """

    digest: str
    read: Callable[[], tuple[Cutter, Table]]
