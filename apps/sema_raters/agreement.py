"""Agreement between raters: intraclass correlation, simulated raters, Krippendorff's alpha, pairs of raters.

Items rated by fewer than two raters are left out. Undefined values are NaN. All measures together are shown as tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isfinite
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats
from scipy.stats import rankdata

from sema.display.tables import Table, number, p_value
from sema.evaluation.significance import CONFIDENCE, NAN, SAMPLES, SEED, Estimate, Result, p_of_spearman
from sema_raters.ratings import Ratings

MIN_SHARED = 3
"""Pairs of raters with fewer items in common are left out: a correlation needs three."""

Scale = Literal["nominal", "ordinal", "interval"]
Array = NDArray[np.float64]


@dataclass(frozen=True)
class IntraclassCorrelation(Result):
    """The share of variance between items: of a single rating, and of the mean of ``raters`` ratings."""

    icc1: Estimate
    icc1k: Estimate
    items: int
    raters: float


@dataclass(frozen=True)
class SimulatedRaters(Result):
    """Mean and standard deviation, over random draws, of rho between one rating per item and the mean of the others."""

    rho: float
    deviation: float
    samples: int


@dataclass(frozen=True)
class PairAgreement(Result):
    """Agreement of pairs of raters on their common items, averaged over ``pairs`` pairs.

    Attributes:
        agreement: the share of common items with equal ratings, 0-1.
        kappa: Cohen's weighted kappa.
        rho: Spearman's rho, over the ``correlated`` pairs in which both raters vary.
        p: the one-sided p of that mean rho, for the median number of common items.
    """

    agreement: float
    kappa: float
    rho: float
    p: float
    pairs: int
    correlated: int


def intraclass_correlation(ratings: Ratings) -> IntraclassCorrelation:
    """ICC(1) and ICC(1, k) of Shrout and Fleiss (1979): one-way random effects, as raters may differ between items.

    With unequal numbers of ratings, ``k`` is the usual substitute, (N - sum n_i^2 / N) / (n - 1), and the
    interval is approximate. The same as pingouin's ICC1 and ICC1k on complete data.
    """
    values = ratings.repeated
    known = ~np.isnan(values)
    counts, items, total = known.sum(axis=1), len(values), int(known.sum())
    k, between, within = NAN, 0.0, 0.0
    if items > 1:
        k = float((total - (counts**2).sum() / total) / (items - 1))
        means = np.nanmean(values, axis=1)
        between = float((counts * (means - np.nanmean(values)) ** 2).sum()) / (items - 1)
        within = float(np.nansum((values - means[:, None]) ** 2)) / (total - items)
    if between == within == 0:
        return IntraclassCorrelation(Estimate(NAN, NAN, NAN), Estimate(NAN, NAN, NAN), items, k)
    ratio, tail = between / within if within else float("inf"), (1 + CONFIDENCE) / 2
    low = ratio / float(stats.f.ppf(tail, items - 1, total - items))
    high = ratio * float(stats.f.ppf(tail, total - items, items - 1))
    single = [(f - 1) / (f + k - 1) if np.isfinite(f) else 1.0 for f in (ratio, low, high)]
    average = [1 - 1 / f if f else NAN for f in (ratio, low, high)]  # items of one mean have no reliability
    return IntraclassCorrelation(Estimate(*single), Estimate(*average), items, k)


def simulated_raters(ratings: Ratings, *, samples: int = SAMPLES, seed: int = SEED) -> SimulatedRaters:
    """Spearman's rho of two simulated raters (Alva-Manchego, Scarton and Specia 2021, section 3).

    For every item one of its ratings is drawn for the first rater; the second's is the mean of the others.
    """
    values = ratings.repeated
    if len(values) < 3:
        return SimulatedRaters(NAN, NAN, samples)
    # Known ratings come first in every row, so that indexes below the row's count are ratings.
    order = np.argsort(np.isnan(values), axis=1, kind="stable")
    packed = np.nan_to_num(np.take_along_axis(values, order, axis=1))
    sums, counts, rows = packed.sum(axis=1), (~np.isnan(values)).sum(axis=1), np.arange(len(packed))
    generator = np.random.default_rng(seed)
    correlations = []
    for _ in range(samples):
        one = packed[rows, generator.integers(0, counts)]
        correlations.append(_spearman(one, np.round((sums - one) / (counts - 1), 12)))
    return SimulatedRaters(float(np.mean(correlations)), float(np.std(correlations)), samples)


def krippendorff_alpha(ratings: Ratings, scale: Scale = "interval") -> float:
    """Krippendorff's alpha; 1: full agreement, 0: as by chance.

    ``ordinal`` is ``interval`` on mid-ranks among all ratings, which is Krippendorff's own ordinal distance.
    """
    values = ratings.repeated
    if scale == "ordinal":
        values = rankdata(values, nan_policy="omit", axis=None).reshape(values.shape)
    rows = [row[~np.isnan(row)] for row in values]
    flat = np.concatenate([*rows, []])
    if len(set(flat)) < 2:
        return NAN

    def disagreement(values: Array) -> float:
        """The sum of the distances of all ordered pairs: squared, or 1 for different values."""
        if scale == "nominal":
            return float(len(values) ** 2 - (np.unique(values, return_counts=True)[1] ** 2).sum())
        return float(2 * len(values) * ((values - values.mean()) ** 2).sum())

    observed = sum(disagreement(row) / (row.size - 1) for row in rows)
    return float(1 - observed * (flat.size - 1) / disagreement(flat))


def weighted_kappa(first: Array, second: Array) -> float:
    """Cohen's kappa (1968) of two raters' ratings of the same items; disagreement weighs by their squared distance.

    Ratings are numbers, so that 1 and 3 are twice as far apart as 1 and 2, even if nobody uses 2. NaN if both raters
    are constant and equal.
    """
    left, left_counts = np.unique(first, return_counts=True)
    right, right_counts = np.unique(second, return_counts=True)
    chances = np.outer(left_counts, right_counts)
    expected = float((np.square(left[:, None] - right) * chances).sum()) / len(first)
    observed = float(np.square(first - second).sum())
    return 1 - observed / expected if expected else NAN


def pair_agreement(ratings: Ratings) -> PairAgreement:
    """Agreement of every pair of raters with at least :data:`MIN_SHARED` items in common, averaged over the pairs.

    As in Sulem, Abend and Rappoport (NAACL 2018), section 5.3.
    """
    equal, kappas, rhos, shared = [], [], [], []
    for pair in combinations(ratings.values.T, 2):
        both = ~np.isnan(pair).any(axis=0)
        if both.sum() < MIN_SHARED:
            continue
        left, right = (rated[both] for rated in pair)
        shared.append(int(both.sum()))
        equal.append(float((left == right).mean()))
        kappas.append(weighted_kappa(left, right))
        rhos.append(_spearman(left, right))
    correlated = int(np.isfinite(rhos).sum())
    finite = (list(filter(isfinite, values)) for values in (equal, kappas, rhos))
    share, kappa, rho = (float(np.mean(known)) if known else NAN for known in finite)
    p = p_of_spearman(rho, int(np.median(shared))) if correlated else NAN
    return PairAgreement(share, kappa, rho, p, len(shared), correlated)


def _spearman(first: Array, second: Array) -> float:
    """Spearman's rho without its costly p-value; NaN for constant values."""
    left, right = (ranks - ranks.mean() for ranks in (rankdata(first), rankdata(second)))
    size = float(np.sqrt((left @ left) * (right @ right)))
    return float(left @ right) / size if size else NAN


