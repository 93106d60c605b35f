"""Intervals and significance: bootstrap, paired tests of systems, correlations, Williams' test of metrics.

SciPy resamples the items. Each item has a row of additive numbers, and a function turns a sum of rows into a score, so
corpus scores need not be means: each sample of items is summed and scored. Undefined values are NaN, with a note.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    import numpy as np

Rows: TypeAlias = "Sequence[Sequence[float]] | np.ndarray[Any, Any]"
Value = Callable[[tuple[float, ...]], float]
"""Turns a sum of rows into a score."""

NAN = float("nan")
SAMPLES = 1000
SEED = 12345
BLOCK = 4_000_000
"""How many numbers are drawn at a time, to bound memory."""
CONFIDENCE = 0.95


def plain(value: Any) -> Any:
    """A value as JSON has it: NaN and infinities become ``None``, tuples lists, results their dicts."""
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, tuple):
        return list(map(plain, value))
    return value if not isinstance(value, float) or math.isfinite(value) else None


class Result:
    """A dataclass whose fields are its plain data."""

    def to_dict(self) -> dict[str, Any]:
        """The fields by name; NaN becomes ``None``."""
        return {name: plain(value) for name, value in vars(self).items()}


@dataclass(frozen=True)
class Estimate(Result):
    """A value with the bounds of its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference(Result):
    """One system's corpus score minus another's: its interval and two two-sided p-values (see the functions)."""

    value: float
    low: float
    high: float
    p_bootstrap: float
    p_randomization: float


Sides = Literal["two-sided", "one-sided"]
"""What a p-value counts as extreme: either direction, or the one that was observed."""


@dataclass(frozen=True)
class Correlation(Result):
    """A correlation with its interval, p-value and number of pairs; ``note`` says why it is NaN."""

    value: float
    low: float
    high: float
    p: float
    n: int
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The fields by name, without an empty note; NaN becomes ``None``."""
        return {name: value for name, value in super().to_dict().items() if name != "note" or value}


@dataclass(frozen=True)
class WilliamsTest(Result):
    """Whether one metric correlates more with the ratings than another: t and its one-sided p (small: it does)."""

    t: float
    p: float


def bootstrap(
    rows: Rows, value: Value, *, samples: int = SAMPLES, seed: int = SEED, confidence: float = CONFIDENCE
) -> Estimate:
    """A corpus score and its percentile bootstrap interval over items; NaN bounds for fewer than two items.

    Args:
        rows: for each item numbers that add up over items, such as (sum, count).
        value: turns a sum of rows into the score.
    """
    if len(rows) < 2:
        return Estimate(_total(rows, value), NAN, NAN)
    found = _resample(_statistic(rows, value), rows, samples, seed, confidence)
    return Estimate(_total(rows, value), float(found.confidence_interval.low), float(found.confidence_interval.high))


def compare_scores(
    first: Rows, second: Rows, value: Value, *, samples: int = SAMPLES, seed: int = SEED, confidence: float = CONFIDENCE
) -> Difference:
    """Two systems' corpus scores on the same items, first minus second.

    ``p_bootstrap``: paired bootstrap (Koehn 2004), the share of samples whose difference strays from the mean of all
    samples' by as much as the systems differ, as in sacreBLEU. ``p_randomization``: approximate randomization (Riezler
    and Maxwell 2005), the share of random exchanges of outputs between the systems that make as large a difference.
    Both count the observed one in, so neither is ever 0.

    Args:
        first, second: for each item numbers that add up over items.
        value: turns a sum of rows into the score.

    Raises:
        ValueError: the systems have different numbers of items.
    """
    import numpy as np
    from scipy import stats

    count = len(first)
    if count != len(second):
        raise ValueError(f"{count} items of the one system but {len(second)} of the other")
    gap = _total(first, value) - _total(second, value)
    if count < 2:
        return Difference(gap, NAN, NAN, NAN, NAN)
    of_first, of_second = _statistic(first, value), _statistic(second, value)
    found = _resample(lambda sample: of_first(sample) - of_second(sample), first, samples, seed, confidence)
    spread = np.abs(found.bootstrap_distribution - found.bootstrap_distribution.mean())
    p_bootstrap = (int((spread >= abs(gap) - 1e-12).sum()) + 1) / (samples + 1)
    both = _statistic(np.concatenate([first, second]), value)
    test = stats.permutation_test(
        (np.arange(count), np.arange(count, 2 * count)),
        lambda left, right, axis: both(left) - both(right),
        permutation_type="samples",
        vectorized=True,
        n_resamples=samples,
        batch=_block(first),
        random_state=np.random.default_rng(seed),
    )
    return Difference(
        gap,
        float(found.confidence_interval.low),
        float(found.confidence_interval.high),
        p_bootstrap,
        float(test.pvalue),
    )


def _total(rows: Rows, value: Value) -> float:
    """The score of all rows, their columns summed exactly; NaN for none."""
    import numpy as np

    columns = np.asarray(rows, dtype=float).T.tolist()
    return value(tuple(map(math.fsum, columns))) if len(rows) else NAN


def _statistic(rows: Rows, value: Value) -> Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]:
    """A function that scores samples of items; the last axis of its argument holds their indexes."""
    import numpy as np

    table = np.asarray(rows, dtype=float)

    def scores(samples: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        sums = table[samples].sum(axis=-2)
        found = [value(tuple(row)) for row in sums.reshape(-1, sums.shape[-1]).tolist()]
        return np.asarray(found).reshape(sums.shape[:-1])

    return scores


def _block(rows: Rows) -> int:
    """How many samples are drawn at a time; results do not depend on it, for all come from one stream."""
    return max(1, BLOCK // (len(rows) * (len(rows[0]) + 2)))


def _resample(
    statistic: Callable[[Any], np.ndarray[Any, Any]], rows: Rows, samples: int, seed: int, confidence: float
) -> Any:
    import warnings

    import numpy as np
    from scipy import stats

    with warnings.catch_warnings():  # equal scores on every item give an interval that is a point
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        return stats.bootstrap(
            (np.arange(len(rows)),),
            lambda sample, axis: statistic(sample),
            n_resamples=samples,
            batch=_block(rows),
            vectorized=True,
            confidence_level=confidence,
            method="percentile",
            random_state=np.random.default_rng(seed),
        )


def pearson(
    first: Sequence[float], second: Sequence[float], confidence: float = CONFIDENCE, sides: Sides = "two-sided"
) -> Correlation:
    """Pearson's r, with SciPy's p and the interval of Fisher's z (standard error 1/sqrt(n - 3))."""
    from scipy.stats import pearsonr

    return _correlate(first, second, pearsonr, lambda value, n: 1 / (n - 3), confidence, sides)


