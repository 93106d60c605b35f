"""Build the shipped word frequencies and n-gram models.

``python -m training.english.frequencies words --cmudict FILE`` needs the package ``wordfreq``;
``python -m training.english.frequencies ngrams`` reads texts whose licence allows weights to be
shipped (``tables/CARD.md`` names them), and nothing that a benchmark reports on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray
from sema_english.ngrams import END, FORMAT, START, STEP, UNKNOWN, fold
from sema_english.words import TABLES
from sema_ucca.ucca_xml import read_passage

from sema.datasets.folder import data_folder
from sema.languages import find_language
from training.command import command
from training.data.tables import read_lines
from training.data.text import ewt

LEAST_ZIPF = 2.3
LEAST_COUNT = 2
"""Rarer words are unknown to the n-gram models, and rarer trigrams are left to their bigrams."""
CHINESE_TABLES = TABLES.parents[1] / "sema_chinese" / "tables"
WORD = re.compile(r"[^\W_]+(?:['’.\-][^\W_]+)*", re.UNICODE)


def build_words(language: str, syllables: dict[str, int], folder: Path) -> None:
    """Write the frequency table of a language from wordfreq's large list into a folder."""
    from wordfreq import get_frequency_dict

    zipf = {word: np.log10(often * 1e9) for word, often in get_frequency_dict(language, wordlist="large").items()}
    words = [word for word in zipf if zipf[word] >= LEAST_ZIPF and WORD.fullmatch(word)]
    np.savez_compressed(
        folder / "words.npz",
        words=np.frombuffer("\n".join(words).encode(), np.uint8),
        zipf=np.array([round(zipf[word] * 25) for word in words], np.uint8),
        syllables=np.array([syllables.get(word, 0) for word in words], np.uint8),
    )


def read_syllables(path: Path) -> dict[str, int]:
    """The syllables of each word of the CMU dictionary, by its first pronunciation."""
    syllables: dict[str, int] = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        word, _, *phones = line.split()
        syllables.setdefault(word.lower(), sum(phone[-1].isdigit() for phone in phones))
    return syllables


def original_texts() -> Iterator[str]:
    """Ordinary texts: Wikipedia passages and sentences, web text."""
    for path in sorted(data_folder("ucca", "english-wiki", "xml").glob("*.xml")):
        yield " ".join(read_passage(path).tokens)
    yield from _whole("wikisplit", "wikisplit.valid.untok.orig")
    yield from ewt()


def simple_texts() -> Iterator[str]:
    """Simpler texts: shorter sentences of the same sources, and Simple English Wikipedia."""
    yield from _whole("wikisplit", "wikisplit.valid.untok.split")
    yield from (text for text in ewt() if len(text.split()) <= 14)
    yield from _whole("pwkp", "pwkp.valid.simp")


def _whole(*parts: str) -> list[str]:
    return [line.replace("<::::>", " ") for line in read_lines("simplification", *parts)]


def sentences(texts: Iterable[str]) -> Iterator[Sequence[str]]:
    """Tokenized sentences, by the language's own segmenter."""
    segmenter = find_language("en").parts().segmenter
    for text in segmenter.segment(list(dict.fromkeys(texts))):
        yield from text.sentence_words


def train(sentences: Iterable[Sequence[str]]) -> dict[str, NDArray]:  # type: ignore[type-arg]
    """Count and smooth the n-grams of tokenized sentences; gives the arrays of a model's file."""
    texts = [[fold(word) for word in sentence] for sentence in sentences]
    counts = Counter(word for text in texts for word in text)
    words = [UNKNOWN, START, END, *sorted(word for word, count in counts.items() if count >= LEAST_COUNT)]
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

    # the uniform distribution is below unigrams; the unknown word has its share in it
    lowest = _interpolated(np.zeros(size, np.int64), single, np.full(size, 1 / size))
    pair_probability = _interpolated(pair_keys // size, pair_continued, lowest[pair_keys % size])
    below = pair_probability[np.searchsorted(pair_keys, triple_keys % (size * size))]
    triple_probability = _interpolated(triple_keys // size, triple_counts.astype(np.float64), below)
    kept = triple_counts >= LEAST_COUNT
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


def _interpolated(contexts: NDArray[int64], counts: NDArray[float64], lower: NDArray[float64]) -> NDArray[float64]:
    once, twice = float((counts == 1).sum()), float((counts == 2).sum())
    discount = once / (once + 2 * twice) if once and twice else 0.5
    _, place = np.unique(contexts, return_inverse=True)
    totals = np.bincount(place, counts)
    left = np.maximum(counts - discount, 0)
    mass = 1 - np.bincount(place, left) / totals
    return np.asarray(left / totals[place] + mass[place] * lower)


def _backoff(
    keys: NDArray[int64], contexts: NDArray[int64], probabilities: NDArray[float64], lower: NDArray[float64]
) -> NDArray[float64]:
    """The probability that a context leaves to the lower order, normalized over the words not seen in the context."""
    known = np.isin(contexts, keys)
    places = np.searchsorted(keys, contexts[known])
    taken = np.bincount(places, probabilities[known], minlength=len(keys))
    covered = np.bincount(places, lower[known], minlength=len(keys))
    return np.asarray(np.maximum(1 - taken, 1e-6) / np.maximum(1 - covered, 1e-6))


def _quantized(*columns: NDArray[float64]) -> NDArray[np.uint8]:
    steps = [np.clip(np.round(-np.log10(np.clip(column, 1e-10, 1.0)) / STEP), 0, 255) for column in columns]
    return np.stack(steps).astype(np.uint8)


@command
def main(what: Literal["words", "ngrams"], cmudict: Path | None = None) -> None:
    """Build the named tables; ``words`` needs the CMU pronouncing dictionary."""
    if what == "ngrams":
        for name, texts in (("original", original_texts), ("simple", simple_texts)):
            np.savez_compressed(TABLES / f"{name}_ngrams.npz", **train(sentences(texts())))  # type: ignore[arg-type]
    elif cmudict is not None:
        build_words("en", read_syllables(cmudict), TABLES)
        build_words("zh", {}, CHINESE_TABLES)
    else:
        raise SystemExit("words: give --cmudict FILE")


if __name__ == "__main__":
    main()
