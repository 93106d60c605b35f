"""Negative Levenshtein distances to the source and to the references (Narayan and Gardent 2016; Sulem et al. 2018, 6).

In words: the insertions, deletions and substitutions of tokens that turn one text into the other. ``ld_source`` tells
how little a system changes, ``ld_reference`` how near it comes to the nearest reference. At most 0; higher is nearer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sema.metrics.base import Need
from sema.metrics.token_metric import TokenizedItem, TokenMeanMetric


def negative_distance(output: Sequence[str], *others: Sequence[str]) -> float:
    """Minus the number of edits between ``output`` and the nearest of ``others``."""
    from rapidfuzz.distance import Levenshtein

    return -float(min(Levenshtein.distance(output, other) for other in others))


class LdSource(TokenMeanMetric):
    """How little was changed."""

    name = "ld_source"
    description = "minus the words edited between source and output"
    range = (-math.inf, 0.0)

    def score(self, item: TokenizedItem) -> float:
        """Minus the edits from the source."""
        return negative_distance(item.output, item.source)


class LdReference(TokenMeanMetric):
    """How near the output comes to the nearest reference."""

    name = "ld_reference"
    description = "minus the words edited between output and nearest reference"
    range = (-math.inf, 0.0)
    requires = frozenset({Need.REFERENCES})

    def score(self, item: TokenizedItem) -> float:
        """Minus the edits from the nearest reference."""
        return negative_distance(item.output, *item.references)
