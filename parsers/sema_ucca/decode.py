"""From the network's numbers to trees with remote edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sema_ucca.chart import Chart, Spans, first_cell
from sema_ucca.families import insides, places
from sema_ucca.pieces import all_spans
from sema_ucca.remotes import FEATURE_GROUPS, UnitArrays, Units, arrays_of, units_of
from sema_ucca.trees import RemoteEdge, Tree

Floats = NDArray[np.float32]

SPAN_BONUS = 0.6
"""Added to the score of every span of several words: costs no labelled F1 and finds more Scenes (tuned on dev)."""


def decode_trees(
    margins: Floats, best: NDArray[np.int64], words: Sequence[tuple[int, ...]], labels: Sequence[str]
) -> list[Tree]:
    """The best tree of each sentence among those whose labels fit together (:mod:`sema_ucca.families`).

    ``margins`` (batch, spans, choices): scores of a span's best labels less that of the null label, descending;
    ``best``: those labels' indexes in ``labels``; spans as :func:`sema_ucca.pieces.all_spans` lists them; ``words``:
    each sentence's word positions.
    """
    most = max(map(len, words), default=0)
    if not most:
        return [Tree(indexes, {}) for indexes in words]
    starts, ends = all_spans(most)
    lengths = ends - starts
    order = np.lexsort((starts, lengths))
    chosen = best[:, order].transpose(2, 0, 1)
    scores = margins[:, order].transpose(2, 0, 1) + np.where(lengths[order] > 0, np.float32(SPAN_BONUS), 0)
    names = tuple(labels)
    at, inside = (np.moveaxis(table[..., chosen], -3, 0) for table in (places(names), insides(names)))
    chart = Chart(Spans(scores, at, inside), most)
    trees = []
    for row, indexes in enumerate(words):
        spans: dict[tuple[int, int], str] = {}
        for first, length, choice in chart.spans(row, len(indexes)) if indexes else ():
            label = chosen[choice, row, first_cell(length, most) + first]
            spans[first, first + length] = names[label]
        trees.append(Tree(indexes, spans))
    return trees


@dataclass(frozen=True)
class RemoteScorer:
    """The classifier of remote edges in NumPy (weights: ``sema_ucca.training.model.RemoteClassifier``)."""

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
        arrays = [arrays_of(found, self.categories) for found in units]
        scores = self.scores(arrays, left, right)
        return list(map(self.with_edges, trees, units, arrays, scores))

    def scores(self, batch: Sequence[UnitArrays], left: Floats, right: Floats) -> list[Floats]:
        """For each tree the score (labels, parents, children) of every edge."""
        w = self.weights
        sizes = [len(arrays.first) for arrays in batch]
        rows = np.repeat(np.arange(len(batch)), sizes)
        first, last, category, above = (
            np.concatenate([getattr(arrays, name) for arrays in batch])
            for name in ("first", "last", "category", "above")
        )
        state = left[rows, first] + right[rows, last]
        state += w["category.weight"][category] + w["above.weight"][above]
        np.maximum(state, 0, out=state)
        parents = state @ w["parent.weight"].T + w["parent.bias"]
        children = state @ w["child.weight"].T + w["child.bias"]
        of_parents = state @ w["parent_bias.weight"].T + w["parent_bias.bias"]
        of_children = state @ w["child_bias.weight"].T + w["child_bias.bias"]
        found: list[Floats] = []
        end = 0
        for arrays, size in zip(batch, sizes, strict=True):
            part = slice(end, end + size)
            end += size
            weighted = (parents[part] * w["weight"][:, None]).reshape(-1, parents.shape[1])
            scores: Floats = (weighted @ children[part].T).reshape(-1, size, size)
            scores += of_parents[part].T[:, :, None]
            scores += of_children[part].T[:, None, :]
            relation, distance, kind = arrays.features
            place = relation * _PLACES[0] + distance * _PLACES[1] + kind
            scores += self._of_features.take(place, axis=1)
            found.append(scores)
        return found

    @cached_property
    def _of_features(self) -> Floats:
        """What the three features of a pair add to each label (labels, all threes of features)."""
        relations, distances, kinds = np.split(self.weights["feature"], np.cumsum(FEATURE_GROUPS)[:-1])
        sums = relations[:, None, None] + distances[:, None] + kinds
        return np.ascontiguousarray(sums.reshape(-1, sums.shape[-1]).T)

    def with_edges(self, tree: Tree, units: Units, arrays: UnitArrays, scores: Floats) -> Tree:
        """The tree with the edges that score higher than none."""
        margin = scores[1:].max(0) - scores[0]
        pairs = np.argwhere((margin > 0) & arrays.allowed).tolist()
        edges = [
            RemoteEdge(units.refs[above], units.refs[below], self.labels[int(scores[1:, above, below].argmax()) + 1])
            for above, below in pairs
        ]
        return replace(tree, remotes=tuple(edges)) if edges else tree


_PLACES = FEATURE_GROUPS[1] * FEATURE_GROUPS[2], FEATURE_GROUPS[2]
"""What a feature of the first and of the second group counts in the place of three among all threes."""
