"""Items of one source count once: in intervals, tests and correlations."""

from collections.abc import Callable

import numpy as np
import pytest

from sema.errors import InputError
from sema.evaluation.clusters import same_sources
from sema.evaluation.metaevaluation import metaevaluate
from sema.evaluation.significance import Correlation, bootstrap, compare_scores, kendall, pearson, spearman
from sema.model.text import Text

RANDOM = np.random.default_rng(7)
COUNT = 40
SCORES = RANDOM.normal(size=COUNT)
RATINGS = SCORES + RANDOM.normal(size=COUNT)
THRICE = np.repeat(np.arange(COUNT), 3)


def ratio(row: tuple[float, ...]) -> float:
    return row[0] / row[1]


def rows(values: np.ndarray, times: int = 1) -> np.ndarray:
    """Each value ``times`` in a row."""
    repeated = np.repeat(values, times)
    return np.stack([repeated, np.ones(len(repeated))], axis=1)


def test_every_item_needs_a_label() -> None:
    with pytest.raises(InputError, match="3 items but 2 labels"):
        pearson([1, 2, 3], [1, 3, 2], clusters=["a", "b"])


def test_equal_texts_are_one_source_however_they_are_given() -> None:
    texts = ["A cat.  A dog.", ["A cat.", "A dog."], Text.from_sentences([["A", "bird", "."]])]
    labels = same_sources(texts)
    assert labels[0] == labels[1] != labels[2]


def test_intervals_and_tests_of_repeated_items_are_those_of_the_items() -> None:
    once, thrice = bootstrap(rows(SCORES), ratio), bootstrap(rows(SCORES, 3), ratio, clusters=THRICE)
    naive = bootstrap(rows(SCORES, 3), ratio)
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))
    assert naive.high - naive.low < 0.7 * (once.high - once.low)
    other = SCORES + 0.3 * np.random.default_rng(8).normal(size=COUNT) + 0.1
    single = compare_scores(rows(SCORES), rows(other), ratio)
    comparison = compare_scores(rows(SCORES, 3), rows(other, 3), ratio, clusters=THRICE)
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


def test_clustered_intervals_hold_the_truth_as_often_as_they_say() -> None:
    hits = {True: 0, False: 0}
    clusters = np.repeat(np.arange(30), 4)
    for _ in range(300):
        shared = RANDOM.normal(size=(30, 2)).repeat(4, axis=0)
        first, second = (shared + 0.5 * RANDOM.normal(size=(120, 2))).T
        for clustered in hits:
            interval = pearson(first, second, clusters=clusters if clustered else None)
            hits[clustered] += interval.low <= 0 <= interval.high
    assert hits[True] >= 0.89 * 300 and hits[False] < 0.8 * 300


def test_metaevaluation_counts_sources() -> None:
    ratings, scores = np.repeat(RATINGS, 3).tolist(), np.repeat(SCORES, 3).tolist()
    split = metaevaluate(ratings, {"m": scores}, clusters=THRICE.tolist()).splits[2]
    assert (split.n, split.clusters) == (3 * COUNT, COUNT)
    assert split.to_dict()["clusters"] == COUNT
    assert metaevaluate(ratings, {"m": scores}).splits[2].clusters is None
