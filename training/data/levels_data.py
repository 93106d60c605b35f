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
from training.data.states import States, states_of
from training.data.tables import read_table

Numbers = NDArray[np.float32]


@dataclass(frozen=True)
class Sentences:
    """Sentences as the networks read them: tokens with the encoder's states and features of each (``forms``), and the
    features of the sentences (sentences, features)."""

    words: Sequence[tuple[str, ...]]
    states: Sequence[States]
    forms: Sequence[Numbers]
    features: Numbers


def read_rated(file: Path) -> tuple[list[str], NDArray[np.float64]]:
    """The texts and levels of a table of CEFR-SP or README++."""
    rows = list(read_table(file))
    if "Rating" in rows[0]:
        # A cell that contains quotes is in quotes itself, with those inside doubled.
        texts = [row["Sentence"].removeprefix('"').removesuffix('"').replace('""', '"') for row in rows]
        return texts, np.array([[float(row["Rating"])] for row in rows])
    return [row["sentence"] for row in rows], np.array(
        [[float(row["annotator_a"]), float(row["annotator_b"])] for row in rows]
    )


def encoded(texts: Sequence[str]) -> tuple[Sentences, list[list[int]]]:
    """The different sentences of texts, and their numbers for each text."""
    segmented = EnglishSegmenter().segment(texts)
    words = list(dict.fromkeys(sentence for text in segmented for sentence in text.sentence_words))
    places = {sentence: number for number, sentence in enumerate(words)}
    lexicon = english_lexicon()
    assert isinstance(lexicon, IndexedLexicon)
    sentences = Sentences(
        words,
        states_of(UccaEncoder(threads=1).states, words),
        [word_features(sentence) for sentence in words],
        np.stack([sentence_features(sentence, lexicon, find(sentence)) for sentence in words]),
    )
    return sentences, [[places[sentence] for sentence in text.sentence_words] for text in segmented]
