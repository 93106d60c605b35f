"""Training data of the CEFR networks: sentences with teachers' levels, and the encoder's states of their words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sema_english.levels.constructions import find
from sema_english.levels.features import sentence_features, word_features
from sema_english.relations import english_lexicon
from sema_english.segmentation import EnglishSegmenter
from sema_ucca.encoder import UccaEncoder

from sema.model.lexicon import IndexedLexicon
from sema.model.text import Text
from training.data.tables import read_table

Numbers = NDArray[np.float32]
AT_A_TIME = 512


@dataclass(frozen=True)
class Sentences:
    """Sentences with the inputs of the networks.

    Attributes:
        words: the tokens.
        states: the encoder's states of each sentence's tokens, half precision.
        forms: the features of each sentence's tokens.
        features: the features of the sentences (sentences, features).
    """

    words: Sequence[tuple[str, ...]]
    states: Sequence[NDArray[np.float16]]
    forms: Sequence[Numbers]
    features: Numbers

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True)
class Rated:
    """Texts with their annotators' levels (texts, annotators), and for each text its sentences by number."""

    sentences: Sentences
    texts: Sequence[Sequence[int]]
    levels: NDArray[np.float64]


def read_rated(file: Path) -> tuple[list[str], NDArray[np.float64]]:
    """The texts and levels of a table of CEFR-SP's or README++'s."""
    rows = list(read_table(file))
    if "Rating" in rows[0]:
        # Cells with quotes are written as spreadsheets write them, doubled and in quotes.
        texts = [row["Sentence"].removeprefix('"').removesuffix('"').replace('""', '"') for row in rows]
        return texts, np.array([[float(row["Rating"])] for row in rows])
    return [row["sentence"] for row in rows], np.array(
        [[float(row["annotator_a"]), float(row["annotator_b"])] for row in rows]
    )


def encoded(texts: Sequence[str], cache: Path | None = None) -> tuple[Sentences, list[list[int]]]:
    """Texts segmented and their different sentences read; with ``cache``, states are kept in that file."""
    segmented: list[Text] = EnglishSegmenter().segment(texts)
    words = list(dict.fromkeys(sentence for text in segmented for sentence in text.sentence_words))
    places = {sentence: number for number, sentence in enumerate(words)}
    lexicon = english_lexicon()
    assert isinstance(lexicon, IndexedLexicon)
    sentences = Sentences(
        words,
        _states(words, cache),
        [word_features(sentence) for sentence in words],
        np.stack([sentence_features(sentence, lexicon, find(sentence)) for sentence in words]),
    )
    return sentences, [[places[sentence] for sentence in text.sentence_words] for text in segmented]


def rated(file: Path, cache: Path | None = None) -> Rated:
    """A table of rated texts, read."""
    texts, levels = read_rated(file)
    sentences, numbers = encoded(texts, cache and cache / f"{file.stem}.npz")
    return Rated(sentences, numbers, levels)


def _states(words: Sequence[tuple[str, ...]], cache: Path | None) -> list[NDArray[np.float16]]:
    lengths = np.cumsum([len(sentence) for sentence in words])[:-1]
    if cache is not None and cache.is_file():
        with np.load(cache) as kept:
            joined = kept["states"]
        if len(joined) == sum(len(sentence) for sentence in words):
            return list(np.split(joined, lengths))
    encoder = UccaEncoder(threads=1)
    read: list[NDArray[np.float16]] = []
    for start in range(0, len(words), AT_A_TIME):
        read += [states.astype(np.float16) for states in encoder.states(words[start : start + AT_A_TIME])]
    if cache is not None:
        cache.parent.mkdir(parents=True, exist_ok=True)
        np.savez(cache, states=np.concatenate(read))
    return read
