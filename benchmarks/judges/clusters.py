"""Intervals of correlations and areas by a bootstrap of sources: outputs of one source are no independent items."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from sema.evaluation.significance import pearson

SAMPLES, SEED, CONFIDENCE = 1000, 12345, 0.95
Numbers = NDArray[np.float64]


def pearson_interval(
    first: Sequence[float], second: Sequence[float], sources: Sequence[Hashable], samples: int = SAMPLES
) -> tuple[float, float]:
    """The interval of Pearson's r when whole sources are drawn."""
    x, y = (np.asarray(values, np.float64) - np.mean(values) for values in (first, second))
    sums = _by_source(np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], 1), sources)

    def value(totals: Numbers) -> Numbers:
        n, sx, sy, xx, yy, xy = totals.T
        spread = (n * xx - sx * sx) * (n * yy - sy * sy)
        found: Numbers = (n * xy - sx * sy) / np.sqrt(np.where(spread > 0, spread, np.nan))
        return found

    counts = _draws(len(sums), samples)
    return _limits(value(counts @ sums))


def interval(
    statistic: Callable[[Sequence[int]], float], sources: Sequence[Hashable], samples: int = SAMPLES
) -> tuple[float, float]:
    """The interval of any statistic of items, which takes their indexes, when whole sources are drawn."""
    places: dict[Hashable, list[int]] = {}
    for place, source in enumerate(sources):
        places.setdefault(source, []).append(place)
    groups = list(places.values())
    drawn = np.random.default_rng(SEED).integers(len(groups), size=(samples, len(groups)))
    found = [statistic([place for group in row for place in groups[group]]) for row in drawn.tolist()]
    return _limits(np.asarray(found))


def area_interval(
    scores: Sequence[float], good: Sequence[bool], sources: Sequence[Hashable], samples: int = SAMPLES
) -> tuple[float, float]:
    """The interval of the chance that a good item scores above another, when whole sources are drawn."""
    values, right = np.asarray(scores, np.float64), np.asarray(good, bool)

    def area(places: Sequence[int]) -> float:
        ranks, kind = rankdata(values[places]), right[places]
        n = int(kind.sum())
        wrong = len(kind) - n
        return float((ranks[kind].sum() - n * (n + 1) / 2) / (n * wrong)) if n and wrong else float("nan")

    return interval(area, sources, samples)


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


def _by_source(rows: Numbers, sources: Sequence[Hashable]) -> Numbers:
    number = {source: place for place, source in enumerate(dict.fromkeys(sources))}
    sums = np.zeros((len(number), rows.shape[1]))
    np.add.at(sums, [number[source] for source in sources], rows)
    return sums


def _draws(sources: int, samples: int) -> Numbers:
    """How often each source is drawn in each sample."""
    found: Numbers = np.random.default_rng(SEED).multinomial(sources, [1 / sources] * sources, samples).astype(float)
    return found


def _limits(values: Numbers) -> tuple[float, float]:
    rest = 50 * (1 - CONFIDENCE)
    low, high = np.nanpercentile(values, [rest, 100 - rest])
    return float(low), float(high)
