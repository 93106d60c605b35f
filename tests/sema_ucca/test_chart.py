from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sema_ucca.chart import best_spans, best_splits
from sema_ucca.decode import decode_trees
from sema_ucca.pieces import all_spans

scores = st.integers(1, 6).flatmap(
    lambda size: arrays(np.float32, (2, size, size), elements=st.integers(-4, 4).map(float))
)


def brute_force(table: np.ndarray) -> float:
    """The highest sum over all binary bracketings, null spans at 0."""

    @cache
    def best(first: int, last: int) -> float:
        own = max(0.0, float(table[first, last]))
        if first == last:
            return own
        return own + max(best(first, middle) + best(middle + 1, last) for middle in range(first, last))

    return best(0, len(table) - 1)


@given(scores)
@settings(deadline=None)
def test_best_tree(table: np.ndarray) -> None:
    size = table.shape[1]
    for row, spans in enumerate(best_spans(table, np.array([size, size]))):
        found = sum(max(0.0, float(table[row, first, last])) for first, last in spans)
        assert found == brute_force(table[row])
        for first, last in spans:  # no two spans cross
            assert not any(first < other <= last < end for other, end in spans)


@given(scores)
@settings(deadline=None)
def test_a_shorter_sentence_is_not_changed_by_padding(table: np.ndarray) -> None:
    size = table.shape[1]
    wide = np.full((2, size + 2, size + 2), 9, np.float32)
    wide[:, :size, :size] = table
    sizes = np.array([size, size])
    assert best_spans(wide, sizes) == best_spans(table, sizes)


def test_splits_of_a_known_chart() -> None:
    table = np.full((1, 3, 3), -1, np.float32)
    table[0, 1, 2] = 2
    assert best_splits(table)[0, 0, 2] == 0


def test_a_bare_word_among_units_takes_its_best_label() -> None:
    starts, ends = all_spans(3)
    margins = np.full((1, len(starts)), -1, np.float32)
    best = np.ones((1, len(starts)), np.int64)
    for place, span in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        if span in {(0, 2), (0, 0)}:
            margins[0, place] = 1
        if span == (2, 2):
            best[0, place] = 2
    (tree,) = decode_trees(margins[:, :, None], best[:, :, None], [(0, 1, 2)], ["", "A", "P"])
    assert tree.spans == {(0, 3): "A", (0, 1): "A", (1, 2): "A", (2, 3): "P"}


def test_bare_words_alone_are_one_unanalysable_unit() -> None:
    starts, ends = all_spans(2)
    margins = np.where((starts == 0) & (ends == 1), 1, -1)[None].astype(np.float32)
    margins = margins[:, :, None]
    (tree,) = decode_trees(margins, np.ones_like(margins, np.int64), [(0, 1)], ["", "A"])
    assert tree.spans == {(0, 2): "A"}
