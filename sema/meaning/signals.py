"""What speaks for and against a pair, in numbers: from the reader, from links, from conflicts between facts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from sema.model.reading import PairReading
from sema.model.scale import Signals

Numbers = NDArray[np.float64]
WORST = 2
"""Words whose mean is a text's least: one could be a slip of the reader."""
_EDGE = 0.002
"""Probabilities nearer to 0 or 1 say no more."""


@dataclass(frozen=True)
class WordSide:
    """One text's words: what each counts, and how likely it is linked (words,)."""

    weights: Numbers
    linked: Numbers


def log_odds(chance: float) -> float:
    """The log-odds of a probability, of one too near to 0 or 1 those of the nearest that counts (about ±6.2)."""
    chance = min(max(chance, _EDGE), 1 - _EDGE)
    return log(chance / (1 - chance))


def mean(values: Sequence[float] | Numbers, weights: Numbers) -> float:
    """The weighted mean; 1 where nothing counts."""
    total = float(weights.sum())
    return float(np.asarray(values) @ weights) / total if total else 1.0


def least(values: Sequence[float] | Numbers, weights: Numbers) -> float:
    """The mean of the :data:`WORST` lowest of the words that count as content; 1 where there is none."""
    chosen = np.sort(np.asarray(values)[weights >= 0.5])[:WORST]
    return float(chosen.mean()) if chosen.size else 1.0


def signals(source: WordSide, output: WordSide, reading: PairReading | None, conflicts: int) -> Signals:
    """The signals of a pair; without a reading the links stand for it."""
    kept = source.linked if reading is None else np.asarray(reading.kept)
    supported = output.linked if reading is None else np.asarray(reading.supported)
    back, forth = mean(source.linked, source.weights), mean(output.linked, output.weights)
    if reading is None:
        back_judged, forth_judged, same, similar, agrees = back, forth, min(back, forth), min(back, forth), 1.0
    else:
        back, forth = reading.source_entailed[0], reading.output_entailed[0]
        back_judged, forth_judged = reading.source_judged[0], reading.output_judged[0]
        same, similar = reading.same, reading.similar
        agrees = 1 - max(reading.output_entailed[2], reading.source_entailed[2])
    return Signals(
        log_odds(mean(kept, source.weights)), log_odds(least(kept, source.weights)),
        log_odds(mean(source.linked, source.weights)), log_odds(back),
        log_odds(mean(supported, output.weights)), log_odds(least(supported, output.weights)),
        log_odds(mean(output.linked, output.weights)), log_odds(forth),
        log_odds(same), log_odds(agrees), log_odds(back_judged), log_odds(forth_judged), log_odds(similar),
        float(min(conflicts, 3)),
    )  # fmt: skip
