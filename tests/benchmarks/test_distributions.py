"""Shares of ratings between edges."""

import pytest

from benchmarks.metaeval.distributions import shares


def test_an_edge_belongs_to_the_stretch_above_it_and_the_last_one_to_the_last() -> None:
    percentages = shares([-1, 0, 0, 0.5, 1, 2], (-1.0, 0.0, 1.0, 2.0))
    assert list(percentages) == ["-1 to 0", "0 to 1", "1 to 2"]
    assert list(percentages.values()) == pytest.approx([100 / 6, 50, 200 / 6])
