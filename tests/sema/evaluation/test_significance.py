"""Intervals, tests and correlations, where items of one source count once; letters of systems that do not differ."""

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from sema.errors import InputError
from sema.evaluation.clusters import partition, same_sources
from sema.evaluation.comparison import compact_letters
from sema.evaluation.significance import (
    Correlation,
    Difference,
    Resampling,
    kendall,
    p_of_spearman,
    pearson,
    spearman,
    williams,
)
from sema.model.text import Text


def means(*values: float) -> list[tuple[float, float]]:
    return [(value, 1.0) for value in values]


def ratio(sums: Sequence[float]) -> float:
    return sums[0] / sums[1]


def compare(first: list[tuple[float, float]], second: list[tuple[float, float]]) -> Difference:
    return Resampling().compare(first, second, ratio)


def test_bootstrap_scores_every_sample_anew() -> None:
    # A ratio of sums: the mean of the items' ratios would be (1/1 + 0/9) / 2.
    estimate = Resampling(samples=200).bootstrap(((1, 1), (0, 9)), ratio)
    assert estimate.value == pytest.approx(0.1)
    assert (estimate.low, estimate.high) == (0, 1)


def test_the_same_seed_gives_the_same_interval() -> None:
    first, again, other = (Resampling(seed=seed).bootstrap(means(1, 5, 2, 8, 3, 9), ratio) for seed in (1, 1, 2))
    assert first == again != other
    assert math.isnan(Resampling().bootstrap(means(3), ratio).low), "one item"
    equal = Resampling().bootstrap(means(3, 3, 3), ratio)
    assert (equal.low, equal.high) == (3, 3)


def test_a_clear_difference_is_significant_and_one_by_chance_alone_is_not() -> None:
    clear = compare(means(*range(10, 40)), means(*range(30)))
    assert clear.value == pytest.approx(10)
    assert clear.p_bootstrap < 0.01 and clear.p_randomization < 0.01
    assert (clear.low, clear.high) == pytest.approx((10, 10))
    none = compare(means(*range(30)), means(*range(30)))
    assert (none.value, none.p_bootstrap, none.p_randomization) == (0, 1, 1)
    chance = compare(means(1, 9, 3, 7, 5, 5, 8, 2), means(8, 2, 4, 6, 6, 5, 3, 7))
    assert chance.p_bootstrap > 0.3 and chance.p_randomization > 0.3


def test_randomization_is_exact_for_few_items() -> None:
    # Of the 2^3 exchanges, two make a mean difference of 1 in size: all as they are and all exchanged.
    assert compare(means(1, 2, 3), means(0, 1, 2)).p_randomization == pytest.approx(2 / 8)


def test_randomization_counts_ties_as_equal_in_any_order_of_the_items() -> None:
    order = np.random.default_rng(3)
    for _ in range(6):
        values = 100 * order.random(8)
        other = values + order.permutation([1 / 3] * 7 + [-1 / 3])
        # Of the 2^8 exchanges, 18 make as large a difference: all signs equal, or all but one.
        assert compare(means(*other), means(*values)).p_randomization == pytest.approx(18 / 256)


floats = st.floats(-100, 100, allow_nan=False).map(lambda value: round(value, 3))


@given(st.lists(st.tuples(floats, floats), min_size=5, max_size=30))
def test_correlations_are_scipy_s_and_lie_in_their_intervals(pairs: list[tuple[float, float]]) -> None:
    left, right = (list(side) for side in zip(*pairs, strict=True))
    for ours, theirs in ((pearson, stats.pearsonr), (spearman, stats.spearmanr), (kendall, stats.kendalltau)):
        estimate = ours(left, right)
        if estimate.note:
            assert min(len(set(left)), len(set(right))) == 1
            continue
        expected = theirs(left, right)
        assert estimate.value == pytest.approx(expected.statistic, abs=1e-9)
        if ours is pearson and abs(estimate.value) < 1 - 1e-9:
            assert (estimate.low, estimate.high) == pytest.approx(tuple(expected.confidence_interval(0.95)), abs=1e-9)
        assert -1 - 1e-9 <= estimate.low <= estimate.value + 1e-9 and estimate.value - 1e-9 <= estimate.high <= 1 + 1e-9


LEFT, RIGHT = [1.0, 2, 3, 4, 5, 6, 7], [2.0, 1, 4, 3, 7, 5, 9]


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


def test_williams_has_nothing_to_test() -> None:
    for arguments in ((0.5, 0.5, 1.0, 50), (0.5, 0.4, 0.3, 3), (math.nan, 0.4, 0.3, 50)):
        assert math.isnan(williams(*arguments).p)


@pytest.mark.parametrize("correlation", [pearson, spearman, kendall])
def test_one_sided_p_is_half_in_the_observed_direction(correlation: Callable[..., Correlation]) -> None:
    for column in (RIGHT, [-value for value in RIGHT]):
        one_sided, two_sided = correlation(LEFT, column, sides="one-sided"), correlation(LEFT, column)
        assert one_sided.p == pytest.approx(two_sided.p / 2) and one_sided.value == two_sided.value


