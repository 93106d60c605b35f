import math
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sema.evaluation.significance import (
    Correlation,
    Difference,
    bootstrap,
    compare_scores,
    kendall,
    p_of_spearman,
    pearson,
    spearman,
    williams,
)


def means(*values: float) -> list[tuple[float, float]]:
    return [(value, 1.0) for value in values]


def ratio(sums: Sequence[float]) -> float:
    return sums[0] / sums[1]


def compare(first: list[tuple[float, float]], second: list[tuple[float, float]]) -> Difference:
    return compare_scores(first, second, ratio)


def test_no_metric_module_is_loaded() -> None:
    code = "import sys, sema.evaluation.significance; print([name for name in sys.modules if 'sema.metrics' in name])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


def test_bootstrap_of_a_mean() -> None:
    values = [float(value) for value in range(40)]
    estimate = bootstrap(means(*values), ratio, samples=2000)
    assert estimate.value == pytest.approx(19.5)
    error = stats.sem(values)
    assert estimate.low == pytest.approx(19.5 - 1.96 * error, abs=0.5)
    assert estimate.high == pytest.approx(19.5 + 1.96 * error, abs=0.5)


def test_bootstrap_scores_every_sample_anew() -> None:
    # A ratio of sums: the mean of the items' ratios would be (1/1 + 0/9) / 2.
    estimate = bootstrap(((1, 1), (0, 9)), ratio, samples=200)
    assert estimate.value == pytest.approx(0.1)
    assert (estimate.low, estimate.high) == (0, 1)


def test_the_same_seed_gives_the_same_interval() -> None:
    scores = means(1, 5, 2, 8, 3, 9)
    assert bootstrap(scores, ratio, seed=1) == bootstrap(scores, ratio, seed=1)
    assert bootstrap(scores, ratio, seed=1) != bootstrap(scores, ratio, seed=2)


def test_one_item_has_no_interval_and_equal_items_a_point() -> None:
    assert math.isnan(bootstrap(means(3), ratio).low)
    assert (bootstrap(means(3, 3, 3), ratio).low, bootstrap(means(3, 3, 3), ratio).high) == (3, 3)


def test_a_clear_difference_is_significant() -> None:
    first, second = means(*range(10, 40)), means(*range(30))
    difference = compare(first, second)
    assert difference.value == pytest.approx(10)
    assert difference.p_bootstrap < 0.01 and difference.p_randomization < 0.01
    assert (difference.low, difference.high) == pytest.approx((10, 10))


def test_no_difference_is_none() -> None:
    same = means(*range(30))
    difference = compare(same, same)
    assert (difference.value, difference.p_bootstrap, difference.p_randomization) == (0, 1, 1)


def test_a_difference_by_chance_alone_is_not_significant() -> None:
    first, second = means(1, 9, 3, 7, 5, 5, 8, 2), means(8, 2, 4, 6, 6, 5, 3, 7)
    difference = compare(first, second)
    assert difference.p_bootstrap > 0.3 and difference.p_randomization > 0.3


def test_randomization_is_exact_for_few_items() -> None:
    # Of the 2^3 exchanges, two make a mean difference of 1 in size: all as they are and all exchanged.
    assert compare(means(1, 2, 3), means(0, 1, 2)).p_randomization == pytest.approx(2 / 8)


def test_systems_must_share_their_items() -> None:
    with pytest.raises(ValueError, match="2 items"):
        compare(means(1, 2), means(1, 2, 3))


floats = st.floats(-100, 100, allow_nan=False).map(lambda value: round(value, 3))


@given(st.lists(st.tuples(floats, floats), min_size=5, max_size=30))
def test_correlations_are_scipy_s_and_lie_in_their_intervals(pairs: list[tuple[float, float]]) -> None:
    left, right = (list(side) for side in zip(*pairs, strict=True))
    for ours, theirs in ((pearson, stats.pearsonr), (spearman, stats.spearmanr), (kendall, stats.kendalltau)):
        estimate = ours(left, right)
        if estimate.note:
            assert min(len(set(left)), len(set(right))) == 1
            continue
        assert estimate.value == pytest.approx(theirs(left, right).statistic, abs=1e-9)
        assert -1 - 1e-9 <= estimate.low <= estimate.value + 1e-9 and estimate.value - 1e-9 <= estimate.high <= 1 + 1e-9


