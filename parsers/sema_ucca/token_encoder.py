"""The parser's encoder for BERTScore: vectors of word pieces from its middle layer.

Layer and exponent are those whose F1 agrees best with human adequacy ratings and post-editing effort, on machine
translations and their post-edits (MLQE-PE dev; ``benchmarks/results/finished.md``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sema_ucca.encoder import UccaEncoder

Vectors = NDArray[np.float32]

SHARPNESS = 3
"""A similarity is the cosine to this power: it takes unrelated texts from .43 down to .12."""
LAYER = 3


class UccaTokenEncoder:
    """Unit vectors of pieces, by the encoder that parser and aligner use."""

    def __init__(self, encoder: UccaEncoder) -> None:
        self._encoder = encoder

    @property
    def signature(self) -> str:
        """The encoder's signature, its layer and the exponent."""
        return f"{self._encoder.signature},layer={LAYER},rescaled=cosine^{SHARPNESS}"

    def vectors(self, sentences: Sequence[Sequence[str]]) -> list[Vectors]:
        """The pieces' unit vectors (pieces, width) for each tokenized sentence."""
        given = self._encoder.piece_states(sentences)
        return [states / np.maximum(np.linalg.norm(states, axis=-1, keepdims=True), 1e-12) for states in given]

    def similarity(self, cosines: Vectors) -> Vectors:
        """Similarities of cosines; 0 for those below 0."""
        sharpened: Vectors = np.maximum(cosines, 0) ** SHARPNESS
        return sharpened