def test_p_of_a_rho_is_the_papers() -> None:
    # Sulem, Abend and Rappoport (2018), Table 4: six systems, one-tailed.
    for rho, p in ((0.83, 0.02), (-0.77, 0.04), (0.71, 0.06)):
        assert p_of_spearman(rho, 6) == pytest.approx(p, abs=0.005)
    one_sided = spearman(LEFT, RIGHT, sides="one-sided")
    assert p_of_spearman(one_sided.value, 7) == pytest.approx(one_sided.p)
    assert p_of_spearman(1.0, 6) == 0 and math.isnan(p_of_spearman(0.5, 2))


def test_groups_that_overlap_share_their_letters_in_the_order_of_the_names() -> None:
    differing = [("T1", "T4"), ("T1", "T5"), ("T2", "T5")]
    assert compact_letters(["T1", "T2", "T3", "T4", "T5"], differing) == {
        "T1": "a", "T2": "ab", "T3": "abc", "T4": "bc", "T5": "c",
    }  # fmt: skip
    assert compact_letters(["x", "y"], []) == {"x": "a", "y": "a"}
    assert compact_letters(["x"], []) == {"x": "a"}


@given(st.integers(1, 7).flatmap(lambda size: st.lists(st.booleans(), min_size=size * (size - 1) // 2, max_size=21)))
def test_two_systems_share_a_letter_if_and_only_if_they_do_not_differ(draws: list[bool]) -> None:
    size = max(size for size in range(1, 8) if size * (size - 1) // 2 <= len(draws))
    names = [f"s{number}" for number in range(size)]
    pairs = list(combinations(names, 2))
    differing = {pair for pair, differs in zip(pairs, draws, strict=False) if differs}
    letters = compact_letters(names, differing)
    assert all(letters.values()) and letters[names[0]][0] == "a"
    for pair in pairs:
        assert bool(set(letters[pair[0]]) & set(letters[pair[1]])) == (pair not in differing)


RANDOM = np.random.default_rng(7)
COUNT = 40
SCORES = RANDOM.normal(size=COUNT)
RATINGS = SCORES + RANDOM.normal(size=COUNT)
THRICE = np.repeat(np.arange(COUNT), 3)


def rows(values: np.ndarray, times: int = 1) -> np.ndarray:
    """Each value ``times`` in a row."""
    repeated = np.repeat(values, times)
    return np.stack([repeated, np.ones(len(repeated))], axis=1)


def test_the_partition_numbers_clusters_and_needs_a_label_for_each_item() -> None:
    numbered = partition(["b", "a", "b"], 3)
    assert numbered is not None and numbered.tolist() == [0, 1, 0]
    assert partition(["a", "b"], 2) is None and partition(None, 5) is None
    with pytest.raises(InputError, match="3 items but 2 labels"):
        partition(["a", "b"], 3)


def test_equal_texts_are_one_source_however_they_are_given() -> None:
    texts = ["A cat.  A dog.", ["A cat.", "A dog."], Text.from_sentences([["A", "bird", "."]])]
    labels = same_sources(texts)
    assert labels[0] == labels[1] != labels[2]


def test_intervals_and_tests_of_repeated_items_are_those_of_the_items() -> None:
    items, sources = Resampling(), Resampling(clusters=THRICE)
    once, naive = (items.bootstrap(rows(SCORES, times), ratio) for times in (1, 3))
    thrice = sources.bootstrap(rows(SCORES, 3), ratio)
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))
    assert naive.high - naive.low < 0.7 * (once.high - once.low)
    other = SCORES + 0.3 * np.random.default_rng(8).normal(size=COUNT) + 0.1
    single = items.compare(rows(SCORES), rows(other), ratio)
    comparison = sources.compare(rows(SCORES, 3), rows(other, 3), ratio)
    assert comparison.p_randomization == pytest.approx(single.p_randomization, abs=0.01)
    assert comparison.p_bootstrap == pytest.approx(single.p_bootstrap, abs=0.01)


@pytest.mark.parametrize("coefficient", [pearson, spearman, kendall])
def test_a_correlation_of_repeated_items_is_that_of_the_items(coefficient: Callable[..., Correlation]) -> None:
    once = coefficient(SCORES, RATINGS)
    correlation = coefficient(np.repeat(SCORES, 3), np.repeat(RATINGS, 3), clusters=THRICE)
    assert correlation.effective == pytest.approx(COUNT, rel=0.05) and correlation.n == 3 * COUNT
    assert (correlation.low, correlation.high) == pytest.approx((once.low, once.high), abs=0.08)
    assert correlation.p > coefficient(np.repeat(SCORES, 3), np.repeat(RATINGS, 3)).p
    assert coefficient(SCORES, RATINGS, clusters=np.arange(COUNT)) == once


@pytest.mark.parametrize("coefficient", [pearson, spearman, kendall])
def test_there_are_never_more_independent_pairs_than_pairs_and_too_few_have_no_p(coefficient) -> None:
    for count in (3, 4, 8):
        found = coefficient(np.arange(count), [2, 1, 4, 3, 6, 5, 8, 7][:count], clusters=np.arange(count) // 3)
        assert found.effective <= count and (found.effective >= coefficient.least or math.isnan(found.p))
    assert math.isfinite(found.value) and math.isnan(found.low) and "too few for a test" in found.note
