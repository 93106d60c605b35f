"""Vectors of Chinese pieces for BERTScore, from a middle layer of the network that reads pairs.

Each sentence is read alone, as a first text without a second. Layer and exponent follow people's edit effort best on
machine translation beside its post-edits (MLQE-PE en-zh dev; ``python -m benchmarks.metrics.bertscore``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sema_reader.pieces import ABSENT, NO_TEXT
from sema_reader.reader import GRAPH
from sema_ucca.pruning import pruned

from sema.runtime.checksums import checked
from sema.runtime.onnx import Session
from sema.runtime.threads import available_cores, each
from sema_chinese.meaning.pieces import ChinesePieces
from sema_chinese.meaning.reader import VOCABULARY, WEIGHTS

Vectors = NDArray[np.float32]

LAYER, SHARPNESS = 3, 4
OUTPUT = f"/LayerNorm_{2 * LAYER - 1}/LayerNormalization_output_0"
MAX_PIECES = 318
"""Pieces that are read in one pass; longer sentences are read in parts."""


class ChineseTokenEncoder:
    """Unit vectors of pieces."""

    def __init__(self, folder: Path = WEIGHTS, *, threads: int | None = None) -> None:
        """``threads``: sentences computed beside each other; none: one for each core."""
        digest = checked(folder, "weights of the Chinese reader of pairs", (GRAPH, VOCABULARY))
        self.signature = f"pairs-zh-1+{digest},layer={LAYER},rescaled=cosine^{SHARPNESS}"
        self._file = folder / GRAPH
        self._pieces = ChinesePieces.load(folder / VOCABULARY)
        self._threads = threads or available_cores()

    def vectors(self, sentences: Sequence[Sequence[str]]) -> list[Vectors]:
        """The pieces' unit vectors (pieces, width) for each tokenized sentence."""
        pieces = [self._pieces.of_words(words).ids for words in sentences]
        parts = [
            (owner, ids[at : at + MAX_PIECES])
            for owner, ids in enumerate(pieces)
            for at in range(0, len(ids), MAX_PIECES)
        ]
        read: list[Vectors] = [np.zeros((0, 0), np.float32)] * len(parts)
        graph = _session(self._file)

        def work(place: int) -> None:
            (layer,) = graph.run([OUTPUT], self._inputs(parts[place][1]))
            states = layer[0, 1:-1]
            read[place] = states / np.linalg.norm(states, axis=-1, keepdims=True)

        each(work, range(len(parts)), self._threads)
        found: list[list[Vectors]] = [[] for _ in sentences]
        for (owner, _), vectors in zip(parts, read, strict=True):
            found[owner].append(vectors)
        return [np.concatenate(rows) if rows else np.zeros((0, 0), np.float32) for rows in found]

    def similarity(self, cosines: Vectors) -> Vectors:
        """Similarities of cosines; 0 for those below 0."""
        similar: Vectors = np.maximum(cosines, 0) ** SHARPNESS
        return similar

    def _inputs(self, ids: Sequence[int]) -> dict[str, NDArray[np.int64]]:
        given = np.array([[self._pieces.begin, *ids, self._pieces.end]], np.int64)
        marks = np.array([[NO_TEXT, *[ABSENT] * len(ids), NO_TEXT]], np.int64)
        return {"ids": given, "types": np.zeros_like(given), "marks": marks, "mask": np.ones_like(given)}


@lru_cache(maxsize=2)
def _session(file: Path) -> Session:
    return Session(file, pruned(file.read_bytes(), [OUTPUT]))
