"""The data of tuning as arrays: candidates with their features and the metrics' rows.

Metrics' rows add up (:class:`sema.metrics.base.Metric`), so the corpus score of any choice of candidates is the value
of a sum over an array.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy import float64, int64
from numpy.typing import NDArray

from sema import InputError, Scorer, SemaError
from sema_rerank.mixes import Convert, Mix, score_texts
from sema_rerank.nbest import Candidate, NBest

Array = NDArray[float64]
WORST = -1e6
"""The value of a candidate that a metric could not score."""


@dataclass(frozen=True)
class Measured:
    """A candidate's value: the mix of its own scores, and each metric's row; or why it could not be scored."""

    value: float
    rows: tuple[tuple[float, ...], ...]
    error: str = ""


@dataclass(frozen=True, eq=False)
class Objective:
    """A mix of metrics as an objective over corpora.

    Attributes:
        scorer: scores with the mix's metrics.
        mix: the quantity to maximise; ``model`` cannot be a part.
        text: converts a string to the scorer's input.
    """

    scorer: Scorer
    mix: Mix
    text: Convert = str

    @property
    def signature(self) -> str:
        """The mix and the scorer's signature."""
        return f"objective:{self.mix.name}|{self.scorer.signature}"

    def measure(self, pairs: Sequence[tuple[NBest, str]]) -> list[Measured]:
        """The value of each text as a simplification of its list's source; an error if no text can be scored."""
        if not pairs:
            return []
        asked = [(nbest.source, text, nbest.references) for nbest, text in pairs]
        items = score_texts(self.scorer, self.text, asked)
        usable = [item for item in items if item.cause is None]
        if not usable:
            raise items[0].cause or SemaError("no candidate can be scored")
        metrics = self.scorer.metrics
        nothing = tuple((0.0,) * len(usable[0].rows[metric.name]) for metric in metrics)
        return [
            Measured(self.mix.value(item.scores, metrics), tuple(item.rows[metric.name] for metric in metrics))
            if item.cause is None
            else Measured(WORST, nothing, getattr(item.cause, "message", str(item.cause)))
            for item in items
        ]

    def of_rows(self, rows: Sequence[Sequence[Sequence[float]]]) -> float:
        """The corpus value of rows: for each metric, the rows of some items or their sum."""
        metrics = self.scorer.metrics
        scores = {metric.name: metric.corpus(map(tuple, own)) for metric, own in zip(metrics, rows, strict=True)}
        return self.mix.value(scores, metrics)

    def of(self, measured: Sequence[Measured]) -> float:
        """The corpus value of one candidate for each source."""
        good = [scored.rows for scored in measured if scored.value > WORST]
        return self.of_rows(list(zip(*good, strict=True))) if good else -math.inf


class Pool:
    """The candidates of a corpus, gathered over rounds; each text is measured once.

    Args:
        lists: sources with their references; their candidates are the first of the pool.
        objective: measures candidates.
    """

    def __init__(self, lists: Sequence[NBest], objective: Objective) -> None:
        self.lists = lists
        self.objective = objective
        self.names: tuple[str, ...] = ()
        self._known: list[dict[str, tuple[Mapping[str, float], Measured]]] = [{} for _ in lists]

    def add(self, candidates: Sequence[Sequence[Candidate]]) -> list[Measured]:
        """Add candidates for each source; returns the value of the first of each.

        Raises:
            InputError: none of a source's candidates can be scored; ``item`` is its number.
        """
        new: dict[tuple[int, str], Mapping[str, float]] = {}
        for place, offered in enumerate(candidates):
            for candidate in offered:
                if candidate.text not in self._known[place]:
                    new.setdefault((place, candidate.text), candidate.features)
        measured = self.objective.measure([(self.lists[place], text) for place, text in new])
        for ((place, text), features), worth in zip(new.items(), measured, strict=True):
            self._known[place][text] = features, worth
        for place, own in enumerate(self._known):
            errors = [worth.error for _, worth in own.values()]
            if errors and all(errors):
                raise InputError(errors[0], item=place)
        self.names = tuple(sorted(set(self.names).union(*new.values())))
        return [self._known[place][offered[0].text][1] for place, offered in enumerate(candidates)]

    def __len__(self) -> int:
        return sum(map(len, self._known))

    def arrays(self, places: Sequence[int]) -> Arrays:
        """The candidates of some sources as arrays."""
        known = [list(self._known[place].values()) for place in places]
        width = max(map(len, known))
        features = np.zeros((len(known), width, len(self.names)))
        values = np.full((len(known), width), -np.inf)
        rows = [np.zeros((len(known), width, len(row))) for row in known[0][0][1].rows]
        for line, own in enumerate(known):
            for place, (given, worth) in enumerate(own):
                features[line, place] = [given.get(name, 0.0) for name in self.names]
                values[line, place] = worth.value
                for array, row in zip(rows, worth.rows, strict=True):
                    array[line, place] = row
        return Arrays(self.names, features, values, rows, self.objective)


@dataclass(frozen=True)
class Arrays:
    """Candidates of several sources side by side; empty places have the value minus infinity.

    Attributes:
        names: the features.
        features: (sources, candidates, features).
        values: (sources, candidates), the mix of each candidate's own scores.
        rows: for each metric (sources, candidates, numbers).
        objective: turns sums of rows into corpus values.
    """

    names: tuple[str, ...]
    features: Array
    values: Array
    rows: Sequence[Array]
    objective: Objective

    @property
    def spread(self) -> Array:
        """The standard deviation of each feature over all candidates; 1 for one that is always the same."""
        deviations = self.features[np.isfinite(self.values)].std(axis=0)
        return np.where(deviations > 1e-9, deviations, 1.0)

    def chosen(self, weights: Array) -> NDArray[int64]:
        """The candidate of each source that the weights find best."""
        scores = np.where(np.isfinite(self.values), self.features @ weights, -np.inf)
        return np.asarray(scores.argmax(axis=1))

    def corpus(self, chosen: NDArray[int64]) -> float:
        """The objective of a choice."""
        lines = np.arange(len(chosen))
        return self.objective.of_rows([[array[lines, chosen].sum(axis=0).tolist()] for array in self.rows])

    @property
    def oracle(self) -> float:
        """The objective if each source's best candidate were chosen."""
        return self.corpus(self.values.argmax(axis=1))
