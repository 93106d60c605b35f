"""Breaks of the output and its likeness to the source, by the language's reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sema.features.base import FeatureGroup
from sema.model.item import Item, Need
from sema.model.text import Text

if TYPE_CHECKING:
    from sema.model.language import Parts, WordingReader

WORST = 3
"""The number of likeliest breaks whose mean measures how broken a text is at worst."""
BROKEN = 0.5


class Reading(FeatureGroup, name="reading"):
    """Where the output reads as broken, and how alike its words' senses are to the source's.

    Features:
        breaks: mean likelihood of a word of the output to stand at a break
        worst: the same of the three likeliest words
        broken: share of the output's words that more likely than not stand at a break
        breaks_change: breaks: output less source
        worst_change: worst: output less source
        sense: cosine of the mean senses of both texts
        sense_recall: mean over the source's words of the cosine to the output's word most alike in sense
        sense_precision: the same over the output's words
        least_sense: mean of those cosines over the fifth of the output's words that are least alike
    """

    requires = frozenset({Need.STATES})

    used: WordingReader | None

    def uses(self, parts: Parts) -> WordingReader | None:
        return parts.wording

    def values(self, item: Item) -> Mapping[str, float]:
        """The features of one item; all 0 without an output, or if the language has no reader."""
        source, breaks = self._read(item.source, item.source_states)
        output, new = self._read(item.output, item.output_states)
        if not len(source) or not len(output):
            return dict.fromkeys(self.features, 0.0)
        alike = source @ output.T
        best = alike.max(0)
        means = source.mean(0), output.mean(0)
        whole = float(means[0] @ means[1] / max(1e-6, float(np.linalg.norm(means[0]) * np.linalg.norm(means[1]))))
        return {
            "breaks": float(new.mean()),
            "worst": worst(new),
            "broken": float((new > BROKEN).mean()),
            "breaks_change": float(new.mean() - breaks.mean()),
            "worst_change": worst(new) - worst(breaks),
            "sense": whole,
            "sense_recall": float(alike.max(1).mean()),
            "sense_precision": float(best.mean()),
            "least_sense": float(np.sort(best)[: max(1, len(best) // 5)].mean()),
        }

    def _read(self, text: Text, states: NDArray[np.float32] | None) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        if self.used is None or states is None or not states.size:
            return np.zeros((0, 0), np.float32), np.zeros(0, np.float32)
        return self.used.read(text, states)


def worst(breaks: NDArray[np.float32]) -> float:
    """The mean probability of a text's three likeliest breaks; 0 without words."""
    return float(np.sort(breaks)[-WORST:].mean()) if len(breaks) else 0.0
