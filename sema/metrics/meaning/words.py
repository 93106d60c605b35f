"""Words of both texts: how surely each is linked, how much it counts, and what facts say against or for a link."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sema.meaning.blocks import Peaks, link_blocks, with_cells
from sema.model.item import Item
from sema.model.meaning import WordFacts
from sema.model.text import is_punctuation

Numbers = NDArray[np.float64]

FUNCTION, FORCE, WORD, NAME, NUMBER = 0.15, 0.5, 1.0, 1.2, 1.3
"""What a word counts: of grammar; negation, modal or quantifier; of content; a name; a number or date."""
CERTAIN = 0.95
"""The probability from which a link is taken for sure: aligners never quite say 1."""
SAME_GROUP = 0.95
"""The least probability of a negation, modal, quantifier or number that the other text has too."""


WORTH_A_LOOK = 0.05
"""The probability of a link from which it matters what the words themselves say."""


@dataclass
class Side:
    """One text at work: its words with what is known of each; ``probabilities`` are what later steps change."""

    words: tuple[str, ...]
    punctuation: NDArray[np.bool_]
    weak: NDArray[np.bool_]
    names: NDArray[np.bool_]
    probabilities: Numbers
    partners: NDArray[np.int64]
    """The likeliest word of the other text, by index; -1 where there is none."""
    weights: Numbers

    @cached_property
    def lower(self) -> list[str]:
        """The words in lower case."""
        return [word.lower() for word in self.words]

    @cached_property
    def counts(self) -> Counter[str]:
        """How often it has each word, in lower case."""
        return Counter(self.lower)

    def said(self, tokens: Sequence[int]) -> str:
        """Some words as reasons quote them."""
        return repr(" ".join(self.words[token] for token in sorted(set(tokens))))

    def linked(self, token: int, least: float = 0.5) -> bool:
        """Whether a word is more likely than not to be kept or supported."""
        return bool(self.probabilities[token] >= least)


def both_sides(
    item: Item, facts: WordFacts, cells: Mapping[int, Mapping[int, float]] | None = None
) -> tuple[Side, Side]:
    """Source and output with the probabilities that links and facts about single words give.

    ``cells`` are links that somebody knows better, by output token and source token.
    """
    source, output = item.source, item.output
    here, there = Peaks(len(source.words)), Peaks(len(output.words))
    for block in link_blocks(item):
        if cells:
            block = with_cells(block, cells)
        links = block.links.astype(np.float64)
        for i, j in np.argwhere(links > WORTH_A_LOOK).tolist():
            links[i, j] *= facts.likeness(source.words[block.rows[i]], output.words[block.start + j])
        columns = np.arange(*block.columns.indices(len(output.words)))
        here.take(block.rows, columns, links)
        there.take(columns, block.rows, links.T)
    sides = (
        _side(source.words, source.sentences, here, facts),
        _side(output.words, output.sentences, there, facts),
    )
    _share_groups(*sides, facts)
    return sides


def _side(words: tuple[str, ...], sentences: Sequence[tuple[int, int]], peaks: Peaks, facts: WordFacts) -> Side:
    marks = np.array([is_punctuation(word) for word in words], np.bool_)
    weak = np.array([facts.is_weak(word) for word in words], np.bool_) | marks
    names = _names(words, sentences, facts) & ~weak
    weights = np.where(weak, FUNCTION, np.where(names, NAME, WORD))
    for index, word in enumerate(words):
        if facts.value(word) is not None:
            weights[index] = NUMBER
        elif facts.negates(word) or facts.force(word) is not None:
            weights[index] = FORCE
    weights[marks] = 0.0
    return Side(words, marks, weak, names, np.clip(peaks.values / CERTAIN, 0.0, 1.0), peaks.partners, weights)


def _names(words: Sequence[str], sentences: Sequence[tuple[int, int]], facts: WordFacts) -> NDArray[np.bool_]:
    """Which words are written as names: capitalised, in a text that also has small words.

    At a sentence's start a capital letter says nothing of a word that dictionaries have.
    """
    capital = np.array([word[:1].isupper() for word in words], np.bool_)
    if not any(word[:1].islower() and len(word) > 3 for word in words):
        return np.zeros(len(words), np.bool_)
    for start, _ in sentences:
        capital[start] &= facts.unlisted(words[start])
    return capital


def _share_groups(source: Side, output: Side, facts: WordFacts) -> None:
    """A number, negation, modal or quantifier that both texts have is kept even where the aligner leaves it alone."""

    def group(word: str) -> object:
        value = facts.value(word)
        if value is not None:
            return ("value", value)
        return "negation" if facts.negates(word) else facts.force(word)

    here, there = ([group(word) for word in side.words] for side in (source, output))
    for side, own, other in ((source, here, there), (output, there, here)):
        for index, name in enumerate(own):
            # as many of the other text as of this one: of two negations, one may be gone
            if name is not None and other.count(name) >= own.count(name):
                side.probabilities[index] = max(side.probabilities[index], SAME_GROUP)