@dataclass(frozen=True)
class Agreement(Result):
    """The measures of agreement for one column of ratings (of one group of items, if ``group`` names it).

    ``mean`` is over the items' means over their raters.
    """

    simulated_raters: SimulatedRaters
    rating: str
    group: str
    items: int
    raters: int
    ratings: int
    mean: float
    icc: IntraclassCorrelation
    alpha: float
    scale: Scale
    pairs: PairAgreement


def agreement(
    ratings: Ratings, *, rating: str = "rating", group: str = "all", scale: Scale = "interval",
    samples: int = SAMPLES, seed: int = SEED,
) -> Agreement:  # fmt: skip
    """All measures for one column of ratings, which ``rating`` and ``group`` name in the result.

    ``scale`` is Krippendorff's, ``samples`` and ``seed`` are of the simulated raters.
    """
    return Agreement(
        simulated_raters(ratings, samples=samples, seed=seed),
        rating,
        group,
        len(ratings.items),
        len(ratings.raters),
        int(ratings.counts.sum()),
        float(ratings.means().mean()) if ratings.items else NAN,
        intraclass_correlation(ratings),
        krippendorff_alpha(ratings, scale),
        scale,
        pair_agreement(ratings),
    )


def means_table(agreements: Sequence[Agreement]) -> Table:
    """The mean rating of each group of items, a column for each column of ratings."""
    means = {(one.group, one.rating): number(one.mean, 3) for one in agreements}
    groups, columns = (list(dict.fromkeys(names)) for names in zip(*means, strict=True))
    rows = [[group, *(means.get((group, column), "-") for column in columns)] for group in groups]
    return Table("Mean ratings", ["items", *columns], rows, ["the mean of the items' means over their raters"])


def agreement_table(agreements: Sequence[Agreement]) -> Table:
    """A row for each column of ratings and group of items; intervals in brackets."""
    first = agreements[0]
    samples = first.simulated_raters.samples
    notes = [
        f"ICC: one rating, and the mean of an item's ratings, with intervals; alpha: Krippendorff's ({first.scale}).",
        f"simulated raters: one rating against the mean of the others, {samples} times (± deviation).",
        "equal, kappa (quadratic), rho: means over pairs of raters who share items (p one-sided).",
    ]
    rows = [list(_cells(one).values()) for one in agreements]
    return Table("Agreement between raters", list(_cells(first)), rows, notes)


def _cells(one: Agreement) -> dict[str, str]:
    return {
        "ratings": one.rating if one.group == "all" else f"{one.rating}, {one.group}",
        "items": str(one.items),
        "raters": str(one.raters),
        "ICC(1)": _interval(one.icc.icc1),
        "ICC(1,k)": _interval(one.icc.icc1k),
        "simulated raters, rho": f"{number(one.simulated_raters.rho, 3)} ± {number(one.simulated_raters.deviation, 3)}",
        "alpha": number(one.alpha, 3),
        "equal": number(one.pairs.agreement),
        "kappa": number(one.pairs.kappa),
        "pairs' rho (p)": f"{number(one.pairs.rho)} ({p_value(one.pairs.p)})",
    }


def _interval(value: Estimate) -> str:
    return f"{number(value.value, 3)} [{number(value.low)}, {number(value.high)}]"
