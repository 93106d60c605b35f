import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sema_ud.decoding import greedy_tree


def test_a_tree_is_found_where_the_best_heads_make_one() -> None:
    scores = np.array([[0, 0, 0, 0], [0, -9, 5, 1], [9, 1, -9, 1], [1, 1, 3, -9]], dtype=float)
    tree = greedy_tree(scores)
    assert tree is not None and tree.tolist() == [0, 2, 0, 2]


@pytest.mark.parametrize("heads", [[0, 2, 1, 0], [0, 0, 0, 1], [0, 2, 3, 1], [0, 0, 3, 4, 2], [0, 1, 0]])
def test_cycles_and_several_roots_are_left_to_stanza(heads: list[int]) -> None:
    scores = np.zeros((len(heads), len(heads)))
    scores[range(len(heads)), heads] = 1
    assert greedy_tree(scores) is None


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 12))
def test_it_agrees_with_chu_liu_edmonds(seed: int, words: int) -> None:
    decoder = pytest.importorskip("stanza.models.common.chuliu_edmonds")
    scores = np.log(np.random.default_rng(seed).dirichlet(np.full(words + 1, 0.3), words + 1) + 1e-9)
    np.fill_diagonal(scores, -np.inf)
    tree = greedy_tree(scores.copy())
    if tree is not None:
        assert tree[1:].tolist() == decoder.chuliu_edmonds_one_root(scores)[1:].tolist()
