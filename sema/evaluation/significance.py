"""Intervals and significance: bootstrap, paired tests of systems, correlations, Williams' test of metrics.

SciPy resamples the items. Each item has a row of additive numbers, and a function turns a sum of rows into a score, so
corpus scores need not be means: each sample of items is summed and scored. Undefined values are NaN, with a note.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from scipy import stats

from sema.evaluation.clusters import Array, cluster_sums, effective_count

Rows: TypeAlias = "Sequence[Sequence[float]] | Array"
Column = Sequence[float]
Value = Callable[[tuple[float, ...]], float]
"""Turns a sum of rows into a score."""

NAN = float("nan")
SAMPLES = 1000
SEED = 12345
BLOCK = 4_000_000
"""How many numbers are drawn at a time, to bound memory."""
CONFIDENCE = 0.95


class Result:
    """A dataclass whose fields are its plain data."""

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON has them: NaN and infinities become ``None``, tuples lists; empty fields are left out."""
        return {name: _plain(value) for name, value in vars(self).items() if value not in (None, "")}


def _plain(value: Any) -> Any:
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, tuple):
        return list(map(_plain, value))
    if isinstance(value, Mapping):
        return {name: _plain(entry) for name, entry in value.items()}
    return value if not isinstance(value, float) or math.isfinite(value) else None


