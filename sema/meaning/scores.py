"""The scores of a pair: from the reader's signals, or without a reader from links and conflicts alone.

A conflict costs more than its own words, because a changed claim changes its context too: without a reader its words
keep a tenth of their probability, the other words of their sentence two fifths, and every other sentence loses a share
of that loss.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import log
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sema.model.item import Item
from sema.model.meaning import Words
from sema.model.reading import PairReading, Signals
from sema.model.text import Text, is_punctuation

Numbers = NDArray[np.float64]

FUNCTION, CONTENT, FIGURE = 0.15, 1.0, 1.3
"""The weights of function words, of content words, and of words with a digit."""
IS_CONTENT = 0.5
"""The least weight of a content word."""
CERTAIN = 0.95
"""The probability from which a link counts as certain: aligners never reach 1."""
CONFLICTING, SENTENCE = 0.1, 0.4
"""The largest probability of being kept or supported: of a word in a conflict, and of the others in its sentence."""
RECALL_SHARE = 0.7
"""The weight of recall in ``meaning``, the rest is precision: people mind lost content more."""
WORST = 2
"""The number of words whose mean is a text's least: one could be a slip of the reader."""
_EDGE = 0.002
"""Probabilities nearer to 0 or 1 say no more."""


@dataclass(frozen=True)
class WordSide:
    """One text's words: the weight of each, and the probability that it is linked (words,)."""

    weights: Numbers
    linked: Numbers

    def without(self, tokens: Collection[int]) -> Self:
        """The other words."""
        rest = [token for token in range(len(self.weights)) if token not in tokens]
        return type(self)(self.weights[rest], self.linked[rest])


Sides = tuple[WordSide, WordSide]
"""The words of the source and of the output."""


def word_sides(item: Item, function_words: Collection[str]) -> Sides:
    """The words' weights and link probabilities; in a copy every word is linked to itself."""
    kept, supported = (np.zeros(len(text.words)) for text in (item.source, item.output))
    if item.source.words == item.output.words:
        kept[:] = supported[:] = 1.0
    for (start, end), grid in zip(item.output.sentences, item.link_weights, strict=False):
        if grid.weights.size:
            kept[grid.rows] = np.maximum(kept[grid.rows], grid.weights.max(1))
            supported[start:end] = np.maximum(supported[start:end], grid.weights.max(0))
    source, output = (
        WordSide(np.array([_weight(word, function_words) for word in text.words]), np.clip(linked / CERTAIN, 0.0, 1.0))
        for text, linked in ((item.source, kept), (item.output, supported))
    )
    return source, output


def _weight(word: str, function_words: Collection[str]) -> float:
    if is_punctuation(word):
        return 0.0
    if any(map(str.isdecimal, word)):
        return FIGURE
    return FUNCTION if word.lower() in function_words else CONTENT


def linked_words(text: Text, side: WordSide, marked: Collection[int]) -> Words:
    """A text's words with the probability that each is kept or supported; ``marked`` are those of conflicts."""
    left = np.ones(len(text.words))
    for start, end in text.sentences:
        if any(start <= token < end for token in marked):
            left *= 1 - (1 - SENTENCE) / len(text.sentences)
            left[start:end] = np.minimum(left[start:end], SENTENCE)
    left[sorted(marked)] = CONFLICTING
    return Words(tuple((side.linked * left).tolist()), tuple(side.weights.tolist()))


def shares(kept: Words, supported: Words) -> dict[str, float]:
    """The three scores without a reader, 0-100: both shares, and their weighted geometric mean."""
    recall, precision = kept.share(), supported.share()
    return {
        "meaning": 100 * recall**RECALL_SHARE * precision ** (1 - RECALL_SHARE),
        "meaning_recall": 100 * recall,
        "meaning_precision": 100 * precision,
    }


def signals(source: WordSide, output: WordSide, reading: PairReading, conflicts: int) -> Signals:
    """The signals of a pair that a reader has read."""
    return Signals(
        kept=_mean(reading.kept, source.weights),
        least_kept=_least(reading.kept, source.weights),
        linked_source=_mean(source.linked, source.weights),
        source_entailed=_log_odds(reading.source_entailed[0]),
        supported=_mean(reading.supported, output.weights),
        least_supported=_least(reading.supported, output.weights),
        linked_output=_mean(output.linked, output.weights),
        output_entailed=_log_odds(reading.output_entailed[0]),
        same=_log_odds(reading.same),
        agrees=_log_odds(1 - max(reading.output_entailed[2], reading.source_entailed[2])),
        source_judged=_log_odds(reading.source_judged[0]),
        output_judged=_log_odds(reading.output_judged[0]),
        similar=_log_odds(reading.similar),
        conflicts=float(min(conflicts, 3)),
    )


def _log_odds(chance: float) -> float:
    """The log-odds of a probability, of one too near to 0 or 1 those of the nearest that counts (about ±6.2)."""
    chance = min(max(chance, _EDGE), 1 - _EDGE)
    return log(chance / (1 - chance))


def _mean(chances: Sequence[float] | Numbers, weights: Numbers) -> float:
    """The log-odds of the weighted mean, which is 1 where nothing counts."""
    total = float(weights.sum())
    return _log_odds(float(np.asarray(chances) @ weights) / total if total else 1.0)


def _least(chances: Sequence[float], weights: Numbers) -> float:
    """The log-odds of the mean of the :data:`WORST` least probable content words, which is 1 where there is none."""
    chosen = np.sort(np.asarray(chances)[weights >= IS_CONTENT])[:WORST]
    return _log_odds(float(chosen.mean()) if chosen.size else 1.0)
