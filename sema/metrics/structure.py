"""What a system did to the text, without judging it: splitting, compression, copying, edited words.

Percentages, but for the negative Levenshtein distances to the source and to the references (Narayan and Gardent 2016;
Sulem et al. 2018, section 6). In words: the insertions, deletions and substitutions of tokens that turn one text into
the other. ``ld_source`` tells how little a system changes, ``ld_reference`` how near it comes to the nearest reference.
At most 0; higher is nearer.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from sema.metrics.base import Item, MeanMetric, Need
from sema.metrics.token_metric import TokenizedItem, TokenMeanMetric
from sema.model.text import canonical


def is_split(item: Item) -> bool:
    """Whether the output has more sentences than its source, by the language's own segmenter."""
    return len(item.output.sentences) > len(item.source.sentences)


def compression(source: str, output: str) -> float:
    """The output's length in percent of the source's, in characters without the white space around them (as EASSE)."""
    return 100 * len(output.strip()) / len(source.strip())


def copied(source: Sequence[str], output: Sequence[str]) -> float:
    """The percentage of the output's tokens that the source has, by occurrence; 0 for an empty output."""
    if not output:
        return 0.0
    return 100 * (Counter(output) & Counter(source)).total() / len(output)


class Splits(MeanMetric):
    """Whether the output has more sentences than its source."""

    name = "splits"
    description = "share of the outputs with more sentences than their source (100 or 0 for one item)"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """100 for a split, else 0."""
        return [100.0 * is_split(item) for item in items]


class Compression(MeanMetric):
    """The output's length relative to its source's."""

    name = "compression"
    description = "length of the output in percent of the source's characters"
    higher_is_better = False
    range = (0.0, math.inf)

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The percentage of each item."""
        return [compression(canonical(item.source.raw), canonical(item.output.raw)) for item in items]


class Copied(TokenMeanMetric):
    """The percentage of the output's words that the source has."""

    name = "copied"
    description = "percentage of the output's words that the source has"
    higher_is_better = False

    def score(self, item: TokenizedItem) -> float:
        """The percentage of one item."""
        return copied(item.source, item.output)


class ExactCopies(TokenMeanMetric):
    """Whether the output is its source, word for word."""

    name = "exact_copies"
    description = "share of the outputs that repeat their source word for word (100 or 0 for one item)"
    higher_is_better = False

    def score(self, item: TokenizedItem) -> float:
        """100 for a copy, else 0."""
        return 100.0 * (item.source == item.output)


def negative_distance(output: Sequence[str], *others: Sequence[str]) -> float:
    """Minus the number of edits between ``output`` and the nearest of ``others``."""
    from rapidfuzz.distance import Levenshtein

    return -float(min(Levenshtein.distance(output, other) for other in others))


class LdSource(TokenMeanMetric):
    """Minus the words edited between source and output."""

    name = "ld_source"
    description = "minus the words edited between source and output"
    range = (-math.inf, 0.0)

    def score(self, item: TokenizedItem) -> float:
        """Minus the edits from the source."""
        return negative_distance(item.output, item.source)


class LdReference(TokenMeanMetric):
    """Minus the words edited between output and nearest reference."""

    name = "ld_reference"
    description = "minus the words edited between output and nearest reference"
    range = (-math.inf, 0.0)
    requires = frozenset({Need.REFERENCES})

    def score(self, item: TokenizedItem) -> float:
        """Minus the edits from the nearest reference."""
        return negative_distance(item.output, *item.references)
