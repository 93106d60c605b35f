"""Vectors of Chinese pieces for BERTScore, and of words for links in context, from a middle layer of the cross-encoder.

Each sentence is read alone, as a first text without a second. Layer and exponent follow people's edit effort best on
machine translation beside its post-edits (MLQE-PE en-zh dev; ``benchmarks/results/finished.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sema_reader.pieces import ABSENT, NO_TEXT, Pieces
from sema_reader.pieces_file import FILE, read_pieces
from sema_reader.reader import GRAPH, NAME, WEIGHTS, WHAT
from sema_ucca.pruning import pruned

from sema.model.text import Text, Token
from sema.runtime.checksums import checked
from sema.runtime.onnx import Session
from sema.runtime.threads import available_cores, each
from sema_chinese.segmentation.segmenter import to_model_characters

Vectors = NDArray[np.float32]

LAYER, SHARPNESS = 6, 3
MAX_PIECES = 318
"""Pieces that are read in one pass; longer sentences are read in parts."""


class ChineseTokenEncoder:
    """Unit vectors of pieces."""

    def __init__(self, folder: Path = WEIGHTS, *, layer: int = LAYER, threads: int | None = None) -> None:
        """``layer``: 1 to 12; ``threads``: sentences computed beside each other; none: one for each core."""
        digest = checked(folder, WHAT, [GRAPH, FILE])
        self.signature = f"{NAME}+{digest},layer={layer},rescaled=cosine^{SHARPNESS}"
        self._file, self._layer = folder / GRAPH, layer
        self._cutter, self._table = read_pieces(folder / FILE)
        self._threads = threads or available_cores()

    def vectors(self, sentences: Sequence[Sequence[str]]) -> list[Vectors]:
        """The pieces' unit vectors (pieces, width) for each tokenized sentence."""
        return self._read(self._cut(sentences))

    def words(self, sentences: Sequence[Sequence[str]]) -> list[Vectors]:
        """The words' unit vectors (words, width), the means of their pieces' vectors."""
        found, pieces = [], self._cut(sentences)
        for words, cut, vectors in zip(sentences, pieces, self._read(pieces), strict=True):
            sums = np.zeros((len(words), vectors.shape[1]), np.float32)
            np.add.at(sums, list(cut.words), vectors)
            lengths = np.linalg.norm(sums, axis=-1, keepdims=True)
            found.append(sums / np.maximum(lengths, 1e-9))  # a word without pieces has no direction
        return found

    def _cut(self, sentences: Sequence[Sequence[str]]) -> list[Pieces]:
        return [self._cutter.of_text(_written(words), to_model_characters) for words in sentences]

    def _read(self, sentences: Sequence[Pieces]) -> list[Vectors]:
        parts = [
            (owner, pieces.ids[at : at + MAX_PIECES])
            for owner, pieces in enumerate(sentences)
            for at in range(0, len(pieces.ids), MAX_PIECES)
        ]
        read: list[Vectors] = [np.zeros((0, 0), np.float32)] * len(parts)
        output = f"/network/encoder/layers.{self._layer - 1}/norm2/LayerNormalization_output_0"
        graph = _session(self._file, output)

        def work(place: int) -> None:
            (layer,) = graph.run([output], self._inputs(parts[place][1]))
            states = layer[0, 1:-1]
            read[place] = states / np.linalg.norm(states, axis=-1, keepdims=True)

        each(work, range(len(parts)), self._threads)
        by_sentence: list[list[Vectors]] = [[] for _ in sentences]
        for (owner, _), vectors in zip(parts, read, strict=True):
            by_sentence[owner].append(vectors)
        return [np.concatenate(rows) if rows else np.zeros((0, 0), np.float32) for rows in by_sentence]

    def similarity(self, cosines: Vectors) -> Vectors:
        """Similarities of cosines; 0 for those below 0."""
        similar: Vectors = np.maximum(cosines, 0) ** SHARPNESS
        return similar

    def _inputs(self, ids: Sequence[int]) -> dict[str, NDArray[np.generic]]:
        given = np.array([[self._cutter.begin, *ids, self._cutter.end]], np.int64)
        marks = np.array([[NO_TEXT, *[ABSENT] * len(ids), NO_TEXT]], np.int64)
        words = self._table[given]
        return {"words": words, "types": np.zeros_like(given), "marks": marks, "mask": np.ones_like(given)}


def _written(words: Sequence[str]) -> Text:
    """Words as Chinese writes them, without spaces."""
    ends = list(accumulate(map(len, words), initial=0))
    tokens = tuple(Token(word, start, start + len(word)) for word, start in zip(words, ends, strict=False))
    return Text("".join(words), tokens, ((0, len(tokens)),))


@lru_cache(maxsize=2)
def _session(file: Path, output: str) -> Session:
    return Session(file, pruned(file.read_bytes(), [output]))
