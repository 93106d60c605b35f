"""Chart decoding: the binary bracketing with the highest sum of span scores, for many sentences at once.

A span's score is its best label's score less the null label's, so that a null span costs nothing and the binary tree
stands for an n-ary one (Stern, Andreas and Klein, ACL 2017, section 3). CKY by span length: one NumPy operation
fills all cells of a length in all sentences; ``O(n)`` operations, ``O(n^3)`` additions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def best_splits(scores: Floats) -> NDArray[np.int64]:
    """The best split of every span of every sentence.

    ``scores[b, i, j]`` is the score of the span of words ``i..j``, both inclusive; cells below the diagonal are not
    read. Returns ``splits[b, i, j]``: the last word of the left part. A span's negative score counts as 0: it is null.
    """
    batch, size, _ = scores.shape
    gain = np.maximum(scores, 0)
    # A cell is kept twice, by first word and by last word, each with its length as the last index: then the left parts
    # of a span lie side by side, and so do its right parts.
    by_first = np.zeros((batch, size, size + 1), np.float32)
    by_last = np.zeros((batch, size, size + 1), np.float32)
    splits = np.zeros((batch, size, size), np.int64)
    by_first[:, :, 1] = by_last[:, :, 1] = np.diagonal(gain, 0, 1, 2)
    for length in range(2, size + 1):
        firsts = np.arange(size - length + 1)
        total = by_first[:, : size - length + 1, 1:length] + by_last[:, length - 1 :, length - 1 : 0 : -1]
        where = total.argmax(2)
        best = np.take_along_axis(total, where[:, :, None], 2)[:, :, 0] + np.diagonal(gain, length - 1, 1, 2)
        by_first[:, : size - length + 1, length] = best
        by_last[:, length - 1 :, length] = best
        splits[:, firsts, firsts + length - 1] = firsts + where
    return splits


def best_spans(scores: Floats, sizes: NDArray[np.int64]) -> list[list[tuple[int, int]]]:
    """The spans (first and last word, inclusive; from the top down, left to right) of each sentence's best tree.

    ``sizes`` are the sentences' numbers of words; a span is in the tree if its score is positive. Every single word is
    listed too, whatever its score, so that the caller can decide about words without a label of their own.
    """
    splits = best_splits(scores)
    trees: list[list[tuple[int, int]]] = []
    for row, size in enumerate(sizes.tolist()):
        split, positive = splits[row].tolist(), (scores[row] > 0).tolist()
        found: list[tuple[int, int]] = []
        stack = [(0, size - 1)] if size else []
        while stack:
            first, last = stack.pop()
            if first == last:
                found.append((first, last))
                continue
            if positive[first][last]:
                found.append((first, last))
            middle = split[first][last]
            stack.append((middle + 1, last))
            stack.append((first, middle))
        trees.append(found)
    return trees
