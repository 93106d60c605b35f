"""Intervals by sources, and how well one rater predicts the others."""

import random

import pytest

from benchmarks.judges.agreement import pearson_interval, person
from sema.evaluation.significance import pearson


def test_copies_of_items_make_no_interval_narrower() -> None:
    random.seed(1)
    x = [random.gauss(0, 1) for _ in range(60)]
    y = [value + random.gauss(0, 1) for value in x]
    sources = list(range(60))
    low, high = pearson_interval(x, y, sources)
    assert low < pearson(x, y).value < high
    assert pearson_interval(x * 5, y * 5, sources * 5) == pytest.approx((low, high))
    as_if_apart = pearson_interval(x * 5, y * 5, list(range(300)))
    assert as_if_apart[1] - as_if_apart[0] < 0.7 * (high - low)


def test_a_rater_is_compared_with_the_others_alone() -> None:
    figure, (low, high), count = person([[1, 1, 1], [3, 3, 3], [2, 2], [5]], ["a", "b", "c", "d"])
    assert figure == pytest.approx(1) and count == 8 and low <= high <= 1 + 1e-9
    assert person([[1, 3], [3, 1], [1, 3], [3, 1]], list("abcd"))[0] == pytest.approx(-1)
