"""A pair of texts as the network reads it: XLM-R's pieces, and whether the other text has them too."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rapidfuzz.distance import LCSseq

from sema.model.text import Text, unescaped

NO_TEXT, IN_ORDER, ELSEWHERE, ABSENT = 0, 1, 2, 3
"""Marks of a piece: not part of a text; in the other text, in the same order; elsewhere in it; not in it."""
SPACE = "▁"
"""The prefix of a piece that follows a space."""
_LONGEST_RUN = 400
"""Most characters that are read of a run without spaces: its first ones."""
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uff65\U00020000-\U0003ffff"
UNSPACED = re.compile(f"[{_UNSPACED}]")
"""A character of a script that has no spaces between words: Thai, Lao, Burmese, Khmer, Japanese and Chinese."""
_RUN = re.compile(rf"[{_UNSPACED}]+|[^\s{_UNSPACED}]+")
"""A run that is cut at once: characters without white space, all of scripts with spaces or all of those without."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text in pieces: their ids, and for each the word (token index) that it begins in."""

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

    def __init__(self, pieces: Sequence[str], scores: Sequence[float]) -> None:
        """The pieces in the order of their ids, the first four being special ones, and their log-probabilities."""
        from tokenizers import Tokenizer, models, normalizers

        entries = list(zip(pieces, map(float, scores), strict=True))
        self._tokenizer: Any = Tokenizer(models.Unigram(entries, unk_id=self.unknown, byte_fallback=False))
        self._tokenizer.normalizer = normalizers.NFKC()
        kinds: dict[str, int] = {}
        self._kinds = np.array([kinds.setdefault(piece.lstrip(SPACE).casefold(), len(kinds)) for piece in pieces])

    def ids(self, text: str) -> list[int]:
        """The ids of a text's pieces; the text must mark its spaces with :data:`SPACE`."""
        found: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return found

    def of_string(self, text: str) -> tuple[list[int], list[int]]:
        """The ids of a text's pieces, and the place of each one's first character."""
        parts: list[str] = []
        places: list[int] = []
        for run in _RUN.finditer(text):
            at, written = run.start(), run[0][:_LONGEST_RUN]
            if not UNSPACED.match(written) and (at == 0 or text[at - 1].isspace()):
                parts.append(SPACE)
                places.append(at)
            parts.append(written)
            places += range(at, at + len(written))
        read = self._tokenizer.encode("".join(parts), add_special_tokens=False)
        return read.ids, [places[start] for start, _ in read.offsets]

    def of_text(self, text: Text, spelling: Callable[[str], str] | None = None) -> Pieces:
        """The pieces of a text's tokens; its white space counts as single spaces.

        ``spelling`` gives the text as the network knows it, character for character.
        """
        parts: list[str] = []
        owners: list[int] = []
        end = -1
        for number, token in enumerate(text.tokens):
            written = (" " if 0 <= end < token.start else "") + unescaped(token.text)
            parts.append(written)
            owners += [number] * len(written)
            end = token.end
        joined = "".join(parts)
        ids, starts = self.of_string(spelling(joined) if spelling else joined)
        return Pieces(tuple(ids), tuple(owners[start] for start in starts))

    def overlap(self, source: Sequence[int], output: Sequence[int]) -> tuple[list[int], list[int]]:
        """The marks of the pieces of both texts; pieces that differ in case or in a space before them are the same, and
        pieces in order are those of a longest common subsequence."""
        one, other = (self._kinds[list(ids)].tolist() for ids in (source, output))
        known = set(one) & set(other)
        first, second = ([ELSEWHERE if piece in known else ABSENT for piece in text] for text in (one, other))
        for step in LCSseq.opcodes(one, other):
            if step.tag == "equal":
                for place in range(step.src_end - step.src_start):
                    first[step.src_start + place] = second[step.dest_start + place] = IN_ORDER
        return first, second