@dataclass(frozen=True)
class Estimate(Result):
    """A value with the bounds of its confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Difference(Estimate):
    """One system's corpus score minus another's, with two two-sided p-values (see :meth:`Resampling.compare`)."""

    p_bootstrap: float
    p_randomization: float


Sides = Literal["two-sided", "one-sided"]
"""What a p-value counts as extreme: either direction, or the one that was observed."""


@dataclass(frozen=True)
class Correlation(Estimate):
    """A correlation with its p-value and number of pairs; ``note`` says why one is NaN.

    ``effective`` is the effective number of independent pairs, if several belong to one cluster.
    """

    p: float
    n: int
    note: str = ""
    effective: float | None = None

    @property
    def independent(self) -> float:
        """The number of pairs that count in tests."""
        return self.n if self.effective is None else self.effective


@dataclass(frozen=True)
class WilliamsTest(Result):
    """Whether one metric correlates more with the ratings than another: t and its one-sided p (small: it does)."""

    t: float
    p: float


@dataclass(frozen=True)
class Resampling:
    """Intervals and tests by drawing items anew.

    Attributes:
        clusters: the number of each item's cluster (:func:`sema.evaluation.clusters.partition`): whole clusters are
            drawn and exchanged instead of items.
        samples, seed: how many samples are drawn, and from which stream.
        confidence: of the intervals.
    """

    clusters: Array | None = None
    samples: int = SAMPLES
    seed: int = SEED
    confidence: float = CONFIDENCE

    def bootstrap(self, rows: Rows, value: Value) -> Estimate:
        """A corpus score and its percentile bootstrap interval over items; NaN bounds for fewer than two.

        Args:
            rows: for each item numbers that add up over items, such as (sum, count).
            value: turns a sum of rows into the score.
        """
        score = _total(rows, value)
        rows = cluster_sums(rows, self.clusters)
        if len(rows) < 2:
            return Estimate(score, NAN, NAN)
        low, high = self._drawn(_statistic(rows, value), rows).confidence_interval
        return Estimate(score, float(low), float(high))

    def compare(self, first: Rows, second: Rows, value: Value) -> Difference:
        """Two systems' corpus scores on the same items, first minus second; arguments as for :meth:`bootstrap`.

        ``p_bootstrap``: paired bootstrap (Koehn 2004), the share of samples whose difference is at least as far from
        their mean as the observed one is from 0, as in sacreBLEU. ``p_randomization``: approximate randomization
        (Riezler and Maxwell 2005), the share of random exchanges of outputs between the systems that make as large a
        difference. Both include the observed difference, so neither is ever 0.

        Raises:
            ValueError: the systems have different numbers of items.
        """
        if len(first) != len(second):
            raise ValueError(f"{len(first)} items of the one system but {len(second)} of the other")
        gap = _total(first, value) - _total(second, value)
        first, second = cluster_sums(first, self.clusters), cluster_sums(second, self.clusters)
        count = len(first)
        if count < 2:
            return Difference(gap, NAN, NAN, NAN, NAN)
        of_first, of_second = _statistic(first, value), _statistic(second, value)
        difference = self._drawn(lambda sample: of_first(sample) - of_second(sample), first)
        spread = np.abs(difference.bootstrap_distribution - difference.bootstrap_distribution.mean())
        p_bootstrap = (int((spread >= abs(gap) - 1e-12).sum()) + 1) / (self.samples + 1)
        both = _statistic(np.concatenate([first, second]), value)
        test = stats.permutation_test(
            (np.arange(count), np.arange(count, 2 * count)),
            lambda left, right, axis: np.round(both(left) - both(right), 9),  # ties, whatever the sums' order
            permutation_type="samples",
            vectorized=True,
            n_resamples=self.samples,
            batch=_block(first),
            random_state=np.random.default_rng(self.seed),
        )
        low, high = difference.confidence_interval
        return Difference(gap, float(low), float(high), p_bootstrap, float(test.pvalue))

    def _drawn(self, statistic: Callable[[Any], Array], rows: Rows) -> Any:
        with warnings.catch_warnings():  # equal scores on every item give an interval that is a point
            warnings.simplefilter("ignore", stats.DegenerateDataWarning)
            return stats.bootstrap(
                (np.arange(len(rows)),),
                lambda sample, axis: statistic(sample),
                n_resamples=self.samples,
                batch=_block(rows),
                vectorized=True,
                confidence_level=self.confidence,
                method="percentile",
                random_state=np.random.default_rng(self.seed),
            )


def _total(rows: Rows, value: Value) -> float:
    """The score of all rows, their columns summed exactly; NaN for none."""
    columns = np.asarray(rows, dtype=float).T.tolist()
    return value(tuple(map(math.fsum, columns))) if len(rows) else NAN


def _statistic(rows: Rows, value: Value) -> Callable[[Array], Array]:
    """A function that scores samples of items; the last axis of its argument holds their indexes."""
    table = np.asarray(rows, dtype=float)

    def scores(samples: Array) -> Array:
        sums = table[samples].sum(axis=-2)
        values = [value(tuple(row)) for row in sums.reshape(-1, sums.shape[-1]).tolist()]
        return np.asarray(values).reshape(sums.shape[:-1])

    return scores


def _block(rows: Rows) -> int:
    """How many samples are drawn at a time; results do not depend on it, for all come from one stream."""
    return max(1, BLOCK // (len(rows) * (len(rows[0]) + 2)))


@dataclass(frozen=True)
class Coefficient:
    """A correlation coefficient with its p-value and interval.

    If pairs share clusters, their effective number counts (:func:`sema.evaluation.clusters.effective_count`), and p is
    that of Fisher's z; otherwise p is SciPy's.
    """

    compute: Callable[..., Any]
    """SciPy's function."""
    variance: Callable[[float, float], float]
    """The variance of Fisher's z for a value and a number of pairs."""
    least: int
    """The least number of pairs that has such a variance."""
    ranked: bool = True
    """Whether only the values' ranks count."""

    def __call__(
        self,
        first: Column,
        second: Column,
        confidence: float = CONFIDENCE,
        sides: Sides = "two-sided",
        clusters: Array | None = None,
    ) -> Correlation:
        """Correlate two columns; fewer than five pairs say nothing about the spread and have no interval."""
        if len(first) != len(second):
            raise ValueError(f"{len(first)} values on one side but {len(second)} on the other")
        known = [i for i, pair in enumerate(zip(first, second, strict=True)) if all(map(math.isfinite, pair))]
        n = len(known)
        if n < 3:
            return Correlation(NAN, NAN, NAN, NAN, n, f"{n} pairs are too few; a correlation needs three")
        left, right = ([side[place] for place in known] for side in (first, second))
        for side in (left, right):
            if max(side) == min(side):
                return Correlation(NAN, NAN, NAN, NAN, n, f"all {n} values of one side are {side[0]:g}")
        result = self.compute(left, right)
        if sides == "one-sided":
            result = self.compute(left, right, alternative="greater" if result.statistic > 0 else "less")
        value, p, count, effective = max(-1.0, min(1.0, float(result.statistic))), float(result.pvalue), float(n), None
        own = None if clusters is None else clusters[known]
        if own is not None and len(np.unique(own)) < n:
            columns = [np.asarray(stats.rankdata(side) if self.ranked else side, float) for side in (left, right)]
            count = effective = effective_count(columns[0], columns[1], own)
            if effective < self.least:
                note = f"{effective:.1f} independent pairs are too few for a test, which needs {self.least}"
                return Correlation(value, NAN, NAN, NAN, n, note, effective)
            z = 0.0 if abs(value) == 1 else math.atanh(value) / math.sqrt(self.variance(0.0, count))
            p = p if abs(value) == 1 else float(stats.norm.sf(abs(z))) * (1 if sides == "one-sided" else 2)
        low = high = value if n >= 5 and abs(value) == 1 else NAN
        if n >= 5 and abs(value) < 1:
            width = float(stats.norm.ppf((1 + confidence) / 2)) * math.sqrt(self.variance(value, count))
            low, high = (math.tanh(math.atanh(value) + end) for end in (-width, width))
        return Correlation(value, low, high, p, n, effective=effective)


