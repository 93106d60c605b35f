"""Mutual nearest neighbours among the words of two sentences, by vectors in context, as in SimAlign (Jalili Sabet et
al., Findings of EMNLP 2020)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sema.model.links import Pair

_CHUNK = 64
"""Pairs whose vectors are in memory at a time."""
Vectors = NDArray[np.float32]


class WordEncoder(Protocol):
    """Gives each word of a sentence a unit vector."""

    signature: str

    def words(self, sentences: Sequence[Sequence[str]]) -> list[Vectors]:
        """The words' vectors (words, width) for each tokenized sentence."""


class Near(NamedTuple):
    """Two words and the cosine of their vectors."""

    cosine: float
    source: int
    output: int


def mutual(cosines: Vectors) -> list[tuple[int, int]]:
    """Row and column of each cell that is the maximum of both its row and its column; ties go to the first cell."""
    best = cosines.argmax(1)
    rows = np.flatnonzero(cosines.argmax(0)[best] == np.arange(len(best)))
    return list(zip(rows.tolist(), best[rows].tolist(), strict=True))


def nearest(
    encoder: WordEncoder, pairs: Sequence[Pair], left: Sequence[tuple[list[int], list[int]]], most: int
) -> list[list[Near]]:
    """For each pair the mutual nearest neighbours among the words that are ``left`` on either side.

    Pairs with more than ``most`` pairs of such words are not compared.
    """
    found: list[list[Near]] = [[] for _ in pairs]
    waiting = [place for place, (first, second) in enumerate(left) if 0 < len(first) * len(second) <= most]
    vectors: dict[tuple[str, ...], Vectors] = {}
    for start in range(0, len(waiting), _CHUNK):
        chunk = waiting[start : start + _CHUNK]
        wanted = dict.fromkeys(tuple(words) for place in chunk for words in pairs[place])
        vectors = {words: vectors[words] for words in wanted if words in vectors}
        new = [words for words in wanted if words not in vectors]
        vectors.update(zip(new, encoder.words(new), strict=True))
        for place in chunk:
            (source, output), (first, second) = map(tuple, pairs[place]), left[place]
            cosines = vectors[source][first] @ vectors[output][second].T
            found[place] = [Near(float(cosines[i, j]), first[i], second[j]) for i, j in mutual(cosines)]
    return found
