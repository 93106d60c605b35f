"""A pair of texts as the reader's network takes it: pieces of words, and whether the other text has them too."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rapidfuzz.distance import LCSseq

from sema.model.text import Text, unescaped
from sema.runtime.caching import remembered
from sema.runtime.tokenizers import tokenizer

NO_TEXT, IN_ORDER, ELSEWHERE, ABSENT = 0, 1, 2, 3
"""Marks of a piece: no piece of a text, in the other text and in the same order, in it elsewhere, not in it."""
SPACE = "▁"
"""What stands before a piece that follows a space."""
_LONGEST_WORD = 400
"""Characters of a word that are read; of a longer one its beginning."""
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uff65\U00020000-\U0003ffff]"
)
"""A first character of words that no spaces separate: Thai, Lao, Burmese, Khmer, Japanese and Chinese."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text in pieces: their ids, and for each the word (token index) that it belongs to."""

    ids: tuple[int, ...]
    words: tuple[int, ...]


class Cutter(ABC):
    """Cuts texts in the pieces of a network.

    Attributes:
        begin: the id of the piece before a pair.
        end: the id of the piece behind each of its texts.
    """

    begin: int
    end: int

    @abstractmethod
    def of_words(self, words: Sequence[str], glued: Sequence[bool] = ()) -> Pieces:
        """The pieces of words; ``glued`` says of each but the last whether no space follows it (default: of none)."""

    def same_kind(self, ids: Sequence[int]) -> list[int]:
        """For each piece a number that pieces share which count as the same in two texts."""
        return list(ids)

    def pieces(self, text: Text, spelling: Callable[[str], str] | None = None) -> Pieces:
        """The pieces of a text; ``spelling`` gives each word as the network knows it."""
        words = text.words if spelling is None else tuple(map(spelling, text.words))
        return self.of_words(words, [a.end == b.start for a, b in zip(text.tokens, text.tokens[1:], strict=False)])

    def overlap(self, source: Sequence[int], output: Sequence[int]) -> tuple[list[int], list[int]]:
        """The marks of the pieces of both texts."""
        return overlap(self.same_kind(source), self.same_kind(output))


def overlap(source: Sequence[int], output: Sequence[int]) -> tuple[list[int], list[int]]:
    """The marks of the pieces of both texts; pieces in order are those of a longest common subsequence."""
    known = set(source) & set(output)
    first, second = ([ELSEWHERE if piece in known else ABSENT for piece in text] for text in (source, output))
    for step in LCSseq.opcodes(source, output):
        if step.tag == "equal":
            for place in range(step.src_end - step.src_start):
                first[step.src_start + place] = second[step.dest_start + place] = IN_ORDER
    return first, second


class RunCutter(Cutter):
    """Cuts what stands together without a space as one, as networks were taught."""

    unknown: int

    def __init__(self) -> None:
        self._cut = remembered(self._cut_run)

    @abstractmethod
    def cut(self, text: str, *, unspaced: bool) -> list[tuple[int, int]]:
        """(id, place of its first character) of the pieces of a string without spaces."""

    def of_words(self, words: Sequence[str], glued: Sequence[bool] = ()) -> Pieces:
        """The pieces of words; ``glued`` says of each but the last whether no space follows it (default: of none)."""
        ids: list[int] = []
        owners: list[int] = []
        start = 0
        for end in range(1, len(words) + 1):
            if end < len(words) and glued and glued[end - 1] and not _apart(words[end - 1], words[end]):
                continue
            for piece, word in self._cut(tuple(words[start:end])):
                ids.append(piece)
                owners.append(start + word)
            start = end
        return Pieces(tuple(ids), tuple(owners))

    def _cut_run(self, run: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
        """(id, word) of the pieces of words that stand together."""
        known = [unescaped(word)[:_LONGEST_WORD] for word in run]
        owners = [number for number, word in enumerate(known) for _ in word]
        found = self.cut("".join(known), unspaced=bool(UNSPACED.match(run[0])))
        return tuple((piece, owners[place]) for piece, place in found) or ((self.unknown, 0),)


def _apart(word: str, following: str) -> bool:
    """Whether two words that stand together are cut one by one: words of scripts without spaces are."""
    return bool(UNSPACED.match(word) or UNSPACED.match(following))


class WordPieces(RunCutter):
    """BERT's pieces of lower-case words (Devlin et al., NAACL 2019)."""

    def __init__(self, file: Path, begin: str = "[CLS]", end: str = "[SEP]") -> None:
        """``file``: a ``tokenizer.json``; ``begin`` and ``end``: what stands before a pair and behind each text."""
        super().__init__()
        self._tokenizer: Any = tokenizer(file)
        id_of: Any = self._tokenizer.token_to_id
        self.begin, self.end, self.unknown = (int(id_of(name)) for name in (begin, end, "[UNK]"))

    def cut(self, text: str, *, unspaced: bool) -> list[tuple[int, int]]:
        """(id, place) of the pieces, whatever the script."""
        read = self._tokenizer.encode(text, add_special_tokens=False)
        return [(piece, start) for piece, (start, _) in zip(read.ids, read.offsets, strict=True)]


class Unigrams(RunCutter):
    """XLM-R's pieces (Conneau et al., ACL 2020) by the algorithm of Kudo (ACL 2018).

    Words of scripts without spaces are cut one by one; all others have a ``▁`` before them.
    """

    begin, end, unknown = 0, 2, 3

    def __init__(self, pieces: Sequence[str], scores: Sequence[float]) -> None:
        """The pieces in the order of their ids, the first four being special ones, and their log-probabilities."""
        from tokenizers import Tokenizer, models, normalizers

        super().__init__()
        entries = list(zip(pieces, map(float, scores), strict=True))
        self._tokenizer: Any = Tokenizer(models.Unigram(entries, unk_id=self.unknown, byte_fallback=False))
        self._tokenizer.normalizer = normalizers.NFKC()
        kinds: dict[str, int] = {}
        self._kinds = np.array([kinds.setdefault(piece.lstrip(SPACE).casefold(), len(kinds)) for piece in pieces])

    def cut(self, text: str, *, unspaced: bool) -> list[tuple[int, int]]:
        """(id, place) of the pieces; those of spaced scripts follow a ``▁``."""
        before = "" if unspaced else SPACE
        read = self._tokenizer.encode(before + text, add_special_tokens=False)
        return [(piece, max(0, start - len(before))) for piece, (start, _) in zip(read.ids, read.offsets, strict=True)]

    def same_kind(self, ids: Sequence[int]) -> list[int]:
        """Pieces that differ in case or in a space before them are the same."""
        found: list[int] = self._kinds[list(ids)].tolist()
        return found