pearson = Coefficient(stats.pearsonr, lambda value, n: 1 / (n - 3), 4, ranked=False)
"""Pearson's r, with the interval of Fisher's z (standard error 1/sqrt(n - 3))."""
spearman = Coefficient(stats.spearmanr, lambda value, n: (1 + value * value / 2) / (n - 3), 4)
"""Spearman's rho; interval by Fisher's z with the variance of Bonett and Wright (2000), (1 + rho^2/2)/(n - 3)."""
kendall = Coefficient(stats.kendalltau, lambda value, n: 0.437 / (n - 4), 5)
"""Kendall's tau-b; interval by Fisher's z with the variance of Fieller et al. (1957), 0.437/(n - 4)."""


def p_of_spearman(rho: float, n: int) -> float:
    """The one-sided p-value of a mean rho over ``n`` pairs, by Student's t; NaN for fewer than three pairs."""
    if n < 3 or not math.isfinite(rho):
        return NAN
    if abs(rho) >= 1:
        return 0.0
    return float(stats.t.sf(abs(rho) * math.sqrt((n - 2) / (1 - rho * rho)), n - 2))


def williams(first: float, second: float, between: float, n: float) -> WilliamsTest:
    """Williams' test (1959) that two metrics, rated on the same items, correlate equally with the ratings.

    Args:
        first, second: the metrics' correlations with the ratings, signs turned so that higher is better.
        between: the correlation of the metrics with each other, with the same signs.
        n: the number of (independent) items.

    The p is one-sided: small if ``first`` is really greater. NaN for fewer than four items or metrics that agree fully.
    """
    if n < 4 or not all(map(math.isfinite, (first, second, between))) or between >= 1:
        return WilliamsTest(NAN, NAN)
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    mean = (first + second) / 2
    spread = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + mean**2 * (1 - between) ** 3
    if spread <= 0:
        return WilliamsTest(NAN, NAN)
    value = (first - second) * math.sqrt((n - 1) * (1 + between) / spread)
    return WilliamsTest(value, float(stats.t.sf(value, n - 3)))
