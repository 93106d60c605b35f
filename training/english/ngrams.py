"""Counting and smoothing the n-gram models of :mod:`sema_english.ngrams`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from sema_english.ngrams import END, FORMAT, START, STEP, UNKNOWN, fold

if TYPE_CHECKING:
    from numpy import float64, int64
    from numpy.typing import NDArray


def train(sentences: Iterable[Sequence[str]], *, least_word: int = 2, least_trigram: int = 2) -> dict[str, NDArray]:  # type: ignore[type-arg]
    """Count and smooth; gives the arrays of a model's file.

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
    first = pair_keys // size == 1  # after the start symbol there is one context only, so occurrences count
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


def _discounted_unigrams(counts: NDArray[float64], size: int) -> NDArray[float64]:
    """Kneser-Ney unigrams, interpolated with the uniform distribution, in which the unknown word has its share."""
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
    """The probability that a context leaves to the lower order, normalized over the words not seen in the context."""
    known = np.isin(contexts, keys)
    places = np.searchsorted(keys, contexts[known])
    taken = np.bincount(places, probabilities[known], minlength=len(keys))
    covered = np.bincount(places, lower[known], minlength=len(keys))
    weights: NDArray[float64] = np.maximum(1 - taken, 1e-6) / np.maximum(1 - covered, 1e-6)
    return weights


def _quantized(*columns: NDArray[float64]) -> NDArray[np.uint8]:
    steps = [np.clip(np.round(-np.log10(np.clip(column, 1e-10, 1.0)) / STEP), 0, 255) for column in columns]
    return np.stack(steps).astype(np.uint8)
