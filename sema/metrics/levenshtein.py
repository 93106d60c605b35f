"""Negative Levenshtein distances to the source and to the references (Narayan and Gardent 2016; Sulem et al. 2018, 6).

In words: the insertions, deletions and substitutions of tokens that turn one text into the other. ``ld_source`` tells
how little a system changes, ``ld_reference`` how near it comes to the nearest reference. At most 0; higher is nearer.
"""

from __future__ import annotations

from collections.abc import Sequence

from sema.metrics.base import Registration
from sema.metrics.function_metric import by_tokens, register


def negative_distance(output: Sequence[str], *others: Sequence[str]) -> float:
    """Minus the number of edits between ``output`` and the nearest of ``others``."""
    from rapidfuzz.distance import Levenshtein

    return -float(min(Levenshtein.distance(output, other) for other in others))


def registrations() -> dict[str, Registration]:
    """Both distances for the registry."""
    return {
        **register(
            "ld_source",
            "minus the words edited between source and output",
            by_tokens(lambda item: negative_distance(item.output, item.source)),
        ),
        **register(
            "ld_reference",
            "minus the words edited between output and nearest reference",
            by_tokens(lambda item: negative_distance(item.output, *item.references)),
            needs_references=True,
        ),
    }
