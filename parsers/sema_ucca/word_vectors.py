"""Word vectors by sentence, kept in memory while there is room."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float16]
Sentence = tuple[str, ...]


class KeptVectors:
    """The vectors (tokens, width) of the sentences that were used last, of so many words altogether.

    Safe to use from several threads: a parser that scorers in several threads share fills it from all of them.
    """

    def __init__(self, most_words: int) -> None:
        """``most_words`` bounds what is kept between calls."""
        self._most = most_words
        self._words = 0
        self._kept: OrderedDict[Sentence, Vectors] = OrderedDict()
        self._lock = Lock()

    def __contains__(self, sentence: Sentence) -> bool:
        return sentence in self._kept

    def get(self, sentences: Sequence[Sentence]) -> dict[Sentence, Vectors]:
        """What is kept of these sentences."""
        with self._lock:
            found = {sentence: self._kept[sentence] for sentence in sentences if sentence in self._kept}
            for sentence in found:
                self._kept.move_to_end(sentence)
        return found

    def put(self, sentence: Sentence, vectors: Vectors) -> None:
        """Keep a sentence's vectors; those that were not used for longest make room."""
        with self._lock:
            if sentence not in self._kept:
                self._words += len(sentence)
            self._kept[sentence] = vectors
            self._kept.move_to_end(sentence)
            while self._words > self._most:
                dropped, _ = self._kept.popitem(last=False)
                self._words -= len(dropped)