def spearman(
    first: Sequence[float], second: Sequence[float], confidence: float = CONFIDENCE, sides: Sides = "two-sided"
) -> Correlation:
    """Spearman's rho; interval by Fisher's z with the variance of Bonett and Wright (2000), (1 + rho^2/2)/(n - 3)."""
    from scipy.stats import spearmanr

    return _correlate(first, second, spearmanr, lambda value, n: (1 + value * value / 2) / (n - 3), confidence, sides)


def kendall(
    first: Sequence[float], second: Sequence[float], confidence: float = CONFIDENCE, sides: Sides = "two-sided"
) -> Correlation:
    """Kendall's tau-b; interval by Fisher's z with the variance of Fieller et al. (1957), 0.437/(n - 4)."""
    from scipy.stats import kendalltau

    return _correlate(first, second, kendalltau, lambda value, n: 0.437 / (n - 4), confidence, sides)


def _correlate(
    first: Sequence[float],
    second: Sequence[float],
    coefficient: Callable[..., Any],
    variance: Callable[[float, int], float],
    confidence: float,
    sides: Sides,
) -> Correlation:
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values on one side but {len(second)} on the other")
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if math.isfinite(a) and math.isfinite(b)]
    n = len(pairs)
    if n < 3:
        return Correlation(NAN, NAN, NAN, NAN, n, f"{n} pairs are too few; a correlation needs three")
    left, right = zip(*pairs, strict=True)
    for side in (left, right):
        if max(side) == min(side):
            return Correlation(NAN, NAN, NAN, NAN, n, f"all {n} values of one side are {side[0]:g}")
    found = coefficient(left, right)
    if sides == "one-sided":
        found = coefficient(left, right, alternative="greater" if found.statistic > 0 else "less")
    value = max(-1.0, min(1.0, float(found.statistic)))
    low, high = _fisher_interval(value, n, variance, confidence)
    return Correlation(value, low, high, float(found.pvalue), n)


def _fisher_interval(
    value: float, n: int, variance: Callable[[float, int], float], confidence: float
) -> tuple[float, float]:
    """The interval of Fisher's z; NaN for fewer than five pairs, which tell nothing about the spread."""
    from scipy.stats import norm

    if n < 5:
        return NAN, NAN
    if abs(value) >= 1:
        return value, value
    width = float(norm.ppf((1 + confidence) / 2)) * math.sqrt(variance(value, n))
    return math.tanh(math.atanh(value) - width), math.tanh(math.atanh(value) + width)


def p_of_spearman(rho: float, n: int, sides: Sides = "two-sided") -> float:
    """The p-value of a rho over ``n`` pairs by Student's t, as for a mean of several rhos without data of its own.

    NaN for fewer than three pairs.
    """
    from scipy.stats import t as student

    if n < 3 or not math.isfinite(rho):
        return NAN
    if abs(rho) >= 1:
        return 0.0
    tail = float(student.sf(abs(rho) * math.sqrt((n - 2) / (1 - rho * rho)), n - 2))
    return tail if sides == "one-sided" else 2 * tail


def williams(first: float, second: float, between: float, n: int) -> WilliamsTest:
    """Williams' test (1959) that two metrics, rated on the same items, correlate equally with the ratings.

    Args:
        first, second: the metrics' correlations with the ratings, signs turned so that higher is better.
        between: the correlation of the metrics with each other, with the same signs.
        n: the number of items.

    The p is one-sided: small if ``first`` is really greater. NaN for fewer than four items or metrics that agree fully.
    """
    from scipy.stats import t as student

    if n < 4 or not all(map(math.isfinite, (first, second, between))) or between >= 1:
        return WilliamsTest(NAN, NAN)
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    spread = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + mean**2 * (1 - between) ** 3
    if spread <= 0:
        return WilliamsTest(NAN, NAN)
    value = (first - second) * math.sqrt((n - 1) * (1 + between) / spread)
    return WilliamsTest(value, float(student.sf(value, n - 3)))
