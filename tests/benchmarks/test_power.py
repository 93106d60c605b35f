"""The power table: at the number of items that it names a test finds the difference four times in five."""

import numpy as np
import pytest

pytest.importorskip("scipy")
from scipy import stats

from benchmarks.scoring.power import needed


@pytest.mark.parametrize(("spread", "gap"), [(20.0, 5.0), (30.0, 10.0)])
def test_the_needed_items_have_the_power_that_they_name(spread: float, gap: float) -> None:
    count = needed(spread, gap)
    draws = np.random.default_rng(3).normal(gap, spread, size=(2000, count))
    significant = stats.ttest_1samp(draws, 0.0, axis=1).pvalue < 0.05
    assert significant.mean() == pytest.approx(0.8, abs=0.03)


def test_half_the_difference_needs_four_times_the_items() -> None:
    assert needed(20, 1) == pytest.approx(4 * needed(20, 2), rel=0.01)