def test_pearson_interval_is_scipy_s() -> None:
    left, right = [1.0, 2, 3, 4, 5, 6, 7], [2.0, 1, 4, 3, 7, 5, 9]
    theirs = stats.pearsonr(left, right).confidence_interval(0.95)
    assert (pearson(left, right).low, pearson(left, right).high) == pytest.approx((theirs.low, theirs.high))


def test_zero_variance_and_too_few_are_nan_with_a_note() -> None:
    for correlation in (pearson, spearman, kendall):
        flat = correlation([1, 2, 3, 4], [5, 5, 5, 5])
        assert math.isnan(flat.value) and "all 4 values" in flat.note
        few = correlation([1, 2], [3, 4])
        assert math.isnan(few.value) and "three" in few.note
    assert spearman([1, 2, math.nan, 4], [1, 2, 3, 4]).n == 3


def test_williams_test_equals_its_formula() -> None:
    # K = 1 - .36 - .16 - .25 + 2 .6 .4 .5 = .47; denominator 2 .47 (102/100) + .25 (.5)^3 = .95880 + .03125.
    test = williams(0.6, 0.4, 0.5, 103)
    assert test.t == pytest.approx(0.2 * math.sqrt(102 * 1.5 / (2 * 0.47 * 102 / 100 + 0.25 * 0.125)))
    assert test.p == pytest.approx(stats.t.sf(test.t, 100))


@given(st.floats(-0.9, 0.9), st.floats(-0.9, 0.9), st.floats(-0.9, 0.9), st.integers(4, 500))
def test_williams_is_antisymmetric(first: float, second: float, between: float, n: int) -> None:
    one, other = williams(first, second, between, n), williams(second, first, between, n)
    assert one.t == pytest.approx(-other.t) or math.isnan(one.t)
    assert one.p == pytest.approx(1 - other.p, abs=1e-9) or math.isnan(one.p)


def test_williams_has_nothing_to_test() -> None:
    for arguments in ((0.5, 0.5, 1.0, 50), (0.5, 0.4, 0.3, 3), (math.nan, 0.4, 0.3, 50)):
        assert math.isnan(williams(*arguments).p)


@pytest.mark.parametrize("correlation", [pearson, spearman, kendall])
def test_one_sided_p_is_half_in_the_observed_direction(correlation: Callable[..., Correlation]) -> None:
    left, right = [1.0, 2, 3, 4, 5, 6, 7], [2.0, 1, 4, 3, 7, 5, 9]
    for turn in (1, -1):
        column = [turn * value for value in right]
        one_sided = correlation(left, column, sides="one-sided")
        assert one_sided.p == pytest.approx(correlation(left, column).p / 2)
        assert one_sided.value == correlation(left, column).value


def test_p_of_a_rho_is_the_papers() -> None:
    # Sulem, Abend and Rappoport (2018), Table 4: six systems, one-tailed.
    for rho, p in ((0.83, 0.02), (-0.77, 0.04), (0.71, 0.06)):
        assert p_of_spearman(rho, 6) == pytest.approx(p, abs=0.005)
    left, right = [1.0, 2, 3, 4, 5, 6, 7], [2.0, 1, 4, 3, 7, 5, 9]
    one_sided = spearman(left, right, sides="one-sided")
    assert p_of_spearman(one_sided.value, 7) == pytest.approx(one_sided.p)
    assert p_of_spearman(1.0, 6) == 0 and math.isnan(p_of_spearman(0.5, 2))


def test_resampling_many_items_takes_little_memory() -> None:
    """The indexes of all samples at once took 240 MB."""
    rows = means(*map(float, range(10_000)))
    tracemalloc.start()
    try:
        bootstrap(rows, ratio)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 100e6
