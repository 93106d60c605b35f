"""Decodes the network's scores into trees with remote edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sema.runtime.forks import cached_property
from sema_ucca.chart import Chart, Spans, first_cell
from sema_ucca.families import insides, places
from sema_ucca.pieces import all_spans
from sema_ucca.remotes import FEATURE_GROUPS, UnitArrays, Units, arrays_of, units_of
from sema_ucca.trees import RemoteEdge, Tree

Floats = NDArray[np.float32]

SPAN_BONUS = np.float32(0.6)
"""Added to the score of every span of several words: costs no labelled F1 and finds more Scenes (tuned on dev)."""


class SpanScores(NamedTuple):
    """The network's scores of the spans of a batch of sentences.

    Attributes:
        margins: scores of a span's best labels minus that of the null label, descending (batch, spans, choices).
        best: those labels' indexes (batch, spans, choices).
        words: each sentence's word positions; :func:`sema_ucca.pieces.all_spans` of the most words gives the spans.
    """

    margins: Floats
    best: NDArray[np.int64]
    words: Sequence[tuple[int, ...]]


def decode_trees(batches: Sequence[SpanScores], labels: Sequence[str]) -> list[Tree]:
    """The best tree of each sentence among those with compatible labels (:mod:`sema_ucca.families`).

    The batches share one chart, so their sentences should have similar lengths.
    """
    words = [indexes for batch in batches for indexes in batch.words]
    size = max(map(len, words), default=0)
    if not size:
        return [Tree(indexes, {}) for indexes in words]
    names = tuple(labels)
    scores, chosen = _by_length(batches, size)
    chart = Chart(Spans(scores, places(names).take(chosen, 2), insides(names).take(chosen, 1)), size)
    spans: list[dict[tuple[int, int], str]] = [{} for _ in words]
    for length, starts, rows, choices in chart.trees(list(map(len, words))):
        named = chosen[choices, first_cell(length, size) + starts, rows]
        for row, start, label in zip(rows.tolist(), starts.tolist(), named.tolist(), strict=True):
            spans[row][start, start + length] = names[label]
    return list(map(Tree, words, spans))


def _by_length(batches: Sequence[SpanScores], size: int) -> tuple[Floats, NDArray[np.int64]]:
    """The spans' scores and labels (choices, spans, sentences), as in a chart for sentences of ``size`` words."""
    count = sum(len(batch.words) for batch in batches)
    shape = batches[0].margins.shape[2], size * (size + 1) // 2, count
    scores, chosen = np.zeros(shape, np.float32), np.zeros(shape, np.int64)
    done = 0
    for margins, best, words in batches:
        starts, ends = all_spans(max(1, *map(len, words), 0))
        some = slice(done, done := done + len(words))
        cells = first_cell(ends - starts + 1, size) + starts
        scores[:, cells, some] = margins.transpose(2, 1, 0)
        chosen[:, cells, some] = best.transpose(2, 1, 0)
    scores[:, size:] += SPAN_BONUS
    return scores, chosen


@dataclass(frozen=True)
class RemoteScorer:
    """The classifier of remote edges in NumPy (weights: ``training.ucca.model.RemoteClassifier``)."""

    weights: Mapping[str, Floats]
    categories: Mapping[str, int]
    labels: Sequence[str]

    @classmethod
    def load(cls, file: Path, categories: Sequence[str], labels: Sequence[str], *, prefix: str) -> RemoteScorer:
        """Read the weights whose names begin with ``prefix`` (a NumPy archive, without pickle)."""
        with np.load(file, allow_pickle=False) as archive:
            names = [name for name in archive.files if name.startswith(prefix)]
            weights = {name.removeprefix(prefix): archive[name].astype(np.float32) for name in names}
        return cls(weights, {label: index for index, label in enumerate(categories)}, labels)

    def add(self, trees: Sequence[Tree], left: Floats, right: Floats) -> list[Tree]:
        """The trees with their remote edges; ``left`` and ``right`` (batch, words, size): halves of units' states."""
        units = [units_of(tree) for tree in trees]
        arrays = arrays_of(units, self.categories)
        scores = self.scores(units, arrays, left, right)
        return list(map(self.with_edges, trees, units, arrays.allowed, scores))

    def scores(self, units: Sequence[Units], arrays: UnitArrays, left: Floats, right: Floats) -> list[Floats]:
        """For each tree the score (labels, parents, children) of every edge."""
        w = self.weights
        sizes = [len(of_tree.refs) for of_tree in units]
        rows = np.repeat(np.arange(len(units)), sizes)
        state = left[rows, arrays.first] + right[rows, arrays.last]
        state += w["category.weight"][arrays.category] + w["above.weight"][arrays.above]
        np.maximum(state, 0, out=state)
        parents = state @ w["parent.weight"].T + w["parent.bias"]
        children = state @ w["child.weight"].T + w["child.bias"]
        of_parents = state @ w["parent_bias.weight"].T + w["parent_bias.bias"]
        of_children = state @ w["child_bias.weight"].T + w["child_bias.bias"]
        by_tree: list[Floats] = []
        end = 0
        for size, features in zip(sizes, arrays.features, strict=True):
            part = slice(end, end := end + size)
            weighted = (parents[part] * w["weight"][:, None]).reshape(-1, parents.shape[1])
            scores: Floats = np.reshape(weighted @ children[part].T, (-1, size, size))
            scores += of_parents[part].T[:, :, None]
            scores += of_children[part].T[:, None, :]
            scores += self._of_features.take(features, 1)
            by_tree.append(scores)
        return by_tree

    @cached_property
    def _of_features(self) -> Floats:
        """For each label the score of every combination of a pair's three features (labels, combinations)."""
        relations, distances, kinds = np.split(self.weights["feature"], np.cumsum(FEATURE_GROUPS)[:-1])
        sums = relations[:, None, None] + distances[:, None] + kinds
        return np.ascontiguousarray(sums.reshape(-1, sums.shape[-1]).T)

    def with_edges(self, tree: Tree, units: Units, allowed: NDArray[np.bool_], scores: Floats) -> Tree:
        """The tree with each edge that scores higher than its absence."""
        margin = scores[1:].max(0) - scores[0]
        pairs = np.argwhere((margin > 0) & allowed).tolist()
        edges = [
            RemoteEdge(units.refs[above], units.refs[below], self.labels[int(scores[1:, above, below].argmax()) + 1])
            for above, below in pairs
        ]
        return replace(tree, remotes=tuple(edges)) if edges else tree
