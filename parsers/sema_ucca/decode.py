"""From the network's numbers to trees with remote edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sema_ucca.chart import best_spans
from sema_ucca.pieces import all_spans
from sema_ucca.remotes import Units, unit_arrays, units_of
from sema_ucca.trees import RemoteEdge, Tree, UnitRef

Floats = NDArray[np.float32]


def decode_trees(
    margins: Floats, best: NDArray[np.int64], words: Sequence[tuple[int, ...]], labels: Sequence[str]
) -> list[Tree]:
    """The best tree of each sentence.

    ``margins`` (batch, spans): score of a span's best label less that of the null label; ``best``: that label's index
    in ``labels``; spans as :func:`sema_ucca.pieces.all_spans` lists them; ``words``: each sentence's word positions.
    """
    sizes = np.asarray([len(indexes) for indexes in words])
    most = int(sizes.max(initial=1))
    starts, ends = all_spans(most)
    scores = np.zeros((len(words), most, most), np.float32)
    scores[:, starts, ends] = margins
    chosen = np.zeros((len(words), most, most), np.int64)
    chosen[:, starts, ends] = best
    trees = []
    for row, spans in enumerate(best_spans(scores, sizes)):
        trees.append(Tree(words[row], _labelled(spans, scores[row], chosen[row].tolist(), labels, int(sizes[row]))))
    return trees


def _labelled(
    spans: Sequence[tuple[int, int]], scores: Floats, best: list[list[int]], labels: Sequence[str], size: int
) -> dict[tuple[int, int], str]:
    """Label the spans; a word stays bare only in an unanalysable unit, one with nothing but bare words."""
    analysed = {(0, size - 1)} if size else set()
    bare: list[tuple[int, tuple[int, int]]] = []
    found: dict[tuple[int, int], str] = {}
    around: list[tuple[int, int]] = [(0, size - 1)]
    for span in spans:
        first, last = span
        while around[-1][1] < first:
            around.pop()
        if first == last and scores[first, last] <= 0 and size > 1:
            bare.append((first, around[-1]))
            continue
        if span != around[-1] or first == last:
            analysed.add(around[-1])
        found[first, last + 1] = labels[best[first][last]]
        if first < last:
            if len(around) == 1 and span == around[0]:
                analysed.discard(span)
            around.append(span)
    for word, unit in bare:
        if unit in analysed:
            found[word, word + 1] = labels[best[word][word]]
    return found


@dataclass(frozen=True)
class RemoteScorer:
    """The classifier of remote edges in NumPy (weights: ``sema_ucca.training.model.RemoteClassifier``)."""

    weights: Mapping[str, Floats]
    categories: Mapping[str, int]
    labels: Sequence[str]

    @classmethod
    def load(cls, file: Path, categories: Sequence[str], labels: Sequence[str]) -> RemoteScorer:
        """Read the weights (a NumPy archive, without pickle)."""
        with np.load(file, allow_pickle=False) as archive:
            weights = {name: archive[name].astype(np.float32) for name in archive.files}
        return cls(weights, {label: index for index, label in enumerate(categories)}, labels)

    def add(self, trees: Sequence[Tree], left: Floats, right: Floats) -> list[Tree]:
        """The trees with their remote edges; ``left`` and ``right`` (batch, words, size): halves of units' states."""
        units = [units_of(tree) for tree in trees]
        arrays, allowed = unit_arrays(units, self.categories)
        w = self.weights
        row = np.arange(len(trees))[:, None]
        state = left[row, arrays["first"]] + right[row, arrays["last"]]
        state += w["category.weight"][arrays["category"]] + w["above.weight"][arrays["above"]]
        np.maximum(state, 0, out=state)
        parent = state @ w["parent.weight"].T + w["parent.bias"]
        child = state @ w["child.weight"].T + w["child.bias"]
        scores = (parent[:, None] * w["weight"][None, :, None, :]) @ child.transpose(0, 2, 1)[:, None]
        scores += (state @ w["parent_bias.weight"].T + w["parent_bias.bias"]).transpose(0, 2, 1)[:, :, :, None]
        scores += (state @ w["child_bias.weight"].T + w["child_bias.bias"]).transpose(0, 2, 1)[:, :, None, :]
        features = arrays["features"]
        # Three small tables, added up pair by pair: gathering one label at a time keeps the temporaries small.
        for label in range(scores.shape[1]):
            column = w["feature"][:, label]
            scores[:, label] += column[features[..., 0]] + column[features[..., 1]] + column[features[..., 2]]
        best = scores[:, 1:].argmax(1) + 1
        margin = np.take_along_axis(scores, best[:, None], 1)[:, 0] - scores[:, 0]
        edges: list[list[RemoteEdge]] = [[] for _ in trees]
        for sentence, above, below in np.argwhere((margin > 0) & allowed).tolist():
            edges[sentence].append(
                RemoteEdge(*_pair(units[sentence], above, below), self.labels[best[sentence, above, below]])
            )
        return [replace(tree, remotes=tuple(found)) for tree, found in zip(trees, edges, strict=True)]


def _pair(units: Units, above: int, below: int) -> tuple[UnitRef, UnitRef]:
    return units.refs[above], units.refs[below]
