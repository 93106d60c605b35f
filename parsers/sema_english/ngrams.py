"""A compact n-gram model of order 3: interpolated Kneser-Ney, kept as a back-off table without pickle.

Kneser and Ney (1995), in the interpolated form of Chen and Goodman (1999) with one discount for each order. N-grams are
coded as numbers over the vocabulary and stored sorted; logarithms (base 10) are stored in steps of 0.04.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sema.errors import ResourceError
from sema.runtime.caching import remembered
from sema_english.words import TABLES

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

UNKNOWN, START, END = "<unk>", "<s>", "</s>"
History = tuple[int, int]
"""The numbers of the two words before a word."""
BEGIN: History = (1, 1)
"""The history at the beginning of a sentence."""
LAST = 2
"""The number of the end of a sentence."""
STEP = 0.04
FORMAT = 1
_DIGITS = re.compile(r"\d")


def fold(word: str) -> str:
    """A word as the models know it: lower-cased, every digit a 0."""
    return _DIGITS.sub("0", word.lower())


@dataclass(frozen=True)
class Step:
    """One word's log10 probability, the order of the n-gram used (0: unknown word), and the word."""

    word: str
    logprob: float
    order: int


class NgramModel:
    """A trained model.

    Args:
        words: the vocabulary; the first three are ``<unk>``, ``<s>`` and ``</s>``.
        unigrams: log10 probability and back-off weight of each word (2, words).
        bigrams, trigrams: keys, ascending, and their values (2, n): log10 probabilities and back-off weights.
        signature: name and size, for signatures.
    """

    def __init__(
        self,
        words: Sequence[str],
        unigrams: NDArray[float64],
        bigrams: tuple[NDArray[int64], NDArray[float64]],
        trigrams: tuple[NDArray[int64], NDArray[float64]],
        signature: str = "",
    ) -> None:
        self.words = tuple(words)
        self.signature = signature
        self._ids = {word: index for index, word in enumerate(self.words)}
        self._unigrams = unigrams.tolist()
        self._size = len(self.words)
        self._bigrams = {key: pair for key, *pair in zip(bigrams[0].tolist(), *bigrams[1].tolist(), strict=True)}
        self._trigrams = dict(zip(trigrams[0].tolist(), trigrams[1][0].tolist(), strict=True))
        self._known_step = remembered(self._step)

    def __contains__(self, word: str) -> bool:
        return fold(word) in self._ids

    def score(self, sentence: Sequence[str]) -> list[Step]:
        """The probability of every word given the two before it, and of the sentence's end."""
        history = BEGIN
        steps = []
        for word in [*map(fold, sentence), END]:
            index = self._ids.get(word, 0)
            logprob, order = self._step(history, index)
            steps.append(Step(word, logprob, order if index else 0))
            history = (history[1], index)
        return steps

    def numbers(self, words: Sequence[str]) -> list[int]:
        """The numbers of words; 0 for an unknown one."""
        return [self._ids.get(fold(word), 0) for word in words]

    def advance(self, history: History, numbers: Sequence[int]) -> tuple[float, History]:
        """The log10 probability of words after a history, all by number, and the history after them."""
        total = 0.0
        for number in numbers:
            total += self._known_step(history, number)[0]
            history = (history[1], number)
        return total, history

    def sentence(self, words: Sequence[str]) -> float:
        """The log10 probability of a sentence with its end."""
        return self.advance(BEGIN, [*self.numbers(words), LAST])[0]

    def _step(self, history: History, word: int) -> tuple[float, int]:
        first, second = history
        context, pair = first * self._size + second, second * self._size + word
        step = self._trigrams.get(context * self._size + word)
        if step is not None:
            return step, 3
        weight = self._bigrams[context][1] if context in self._bigrams else 0.0
        known = self._bigrams.get(pair)
        if known is not None:
            return weight + known[0], 2
        return weight + self._unigrams[1][second] + self._unigrams[0][word], 1

    def unigram(self, word: str) -> float:
        """The word's log10 probability without a context."""
        return float(self._unigrams[0][self._ids.get(fold(word), 0)])

    def bigram(self, first: str, second: str) -> float:
        """The log10 probability of a word after another."""
        left, right = self._ids.get(fold(first), 0), self._ids.get(fold(second), 0)
        known = self._bigrams.get(left * self._size + right)
        return float(known[0] if known is not None else self._unigrams[1][left] + self._unigrams[0][right])

    @classmethod
    def load(cls, path: Path) -> NgramModel:
        """Read a model that ``training.english.frequencies`` wrote.

        Raises:
            ResourceError: no such file, or a file of another format.
        """
        if not path.is_file():
            raise ResourceError(f"there is no n-gram model {path.name!r}; leave out the features that need it")
        with np.load(path) as arrays:
            if int(arrays["format"]) != FORMAT:
                raise ResourceError(f"{path.name} is of format {int(arrays['format'])}, and format {FORMAT} is needed")
            words = arrays["words"].tobytes().decode().split("\n")
            keys = [np.cumsum(arrays[f"keys{order}"].astype(np.int64)) for order in (2, 3)]
            values = [-STEP * arrays[f"values{order}"].astype(np.float64) for order in (1, 2, 3)]
        name = f"{path.stem}:{len(words)}/{len(keys[0])}/{len(keys[1])}"
        return cls(words, values[0], (keys[0], values[1]), (keys[1], values[2]), name)


@cache
def ngram_model(name: str) -> NgramModel:
    """The shipped model of that name (``original``, ``simple``)."""
    return NgramModel.load(TABLES / f"{name}_ngrams.npz")


def perplexity(logprob: float, words: int) -> float:
    """``10 ** (-logprob / words)``, capped at a million; 0 for no words."""
    return math.pow(10, min(6.0, -logprob / words)) if words else 0.0
