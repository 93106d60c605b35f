"""The maximum spanning arborescence of a score matrix (Chu and Liu 1965; Edmonds 1967), by contraction of its rows and
columns.

A cycle's rows and columns are merged in place by a few operations on whole arrays, so a sentence's time is proportional
to its length times the number of cycles. Stanza contracts the whole graph for each cycle, in Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Heads = NDArray[np.intp]


def best_tree(scores: NDArray[np.floating[Any]]) -> Heads:
    """The tree with one root whose edges' scores have the highest sum.

    ``scores[i, j]`` is the score of node j as the head of node i; node 0 stands for the root's head. The result has
    one entry for each node, that of node 0 being 0. As in Stanojević and Cohen (2021), edges from node 0 get a penalty
    larger than any gain, so that there is exactly one.
    """
    gains = scores.astype(np.float64)
    np.fill_diagonal(gains, -np.inf)
    gains[0] = -np.inf
    heads: Heads = gains.argmax(1)
    if np.count_nonzero(heads[1:] == 0) == 1 and _cycle(heads) is None:
        return heads  # each node's best head: no tree has a higher sum
    finite = gains[np.isfinite(gains)]
    gains[:, 0] -= (finite.max() - finite.min() + 1) * len(gains)
    heads = gains.argmax(1)
    contracted = []
    inside = np.zeros(len(gains), bool)
    while (cycle := _cycle(heads)) is not None:  # its first member then stands for all of them
        best = heads[cycle]
        into, out = gains[cycle] - gains[cycle, best][:, None], gains[:, cycle]
        enters, leaves = cycle[into.argmax(0)], cycle[out.argmax(1)]
        contracted.append((cycle, best, enters, leaves))
        gains[cycle[0]], gains[:, cycle[0]] = into.max(0), out.max(1)
        gains[cycle[1:]], gains[:, cycle[1:]] = -np.inf, -np.inf
        gains[cycle[0], cycle] = -np.inf
        inside[cycle] = True
        heads[inside[heads]] = cycle[0]
        inside[cycle] = False
        heads[cycle] = 0
        heads[cycle[0]] = gains[cycle[0]].argmax()
    for cycle, best, enters, leaves in reversed(contracted):
        above, below = heads[cycle[0]], heads == cycle[0]
        heads[below] = leaves[below]
        heads[cycle] = best
        heads[enters[above]] = above
    return heads


def _cycle(heads: Heads) -> Heads | None:
    """The nodes of a cycle that does not go through node 0, if there is one."""
    ends = heads
    for _ in range(len(heads).bit_length()):  # after k rounds: the ancestor 2**k steps up
        ends = ends[ends]
    nodes = [int(ends.max())]
    if not nodes[0]:
        return None
    while heads[nodes[-1]] != nodes[0]:
        nodes.append(int(heads[nodes[-1]]))
    return np.array(nodes)
