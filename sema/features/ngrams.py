"""A compact n-gram model of order 3: interpolated Kneser-Ney, kept as a back-off table without pickle.

Kneser and Ney (1995), in the interpolated form of Chen and Goodman (1999) with one discount for each order. N-grams are
coded as numbers over the vocabulary and stored sorted; logarithms (base 10) are stored in steps of 0.04.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sema.errors import ResourceError
from sema.features.words import DATA

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray

UNKNOWN, START, END = "<unk>", "<s>", "</s>"
STEP = 0.04
FORMAT = 1
_DIGITS = re.compile(r"\d")


def fold(word: str) -> str:
    """A word as the models know it: lower-cased, every digit a 0."""
    return _DIGITS.sub("0", word.lower())


@dataclass(frozen=True)
class Step:
    """One word's log10 probability, the order of the n-gram that gave it (0: unknown word), and the word."""

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

    def __contains__(self, word: str) -> bool:
        return fold(word) in self._ids

    def score(self, sentence: Sequence[str]) -> list[Step]:
        """The probability of every word given the two before it, and of the sentence's end."""
        history = (1, 1)
        steps = []
        for word in [*map(fold, sentence), END]:
            index = self._ids.get(word, 0)
            logprob, order = self._step(history, index)
            steps.append(Step(word, logprob, order if index else 0))
            history = (history[1], index)
        return steps

    def number(self, word: str) -> int:
        """The number of a folded word; 0 for an unknown one."""
        return self._ids.get(word, 0)

    def step(self, history: tuple[int, int], word: int) -> float:
        """The log10 probability of a word after two others, by number; a sentence starts after (1, 1), ends in 2."""
        return self._step(history, word)[0]

    def _step(self, history: tuple[int, int], word: int) -> tuple[float, int]:
        first, second = history
        context, pair = first * self._size + second, second * self._size + word
        found = self._trigrams.get(context * self._size + word)
        if found is not None:
            return found, 3
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
        """Read a model that :func:`save` wrote.

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
    """The shipped model of that name (``en_original``, ``en_simple``)."""
    return NgramModel.load(DATA / f"{name}_ngrams.npz")


def train(sentences: Iterable[Sequence[str]], *, least_word: int = 2, least_trigram: int = 2) -> dict[str, NDArray]:  # type: ignore[type-arg]
    """Count and smooth; gives the arrays that :func:`save` writes.

    Args:
        sentences: tokenized sentences.
        least_word: rarer words are unknown.
        least_trigram: rarer trigrams are left to their bigrams.
    """
    texts = [[fold(word) for word in sentence] for sentence in sentences]
    counts = Counter(word for text in texts for word in text)
    words = [UNKNOWN, START, END, *sorted(word for word, count in counts.items() if count >= least_word)]
    ids = {word: index for index, word in enumerate(words)}
    size = len(words)
    stream = np.array([index for text in texts for index in (1, 1, *(ids.get(word, 0) for word in text), 2)], np.int64)
    inside = stream != 1
    ends = np.flatnonzero(inside)
    pairs = stream[ends - 1] * size + stream[ends]
    triples = (stream[ends - 2] * size + stream[ends - 1]) * size + stream[ends]
    triple_keys, triple_counts = np.unique(triples, return_counts=True)
    pair_keys, pair_counts = np.unique(pairs, return_counts=True)
    # Lower orders count the contexts that a word or pair continues, not its occurrences.
    continued = np.unique(triple_keys % (size * size), return_counts=True)
    pair_continued = np.zeros(len(pair_keys))
    pair_continued[np.searchsorted(pair_keys, continued[0])] = continued[1]
    first = pair_keys // size == 1  # what begins a sentence has one context only: its occurrences count
    pair_continued[first] = pair_counts[first]
    single = np.bincount(pair_keys % size, minlength=size).astype(np.float64)

    lowest = _discounted_unigrams(single, size)
    pair_probability = _interpolated(pair_keys // size, pair_continued, lowest[pair_keys % size])
    below = pair_probability[np.searchsorted(pair_keys, triple_keys % (size * size))]
    triple_probability = _interpolated(triple_keys // size, triple_counts.astype(np.float64), below)
    kept = triple_counts >= least_trigram
    triple_keys, triple_probability, below = triple_keys[kept], triple_probability[kept], below[kept]
    pair_backoff = _backoff(pair_keys, triple_keys // size, triple_probability, below)
    single_backoff = _backoff(np.arange(size), pair_keys // size, pair_probability, lowest[pair_keys % size])
    return {
        "words": np.frombuffer("\n".join(words).encode(), np.uint8),
        "values1": _quantized(lowest, single_backoff),
        "keys2": np.diff(pair_keys, prepend=0).astype(np.uint32),
        "values2": _quantized(pair_probability, pair_backoff),
        "keys3": np.diff(triple_keys, prepend=0).astype(np.uint64),
        "values3": _quantized(triple_probability),
        "format": np.array(FORMAT),
    }


def save(path: Path, arrays: dict[str, NDArray]) -> None:  # type: ignore[type-arg]
    """Write a trained model."""
    np.savez_compressed(path, **arrays)  # type: ignore[arg-type]


def _discounted_unigrams(counts: NDArray[float64], size: int) -> NDArray[float64]:
    """Kneser-Ney's unigrams, interpolated with the uniform distribution; the unknown word gets its share too."""
    discount = _discount(counts)
    left = np.maximum(counts - discount, 0)
    mass = 1 - left.sum() / counts.sum()
    smoothed: NDArray[float64] = left / counts.sum() + mass / size
    return smoothed


def _discount(counts: NDArray[float64]) -> float:
    once, twice = float((counts == 1).sum()), float((counts == 2).sum())
    return once / (once + 2 * twice) if once and twice else 0.5


def _interpolated(contexts: NDArray[int64], counts: NDArray[float64], lower: NDArray[float64]) -> NDArray[float64]:
    discount = _discount(counts)
    _, place = np.unique(contexts, return_inverse=True)
    totals = np.bincount(place, counts)
    left = np.maximum(counts - discount, 0)
    mass = 1 - np.bincount(place, left) / totals
    smoothed: NDArray[float64] = left / totals[place] + mass[place] * lower
    return smoothed


def _backoff(
    keys: NDArray[int64], contexts: NDArray[int64], probabilities: NDArray[float64], lower: NDArray[float64]
) -> NDArray[float64]:
    """What a context leaves to the order below, over what that order leaves to the words not seen in the context."""
    known = np.isin(contexts, keys)
    places = np.searchsorted(keys, contexts[known])
    taken = np.bincount(places, probabilities[known], minlength=len(keys))
    covered = np.bincount(places, lower[known], minlength=len(keys))
    weights: NDArray[float64] = np.maximum(1 - taken, 1e-6) / np.maximum(1 - covered, 1e-6)
    return weights


def _quantized(*columns: NDArray[float64]) -> NDArray[np.uint8]:
    steps = [np.clip(np.round(-np.log10(np.clip(column, 1e-10, 1.0)) / STEP), 0, 255) for column in columns]
    return np.stack(steps).astype(np.uint8)


def perplexity(logprob: float, words: int) -> float:
    """``10 ** (-logprob / words)``, capped at a million; 0 for no words."""
    return math.pow(10, min(6.0, -logprob / words)) if words else 0.0
