"""Vectors of pieces and of words in context, from a middle layer of the cross-encoder.

Each sentence is read alone, as a first text without a second.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from sema.model.text import Text, Token
from sema.runtime.checksums import checked
from sema.runtime.threads import available_cores, each
from sema_reader.pieces import ABSENT, NO_TEXT, UNSPACED, Pieces, Vocabulary
from sema_reader.pruning import pruned_session
from sema_reader.reader import GRAPH, NAME, WEIGHTS, WHAT

Vectors = NDArray[np.float32]
MAX_PIECES = 318
"""Pieces that are read in one pass; longer sentences are read in parts."""


class ReaderTokenEncoder:
    """Unit vectors of pieces, and of words."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        *,
        layer: int,
        sharpness: int = 1,
        spelling: Callable[[str], str] | None = None,
        spaced: bool = True,
        threads: int | None = None,
    ) -> None:
        """Choose pieces, layer and how words are written.

        Args:
            vocabulary: the pieces.
            layer: 1 to 12.
            sharpness: the exponent of cosines, for BERTScore.
            spelling: gives a text as the network knows it, character for character.
            spaced: whether words are written with spaces between them, where their script has spaces.
            threads: sentences computed in parallel (default: one for each core).
        """
        known = f"{NAME}+{checked(WEIGHTS, WHAT, [GRAPH])}+{vocabulary.digest}"
        self.signature = f"{known},layer={layer},rescaled=cosine^{sharpness}"
        self._layer, self._sharpness = layer, sharpness
        self._pieces, self._spelling, self._spaced = vocabulary.read, spelling, spaced
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

    def similarity(self, cosines: Vectors) -> Vectors:
        """Similarities of cosines; 0 for those below 0."""
        similar: Vectors = np.maximum(cosines, 0) ** self._sharpness
        return similar

    def _cut(self, sentences: Sequence[Sequence[str]]) -> list[Pieces]:
        cutter = self._pieces()[0]
        return [cutter.of_text(written(words, self._spaced), self._spelling) for words in sentences]

    def _read(self, sentences: Sequence[Pieces]) -> list[Vectors]:
        parts = [
            (owner, pieces.ids[at : at + MAX_PIECES])
            for owner, pieces in enumerate(sentences)
            for at in range(0, len(pieces.ids), MAX_PIECES)
        ]
        read: list[Vectors] = [np.zeros((0, 0), np.float32)] * len(parts)
        output = f"/network/encoder/layers.{self._layer - 1}/norm2/LayerNormalization_output_0"
        graph = pruned_session(WEIGHTS / GRAPH, output)

        def work(place: int) -> None:
            (layer,) = graph.run([output], self._inputs(parts[place][1]))
            states = layer[0, 1:-1]
            read[place] = states / np.linalg.norm(states, axis=-1, keepdims=True)

        each(work, range(len(parts)), self._threads)
        by_sentence: list[list[Vectors]] = [[] for _ in sentences]
        for (owner, _), vectors in zip(parts, read, strict=True):
            by_sentence[owner].append(vectors)
        return [np.concatenate(rows) if rows else np.zeros((0, 0), np.float32) for rows in by_sentence]

    def _inputs(self, ids: Sequence[int]) -> dict[str, NDArray[np.generic]]:
        cutter, table = self._pieces()
        given = cutter.known(np.array([[cutter.begin, *ids, cutter.end]], np.int64))
        marks = np.array([[NO_TEXT, *[ABSENT] * len(ids), NO_TEXT]], np.int64)
        return {"words": table[given], "types": np.zeros_like(given), "marks": marks, "mask": np.ones_like(given)}


def written(words: Sequence[str], spaced: bool) -> Text:
    """Words as a text; ``spaced``: with a space before each that begins with a letter, in scripts with spaces."""
    tokens: list[Token] = []
    text = ""
    for word in words:
        if spaced and text and word[:1].isalnum() and not (UNSPACED.match(word) or UNSPACED.match(text[-1])):
            text += " "
        tokens.append(Token(word, len(text), len(text) + len(word)))
        text += word
    return Text(text, tuple(tokens), ((0, len(tokens)),))
