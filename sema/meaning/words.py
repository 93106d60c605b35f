"""The words of a pair: how much each counts, how surely it is linked, and which are missing, added or wrong."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sema.model.item import Item
from sema.model.reading import PairReading
from sema.model.text import Text, is_punctuation

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]
FUNCTION, CONTENT, FIGURE = 0.15, 1.0, 1.5
"""The weights of function words, of content words, and of words with a digit."""
CERTAIN = 0.95
"""The probability from which a link counts as certain: aligners never reach 1."""
WRONG = 0.5
"""The probability from which a word is wrong."""
LINKED = 0.5
"""The probability from which a link counts."""


@dataclass(frozen=True)
class Side:
    """One text's words (words,): the weight of each, the probabilities that it is linked, that it is kept (or
    supported), and that it is contradicted (or contradicting), and whether the other text has its sentence verbatim."""

    text: Text
    weights: Numbers
    linked: Numbers
    kept: Numbers
    wrong: Numbers
    verbatim: Flags

    @property
    def content(self) -> Flags:
        """Which words are content words."""
        return np.asarray(self.weights > FUNCTION)


def sides(
    item: Item, function_words: tuple[Collection[str], Collection[str]], reading: PairReading | None = None
) -> tuple[Side, Side]:
    """Both texts' words; without a reading, their links decide what is kept, and nothing is wrong.

    ``function_words`` are those of the source's language and of the output's.
    Words of a sentence that the other text has word for word are kept, whatever the reading says.
    """
    texts, links = (item.source, item.output), likelihoods(item)
    found = []
    for place, text in enumerate(texts):
        linked = np.ones(len(text.words)) if item.is_copy else np.clip(links[place] / CERTAIN, 0.0, 1.0)
        chances, wrong = linked, np.zeros(len(linked))
        if reading is not None:
            given = (reading.supported, reading.contradicting) if place else (reading.kept, reading.contradicted)
            chances, wrong = (np.asarray(one, np.float64) for one in given)
        whole = _verbatim(text, texts[1 - place])
        weights = np.array([_weight(word, function_words[place]) for word in text.words])
        found.append(Side(text, weights, linked, np.where(whole, 1.0, chances), np.where(whole, 0.0, wrong), whole))
    return found[0], found[1]


def likelihoods(item: Item) -> tuple[Numbers, Numbers]:
    """For every source token and every output token the probability of its likeliest link."""
    kept, supported = np.zeros(len(item.source.words)), np.zeros(len(item.output.words))
    for (start, end), grid in zip(item.output.sentences, item.link_weights, strict=False):
        if grid.weights.size:
            kept[grid.rows] = np.maximum(kept[grid.rows], grid.weights.max(1))
            supported[start:end] = grid.weights.max(0)
    return kept, supported


def _verbatim(text: Text, other: Text) -> Flags:
    """For each token whether its sentence stands in the other text word for word, case aside (tokens,)."""
    known = {" ".join(words).lower() for words in other.sentence_words}
    return np.array([" ".join(words).lower() in known for words in text.sentence_words for _ in words], np.bool_)


def _weight(word: str, function_words: Collection[str]) -> float:
    if is_punctuation(word):
        return 0.0
    if any(map(str.isdecimal, word)):
        return FIGURE
    return FUNCTION if word.lower() in function_words else CONTENT


def mean(chances: Numbers, weights: Numbers) -> float:
    """The weighted mean of chances; 1 if all weights are 0."""
    total = float(weights.sum())
    return float(chances @ weights) / total if total else 1.0
