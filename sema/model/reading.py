"""What a learned reader makes of a source and an output that it reads together, and the scores of meaning from it.

A score is the product of two factors: how much is covered, and a logistic curve of what speaks for the pair. Either
factor can say no. Nothing that speaks for a text counts against it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, inf
from pathlib import Path
from typing import NamedTuple, Protocol, Self, runtime_checkable

from sema.model.text import Signed, Text

SCORES = ("meaning", "meaning_recall", "meaning_precision")
BANDS = (
    (90.0, "all that matters is kept"),
    (70.0, "details lost or added"),
    (50.0, "something that matters is lost or changed"),
    (0.0, "misleading or lost"),
)
"""The description of a score by its lowest value; fitted on ratings and graded texts."""


@dataclass(frozen=True, slots=True)
class PairReading:
    """One pair as the reader sees it; every number is a probability in [0, 1].

    Attributes:
        kept: for each word of the source, whether the output keeps what it says.
        supported: for each word of the output, whether the source supports it.
        output_entailed: whether the source entails the output, leaves it open, contradicts it; these add up to 1.
        source_entailed: whether the output entails the source, leaves it open, contradicts it.
        same: whether both mean the same.
        output_judged: ``output_entailed`` as people judge two sentences that are no versions of each other: a changed
            word may be another picture, not an error.
        source_judged: likewise for ``source_entailed``.
        similar: how similar people find both, from other topics to the same meaning.
    """

    kept: tuple[float, ...]
    supported: tuple[float, ...]
    output_entailed: tuple[float, float, float]
    source_entailed: tuple[float, float, float]
    same: float
    output_judged: tuple[float, float, float]
    source_judged: tuple[float, float, float]
    similar: float


class Signals(NamedTuple):
    """What is known of a pair: log-odds of probabilities, higher is better, and the number of conflicts.

    ``kept`` and ``supported`` are weighted means over words, ``least_*`` over the two that fare worst, ``linked_*`` the
    same from the aligner's links; ``output_entailed`` is that the source entails the output, ``source_entailed`` that
    the output entails the source, ``agrees`` that neither contradicts the other; ``*_judged`` is entailment as people
    judge it between sentences that are no versions of each other, ``similar`` how similar they find both.
    """

    kept: float
    least_kept: float
    linked_source: float
    source_entailed: float
    supported: float
    least_supported: float
    linked_output: float
    output_entailed: float
    same: float
    agrees: float
    source_judged: float
    output_judged: float
    similar: float
    conflicts: float


def band(score: float) -> str:
    """The description of a score of ``meaning``."""
    return next(words for least, words in BANDS if score >= least)


@dataclass(frozen=True)
class Curve:
    """How signals become one score.

    Attributes:
        bias: the intercept of the logistic curve.
        weights: what each signal counts on it (conflicts: subtracted); all are 0 or more.
        coverage: what each signal counts, as a probability, in the mean that is covered; none: all is covered.
        power: the power of that mean.
        ceiling: the most that the other signals say for a pair with a conflict, so that no certainty outvotes a fact.
    """

    bias: float
    weights: Mapping[str, float]
    coverage: Mapping[str, float] = field(default_factory=dict)
    power: float = 1.0
    ceiling: float = inf

    def share(self, signals: Signals) -> float:
        """The score of a pair's signals, in [0, 1]."""
        values = signals._asdict()
        total = self.bias + sum(w * values[signal] for signal, w in self.weights.items() if signal != "conflicts")
        if signals.conflicts:
            total = min(total, self.ceiling) - self.weights.get("conflicts", 0.0) * signals.conflicts
        covered, whole = 1.0, sum(self.coverage.values())
        if whole:
            covered = sum(weight * _logistic(values[signal]) for signal, weight in self.coverage.items()) / whole
        return float(covered**self.power) * _logistic(total)


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-value))


@dataclass(frozen=True)
class Scale:
    """A curve for each of :data:`SCORES`."""

    curves: Mapping[str, Curve]

    @classmethod
    def load(cls, file: Path) -> Self:
        """The scale of a JSON file: ``{"meaning": {"bias": ..., "weights": {"source_entailed": ...}, ...}, ...}``."""
        given = json.loads(file.read_text(encoding="utf-8"))
        return cls({name: Curve(**curve) for name, curve in given.items()})

    def scores(self, signals: Signals) -> dict[str, float]:
        """The scores of a pair that is no copy, 0-100."""
        return {name: 100 * self.curves[name].share(signals) for name in SCORES}


@runtime_checkable
class CrossEncoder(Signed, Protocol):
    """Reads two texts in one pass: the learned part of a language's meaning metrics."""

    @property
    def scale(self) -> Scale:
        """The curves from its readings to scores, fitted with it."""

    def read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        """The readings of sources and outputs; a pair's numbers do not depend on the others."""
