from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sema_ud.arborescence import best_tree
from sema_ud.trees import fault_of


def sharp(seed: int, words: int) -> np.ndarray:
    """Logarithms of probabilities, most of them of a few heads, as a parser gives them."""
    scores = np.log(np.random.default_rng(seed).dirichlet(np.full(words + 1, 0.3), words + 1) + 1e-9)
    np.fill_diagonal(scores, -np.inf)
    return scores


def total(scores: np.ndarray, heads: np.ndarray) -> float:
    return float(scores[np.arange(1, len(heads)), heads[1:]].sum())


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 5))
def test_no_tree_with_one_root_is_better(seed: int, words: int) -> None:
    scores = sharp(seed, words)
    trees = [heads for heads in product(range(words + 1), repeat=words) if not fault_of([head - 1 for head in heads])]
    best = max(total(scores, np.asarray([0, *heads])) for heads in trees)
    tree = best_tree(scores)
    assert fault_of((tree[1:] - 1).tolist()) is None
    assert total(scores, tree) == pytest.approx(best)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10_000), st.integers(1, 60))
def test_it_is_the_tree_that_stanza_finds(seed: int, words: int) -> None:
    decoder = pytest.importorskip("stanza.models.common.chuliu_edmonds")
    scores = sharp(seed, words)
    assert best_tree(scores).tolist() == decoder.chuliu_edmonds_one_root(scores)[:].tolist()


def test_a_cycle_inside_a_cycle_is_opened_again() -> None:
    scores = np.full((5, 5), -50.0)
    scores[1, 2] = scores[2, 1] = 0
    scores[3, 4] = scores[4, 3] = 0
    scores[1, 3], scores[3, 2] = -1, -1
    scores[2, 0] = -2
    assert best_tree(scores).tolist() == [0, 2, 0, 2, 3]


def test_one_root_even_where_all_words_want_to_be() -> None:
    scores = np.full((6, 6), -3.0)
    scores[:, 0] = 0
    tree = best_tree(scores)
    assert (tree[1:] == 0).sum() == 1
    assert best_tree(np.zeros((4, 4))).tolist().count(0) == 2


def test_best_heads_that_make_a_tree_are_the_tree() -> None:
    scores = np.full((4, 4), -50.0)
    scores[1, 2], scores[2, 0], scores[3, 2] = 0, 0, 0
    assert best_tree(scores).tolist() == [0, 2, 0, 2]
    scores[3, 0] = 1  # a second root
    assert best_tree(scores).tolist() == [0, 2, 0, 2]
