"""Scores without a reader: the linked shares of both texts, minus a cost for each conflict between facts.

A conflict costs more than its own words, because a changed claim changes its context too: its words keep a tenth of
their probability, the other words of their sentence two fifths, and every other sentence loses a share of that loss.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from sema.meaning.signals import Numbers, WordSide
from sema.model.meaning import Words
from sema.model.text import Text

CONFLICTING, SENTENCE = 0.1, 0.4
"""The share that the words of a conflict keep, and the share that their sentence keeps."""
RECALL_SHARE = 0.7
"""The weight of recall in ``meaning``, the rest is precision: people mind lost content more."""


def linked_words(text: Text, side: WordSide, marked: Collection[int]) -> Words:
    """A text's words with the probability that each is kept or supported; ``marked`` are those of conflicts."""
    left = np.ones(len(text.words))
    for start, end in text.sentences:
        if any(start <= token < end for token in marked):
            left *= 1 - (1 - SENTENCE) / len(text.sentences)
            left[start:end] = np.minimum(left[start:end], SENTENCE)
    left[sorted(marked)] = CONFLICTING
    chances: Numbers = side.linked * left
    return Words(tuple(chances.tolist()), tuple(side.weights.tolist()))


def shares(kept: Words, supported: Words) -> dict[str, float]:
    """The three scores, 0-100: both shares, and their weighted geometric mean."""
    recall, precision = kept.share(), supported.share()
    return {
        "meaning": 100 * recall**RECALL_SHARE * precision ** (1 - RECALL_SHARE),
        "meaning_recall": 100 * recall,
        "meaning_precision": 100 * precision,
    }
