"""Intervals of correlations by a bootstrap of sources: outputs of one source are not independent items."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from sema.evaluation.clusters import partition
from sema.evaluation.significance import CONFIDENCE, SAMPLES, SEED, pearson

Places = NDArray[np.intp]


def interval(
    statistic: Callable[[Places], float], sources: Sequence[Hashable], samples: int = SAMPLES
) -> tuple[float, float]:
    """The interval of any statistic of items, which takes their indexes, when whole sources are drawn."""
    clusters = partition(sources, len(sources))
    numbers = np.arange(len(sources)) if clusters is None else clusters
    groups = np.split(np.argsort(numbers, kind="stable"), np.cumsum(np.bincount(numbers))[:-1])
    drawn = np.random.default_rng(SEED).integers(len(groups), size=(samples, len(groups)))
    values = [statistic(np.concatenate([groups[group] for group in row])) for row in drawn]
    rest = 50 * (1 - CONFIDENCE)
    low, high = np.nanpercentile(values, [rest, 100 - rest])
    return float(low), float(high)


def pearson_interval(
    first: Sequence[float], second: Sequence[float], sources: Sequence[Hashable], samples: int = SAMPLES
) -> tuple[float, float]:
    """The interval of Pearson's r when whole sources are drawn."""
    both = np.array([first, second], np.float64)

    def value(places: Places) -> float:
        with np.errstate(divide="ignore", invalid="ignore"):  # a draw of equal values has no correlation
            return float(np.corrcoef(*both[:, places])[0, 1])

    return interval(value, sources, samples)


def person(ratings: Sequence[Sequence[float]], sources: Sequence[Hashable]) -> tuple[float, tuple[float, float], int]:
    """How well one rater predicts the mean of the others: Pearson's r over all ratings, its interval, and their number.

    Items with a single rating are left out.
    """
    one: list[float] = []
    others: list[float] = []
    whose: list[Hashable] = []
    for given, source in zip(ratings, sources, strict=True):
        for rating in given if len(given) > 1 else ():
            one.append(rating)
            others.append((sum(given) - rating) / (len(given) - 1))
            whose.append(source)
    return pearson(one, others).value, pearson_interval(one, others, whose), len(one)
