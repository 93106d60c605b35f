"""Features of every pair of words of two sentences, as a grid for the alignment network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from sema.alignment.relations import Valuer, WordRelations
from sema.model.links import LinkKind
from sema.model.text import is_punctuation
from sema.runtime.caching import remembered

Grid = NDArray[np.float32]
Related = dict[str, frozenset[str]]

FEATURES = (
    "identical", "unique", "form", "synonym", "paraphrase", "hyponymy", "same value", "other value",
    "characters", "distance", "function words", "content words", "function against content word",
    "punctuation", "punctuation against word",
)  # fmt: skip
"""The planes of a grid, in order."""

_PLANES = {LinkKind.FORM: 2, LinkKind.SYNONYM: 3, LinkKind.PARAPHRASE: 4, LinkKind.HYPONYMY: 5}
_NONE: frozenset[str] = frozenset()
_GRAMS = 128
_LARGEST = (1 << 63) - 1
_LONG = 3
"""Most letters of a lower-case word in a title that capitalises the others."""


@dataclass(frozen=True, slots=True)
class _Word:
    identity: int
    value: int
    function_word: bool
    mark: bool
    grams: NDArray[np.uint8]
    length: np.float32


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """One sentence's side of its grids: one entry for each token in every array."""

    words: tuple[str, ...]
    identity: NDArray[np.int64]
    value: NDArray[np.int64]
    function_word: NDArray[np.bool_]
    mark: NDArray[np.bool_]
    name: NDArray[np.bool_]
    once: NDArray[np.bool_]
    place: Grid
    grams: Grid


class WordGrids:
    """Grids over one language's word relations; case does not count."""

    def __init__(self, relations: WordRelations, value: Valuer) -> None:
        """``relations`` should find hyponymy in both directions; ``value`` reads numbers."""
        self.relations = relations
        self._value = value
        self._word = remembered(self._describe)

    def _describe(self, word: str) -> _Word:
        value = self._value(word)
        number = 0 if value is None else _number(value)
        function = self.relations.is_function_word(word)
        return _Word(_number(word.lower()), number, function, is_punctuation(word), *_grams(word))

    def sentence(self, words: Sequence[str]) -> SentenceWords:
        """One sentence's side."""
        known = [self._word(word) for word in words]
        counts = Counter(word.identity for word in known)
        return SentenceWords(
            tuple(words),
            np.array([word.identity for word in known], np.int64),
            np.array([word.value for word in known], np.int64),
            np.array([word.function_word for word in known], np.bool_),
            np.array([word.mark for word in known], np.bool_),
            _names(words),
            np.array([counts[word.identity] == 1 for word in known], np.bool_),
            ((np.arange(len(words)) + 0.5) / max(1, len(words))).astype(np.float32),
            _units(known),
        )

    def share_content(self, source: Sequence[str], output: Sequence[str], related: Related) -> bool:
        """Whether some content word of the source may be related to a word of the output."""
        present = set(output)
        return any(not present.isdisjoint(related[word]) and not self._word(word).function_word for word in source)

    def grid(self, source: SentenceWords, output: SentenceWords, related: Related, out: Grid | None = None) -> Grid:
        """The grid (features, source tokens, output tokens); ``out`` is filled in place if given."""
        size = len(FEATURES), len(source.words), len(output.words)
        planes = np.zeros(size, np.float32) if out is None else out
        same = source.identity[:, None] == output.identity
        planes[0] = same
        planes[1] = same & (source.once[:, None] & output.once)
        valued = (source.value[:, None] > 0) & (output.value > 0)
        equal = source.value[:, None] == output.value
        planes[6] = valued & equal
        planes[7] = valued & ~equal
        planes[8] = source.grams @ output.grams.T
        planes[9] = np.abs(source.place[:, None] - output.place)
        function, other = source.function_word[:, None], output.function_word
        planes[10] = function & other
        planes[11] = ~(function | other)
        planes[12] = function ^ other
        mark, other = source.mark[:, None], output.mark
        planes[13] = mark & other
        planes[14] = mark ^ other
        places: dict[str, list[int]] = {}
        for j, word in enumerate(output.words):
            places.setdefault(word, []).append(j)
        kind_of, present = self.relations.kind, places.keys()
        for i, word in enumerate(source.words):
            for other_word in present & related.get(word, _NONE):
                kind = kind_of(word, other_word)
                if kind in _PLANES:
                    planes[_PLANES[kind], i, places[other_word]] = 1.0
        planes[2] *= 1.0 - planes[0]
        return planes


def _number(thing: Hashable) -> int:
    """A positive hash of a value, valid in this process: equal values have equal hashes.

    It needs no table of seen values; 62 bits make collisions negligible.
    """
    return hash((thing,)) & _LARGEST | 1


def _names(words: Sequence[str]) -> NDArray[np.bool_]:
    """Which words are written as names: capitalised, in a sentence whose longer words are not all capitalised.

    The first word counts only when the second is capitalised too.
    """
    capital = np.array([word[:1].isupper() for word in words], np.bool_)
    if not any(word[:1].islower() and len(word) > _LONG for word in words):
        return np.zeros(len(words), np.bool_)
    if len(words) > 1:
        capital[0] &= capital[1]
    return capital


def _grams(word: str) -> tuple[NDArray[np.uint8], np.float32]:
    """How often each hash of the word's bigrams and trigrams occurs (255 at most), and the length of that vector."""
    counts = [0] * _GRAMS
    framed = f"<{word.lower()}>"
    for size in (2, 3):
        for start in range(len(framed) - size + 1):
            counts[crc32(framed[start : start + size].encode()) % _GRAMS] += 1
    vector = np.minimum(counts, 255).astype(np.float32)
    return vector.astype(np.uint8), np.float32(np.linalg.norm(vector))


def _units(words: Sequence[_Word]) -> Grid:
    """The words' n-grams as unit vectors (words, hashes); the counts that are kept of a word take a quarter of that."""
    if not words:
        return np.zeros((0, _GRAMS), np.float32)
    lengths = np.array([word.length for word in words], np.float32)
    return np.stack([word.grams for word in words]).astype(np.float32) / lengths[:, None]
