"""Scores without a reader: the shares of both texts that are linked, less what conflicts between facts cost.

A conflict weighs more than the words that state it: a reader who is told the opposite has not been told the rest as it
was. Its own words keep next to nothing, the sentence that they stand in less than half, and each other sentence loses
its share of what the sentence loses.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from sema.meaning.signals import Numbers, WordSide
from sema.model.meaning import Words
from sema.model.text import Text

CONFLICTING, SENTENCE = 0.1, 0.4
"""What is left of the words of a conflict, and of the sentence that they stand in."""
RECALL_SHARE = 0.7
"""How much of ``meaning`` is recall, the rest precision: people mind what is gone more."""


def linked_words(text: Text, side: WordSide, marked: Collection[int]) -> Words:
    """A text's words with how likely each is kept or supported, given those of conflicts."""
    left = np.ones(len(text.words))
    for start, end in text.sentences:
        if any(start <= token < end for token in marked):
            left *= 1 - (1 - SENTENCE) / len(text.sentences)
            left[start:end] = np.minimum(left[start:end], SENTENCE)
    left[sorted(marked)] = CONFLICTING
    chances: Numbers = side.linked * left
    return Words(tuple(chances.tolist()), tuple(side.weights.tolist()))


def shares(kept: Words, supported: Words) -> dict[str, float]:
    """The scores, 0-100: the two shares, and their weighted geometric mean."""
    recall, precision = kept.share(), supported.share()
    return {
        "meaning": 100 * recall**RECALL_SHARE * precision ** (1 - RECALL_SHARE),
        "meaning_recall": 100 * recall,
        "meaning_precision": 100 * precision,
    }
