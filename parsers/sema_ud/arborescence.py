"""The best tree of a matrix of scores (Chu and Liu 1965; Edmonds 1967), by contraction of rows and columns.

A cycle's rows and columns are merged by a few operations on whole arrays, so a sentence's time is proportional to its
length times the number of cycles. Stanza contracts the whole graph for each cycle, in Python.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Heads = NDArray[np.intp]


@dataclass
class _Graph:
    """Scores between nodes, where a contracted cycle is the node of its first member; its edges by original ends."""

    scores: NDArray[np.float64]
    dependent: NDArray[np.intp]
    """``dependent[i, j]``: the word inside node i that the best edge from node j leads to."""
    head: NDArray[np.intp]
    """``head[i, j]``: the word inside node j that this edge comes from."""
    unit: list[int]
    """What a node stands for: itself, or a cycle's number."""
    parent: dict[int, int] = field(default_factory=dict)
    """Of each unit that lies in a cycle, the cycle's number."""
    chosen: dict[int, tuple[int, int]] = field(default_factory=dict)
    """The edge (dependent, head) into each unit, as it was chosen first."""

    def contract(self, cycle: list[int], best: list[int]) -> None:
        """Make one node of a cycle; ``best`` are its members' heads."""
        number = len(self.scores) + len(self.parent)
        for node, above in zip(cycle, best, strict=True):
            self.chosen[self.unit[node]] = int(self.dependent[node, above]), int(self.head[node, above])
            self.parent[self.unit[node]] = number
        members = np.asarray(cycle)
        every = np.arange(len(self.scores))
        gain = self.scores[members] - self.scores[members, best][:, None]
        enters = members[gain.argmax(axis=0)]
        leaves = members[self.scores[:, members].argmax(axis=1)]
        first, *others = cycle
        rows = gain.max(axis=0), self.dependent[enters, every], self.head[enters, every]
        columns = self.scores[every, leaves], self.dependent[every, leaves], self.head[every, leaves]
        for array, row, column in zip((self.scores, self.dependent, self.head), rows, columns, strict=True):
            array[first], array[:, first] = row, column
        self.scores[others], self.scores[:, others] = -np.inf, -np.inf
        self.scores[first, cycle] = -np.inf
        self.unit[first] = number

    def open(self, unit: int, edge: tuple[int, int], heads: Heads) -> None:
        """Write the edges inside a contracted node to ``heads``, given the edge that enters it."""
        below = self.parent
        inside: dict[int, list[int]] = {}
        for one, cycle in below.items():
            inside.setdefault(cycle, []).append(one)
        waiting = [(unit, edge)]
        while waiting:
            current, (dependent, head) = waiting.pop()
            if current not in inside:
                heads[current] = head
                continue
            entered = dependent
            while below[entered] != current:
                entered = below[entered]
            waiting.append((entered, (dependent, head)))
            waiting.extend((one, self.chosen[one]) for one in inside[current] if one != entered)


def best_tree(scores: NDArray[np.floating[Any]]) -> Heads:
    """The tree with one root whose edges' scores have the highest sum.

    ``scores[i, j]`` is the score of node j as the head of node i; node 0 stands for the root's head. The result has
    one entry for each node, that of node 0 being 0. As in Stanojević and Cohen (2021), edges from node 0 get a penalty
    larger than any gain, so that there is exactly one.
    """
    size = len(scores)
    graph = _graph(scores)
    best: dict[int, int] = {}
    done = {0}
    for node in range(1, size):
        if node in best:
            continue
        path: list[int] = []
        while node not in done:
            path.append(node)
            best[node] = above = int(graph.scores[node].argmax())
            if above in path:
                cycle = path[path.index(above) :]
                graph.contract(cycle, [best[one] for one in cycle])
                del path[-len(cycle) :]
                del best[above]
            node = above
        done.update(path)
    heads = np.zeros(size, np.intp)
    for node, above in best.items():
        if graph.unit[node] not in graph.parent:
            graph.open(graph.unit[node], (int(graph.dependent[node, above]), int(graph.head[node, above])), heads)
    return heads


def _graph(scores: NDArray[np.floating[Any]]) -> _Graph:
    size = len(scores)
    costs = scores.astype(np.float64)
    np.fill_diagonal(costs, -np.inf)
    costs[0] = -np.inf
    finite = costs[np.isfinite(costs)]
    costs[:, 0] -= (finite.max() - finite.min() + 1) * size
    nodes = np.arange(size)
    dependent, head = np.repeat(nodes[:, None], size, 1), np.repeat(nodes[None], size, 0)
    return _Graph(costs, dependent, head, nodes.tolist())
