"""The trees of the rebuilt system of Mathias and Bhattacharyya (2016)."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from benchmarks.judges.mathias import PrunedTree


def test_a_tree_is_pruned_by_items_that_it_has_not_seen() -> None:
    """Labels that no feature tells: with the draws of an item on both sides of the check, the tree learns them all."""
    random = np.random.default_rng(0)
    table, labels = random.normal(size=(300, 1)), random.integers(0, 3, 300)
    times = random.multinomial(300, np.full(300, 1 / 300)).astype(float)
    assert PrunedTree().fit(table, labels, sample_weight=times).get_n_leaves() < 20
