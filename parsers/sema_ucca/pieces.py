"""Cuts tokens into the encoder's word pieces, and makes padded batches of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.model.text import unescaped
from sema.runtime.caching import remembered

MAX_PIECES = 512
"""Positions that the encoder knows."""
MAX_PIECES_PER_TOKEN = 24
"""A longer token (a URL, a run of signs) is represented by its first and its last pieces."""
MAX_CHARACTERS_PER_TOKEN = 400
_SPECIAL = ("[CLS]", "[SEP]", "[UNK]")


@dataclass(frozen=True, slots=True)
class Pieced:
    """A sentence in pieces: ids without the special ones; where each token's pieces begin (one more entry: the end)."""

    ids: tuple[int, ...]
    starts: tuple[int, ...]


@lru_cache(maxsize=8)
def _tokenizer(file: Path) -> Any:
    """The tokenizer of a ``tokenizer.json``, without truncation and padding; it is shared, so do not change it."""
    from tokenizers import Tokenizer

    loaded = Tokenizer.from_file(str(file))
    loaded.no_truncation()
    loaded.no_padding()
    return loaded


class PieceTokenizer:
    """The encoder's tokenizer, applied token by token (a token's pieces do not depend on its neighbours)."""

    def __init__(self, file: Path) -> None:
        self._tokenizer = _tokenizer(file)
        id_of: Any = self._tokenizer.token_to_id
        self.begin, self.end, self.unknown = (int(id_of(name)) for name in _SPECIAL)
        self.pieces = remembered(self._pieces)

    def _pieces(self, token: str) -> tuple[int, ...]:
        """The ids of a token's pieces; at least one, at most ``MAX_PIECES_PER_TOKEN``."""
        text = unescaped(token)  # the form that the encoder was trained on
        if len(text) > MAX_CHARACTERS_PER_TOKEN:
            text = text[: MAX_CHARACTERS_PER_TOKEN // 2] + text[-MAX_CHARACTERS_PER_TOKEN // 2 :]
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids or [self.unknown]
        if len(ids) > MAX_PIECES_PER_TOKEN:
            ids = ids[: MAX_PIECES_PER_TOKEN // 2] + ids[-MAX_PIECES_PER_TOKEN // 2 :]
        return tuple(ids)

    def sentence(self, tokens: Sequence[str]) -> Pieced:
        """The pieces of a sentence."""
        ids: list[int] = []
        starts = [0]
        for token in tokens:
            ids.extend(self.pieces(token))
            starts.append(len(ids))
        return Pieced(tuple(ids), tuple(starts))


def piece_batch(
    sentences: Sequence[Pieced], words: Sequence[Sequence[int]], tokenizer: PieceTokenizer
) -> dict[str, NDArray[np.int64]]:
    """The encoder's input: ``ids``, ``mask`` (batch, pieces); ``first`` and ``last`` piece of each word (batch, words).

    ``words`` are the indexes of the tokens to parse (punctuation is read but not parsed). Padding points at position 1,
    so that its neighbours exist.
    """
    width = max(len(pieced.ids) for pieced in sentences) + 2
    most = max((len(indexes) for indexes in words), default=0) or 1
    ids = np.zeros((len(sentences), width), np.int64)
    mask = np.zeros((len(sentences), width), np.int64)
    first = np.ones((len(sentences), most), np.int64)
    last = np.ones((len(sentences), most), np.int64)
    for row, (pieced, indexes) in enumerate(zip(sentences, words, strict=True)):
        size = len(pieced.ids)
        ids[row, 0] = tokenizer.begin
        ids[row, 1 : size + 1] = pieced.ids
        ids[row, size + 1] = tokenizer.end
        mask[row, : size + 2] = 1
        starts = np.asarray(pieced.starts, np.int64)
        chosen = np.asarray(indexes, np.int64)
        first[row, : len(chosen)] = starts[chosen] + 1
        last[row, : len(chosen)] = starts[chosen + 1]
    return {"ids": ids, "mask": mask, "first": first, "last": last}


def all_spans(words: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and last word (inclusive) of every span over ``words`` words, by first word, then by last."""
    starts, ends = np.triu_indices(words)
    return starts.astype(np.int64), ends.astype(np.int64)
