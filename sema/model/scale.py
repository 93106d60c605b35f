"""From signals to the three numbers, 0-100: one logistic curve each, in which nothing that speaks for a text counts
against it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import NamedTuple, Self

SCORES = ("meaning", "meaning_recall", "meaning_precision")
BANDS = (
    (90.0, "nothing lost"),
    (70.0, "details lost or added"),
    (50.0, "something that matters is lost or changed"),
    (0.0, "misleading or lost"),
)
"""What a score says in words, by its least value; fitted on ratings and graded texts."""


class Signals(NamedTuple):
    """What is known of a pair: log-odds of probabilities, higher is better, and the number of conflicts.

    ``kept`` and ``supported`` are weighted means over words, ``least_*`` over the two that fare worst, ``linked_*`` the
    same from the aligner's links; ``says`` and ``said`` are entailment by source and by output, ``agrees`` is that
    neither contradicts the other.
    """

    kept: float
    least_kept: float
    linked_source: float
    said: float
    supported: float
    least_supported: float
    linked_output: float
    says: float
    same: float
    agrees: float
    conflicts: float


def band(score: float) -> str:
    """What a score of ``meaning`` says in words."""
    return next(words for least, words in BANDS if score >= least)


@dataclass(frozen=True)
class Scale:
    """For each score an intercept and what each signal counts (conflicts: subtracted); all of these are 0 or more."""

    curves: Mapping[str, Mapping[str, float]]

    @classmethod
    def load(cls, file: Path) -> Self:
        """The scale of a JSON file: ``{"meaning": {"bias": ..., "same": ...}, ...}``."""
        return cls(json.loads(file.read_text(encoding="utf-8")))

    def scores(self, found: Signals) -> dict[str, float]:
        """The scores of a pair that is no copy, 0-100."""
        return {name: 100 * self._curve(name, found) for name in SCORES}

    def _curve(self, name: str, found: Signals) -> float:
        curve = self.curves[name]
        total = curve["bias"]
        for signal, value in found._asdict().items():
            total += curve.get(signal, 0.0) * (-value if signal == "conflicts" else value)
        return 1 / (1 + exp(-total))
