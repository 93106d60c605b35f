"""From the network's numbers to trees with remote edges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sema.model.scene_graph import MAIN_RELATIONS
from sema_ucca.chart import best_spans
from sema_ucca.families import Choice, fitting_labels, innermost, is_main_relation, is_participant
from sema_ucca.pieces import all_spans
from sema_ucca.remotes import FEATURE_GROUPS, Units, unit_arrays, units_of
from sema_ucca.trees import RemoteEdge, Tree, UnitRef

Floats = NDArray[np.float32]

SPAN_BONUS = 0.6
"""Added to the score of every span of several words: costs no labelled F1 and finds more Scenes (tuned on dev)."""


def decode_trees(
    margins: Floats, best: NDArray[np.int64], words: Sequence[tuple[int, ...]], labels: Sequence[str]
) -> list[Tree]:
    """The best tree of each sentence, its labels made to fit together (:mod:`sema_ucca.families`).

    ``margins`` (batch, spans, choices): scores of a span's best labels less that of the null label, descending;
    ``best``: those labels' indexes in ``labels``; spans as :func:`sema_ucca.pieces.all_spans` lists them; ``words``:
    each sentence's word positions.
    """
    sizes = np.asarray([len(indexes) for indexes in words])
    most = int(sizes.max(initial=1))
    starts, ends = all_spans(most)
    scores = np.zeros((len(words), most, most), np.float32)
    scores[:, starts, ends] = margins[:, :, 0] + np.where(ends > starts, np.float32(SPAN_BONUS), 0)
    place = np.zeros((most, most), np.int64)
    place[starts, ends] = np.arange(len(starts))
    trees = []
    for row, spans in enumerate(best_spans(scores, sizes)):
        analysed = _analysed(spans, scores[row], int(sizes[row]))
        rows = place[[span[0] for span in analysed], [span[1] - 1 for span in analysed]]
        choices = {
            span: [(labels[label], margin) for label, margin in zip(found, values, strict=True)]
            for span, found, values in zip(analysed, best[row, rows].tolist(), margins[row, rows].tolist(), strict=True)
        }
        trees.append(Tree(words[row], _fitted(analysed, choices)))
    return trees


def _analysed(spans: Sequence[tuple[int, int]], scores: Floats, size: int) -> list[tuple[int, int]]:
    """The spans (half-open) that are units; a word stays bare only in a unit with nothing but bare words."""
    analysed = {(0, size - 1)} if size else set()
    bare: list[tuple[int, tuple[int, int]]] = []
    found: list[tuple[int, int]] = []
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
        found.append((first, last + 1))
        if first < last:
            if len(around) == 1 and span == around[0]:
                analysed.discard(span)
            around.append(span)
    found.extend((word, word + 1) for word, unit in bare if unit in analysed)
    return found


def _fitted(
    spans: Sequence[tuple[int, int]], choices: Mapping[tuple[int, int], Sequence[Choice]]
) -> dict[tuple[int, int], str]:
    """Label the spans: each by its best label, but where the children of one unit must be made to fit."""
    found: dict[tuple[int, int], str] = {}
    families: dict[tuple[int, int] | None, list[tuple[int, int]]] = {}
    above: list[tuple[int, int]] = []
    for span in _without_loose_relations(spans, choices):
        while above and above[-1][1] <= span[0]:
            above.pop()
        families.setdefault(above[-1] if above else None, []).append(span)
        found[span] = choices[span][0][0]
        above.append(span)
    for parent, children in families.items():  # a unit's own label is final before its children's turn comes
        if len(children) > 1:
            inside = parent is not None and is_main_relation(innermost(found[parent]))
            fitting = fitting_labels([choices[child] for child in children], inside_relation=inside)
            found.update(zip(children, fitting, strict=True))
    return found


def _without_loose_relations(
    spans: Sequence[tuple[int, int]], choices: Mapping[tuple[int, int], Sequence[Choice]]
) -> list[tuple[int, int]]:
    """The spans from the top down, less main relations that have a main relation and a Participant in them.

    There the chart has drawn one bracket too many: what is in it belongs to the Scene around it.
    """
    kept = sorted(spans, key=lambda span: (span[0], -span[1]))
    above: list[tuple[int, int]] = []
    inside: dict[tuple[int, int], list[str]] = {span: [] for span in kept}
    for span in kept:
        while above and above[-1][1] <= span[0]:
            above.pop()
        if above:
            inside[above[-1]].append(choices[span][0][0])
        above.append(span)
    return [
        span
        for span in kept
        if not (
            choices[span][0][0] in MAIN_RELATIONS
            and any(map(is_main_relation, inside[span]))
            and any(map(is_participant, inside[span]))
        )
    ]


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
        arrays, allowed = unit_arrays(units, self.categories)
        return self.with_edges(trees, units, allowed, self.scores(arrays, left, right))

    def scores(self, arrays: Mapping[str, NDArray[np.int64]], left: Floats, right: Floats) -> Floats:
        """The score (batch, labels, parents, children) of every edge; units as :func:`unit_arrays` describes them."""
        w = self.weights
        row = np.arange(len(left))[:, None]
        state = left[row, arrays["first"]] + right[row, arrays["last"]]
        state += w["category.weight"][arrays["category"]] + w["above.weight"][arrays["above"]]
        np.maximum(state, 0, out=state)
        parent = state @ w["parent.weight"].T + w["parent.bias"]
        child = state @ w["child.weight"].T + w["child.bias"]
        products = (parent[:, None] * w["weight"][None, :, None, :]) @ child.transpose(0, 2, 1)[:, None]
        scores: Floats = products.astype(np.float32, copy=False)
        scores += (state @ w["parent_bias.weight"].T + w["parent_bias.bias"]).transpose(0, 2, 1)[:, :, :, None]
        scores += (state @ w["child_bias.weight"].T + w["child_bias.bias"]).transpose(0, 2, 1)[:, :, None, :]
        # The three features of a pair are looked up in one go; label by label, which keeps the temporaries small.
        relations, distances, kinds = np.split(w["feature"], np.cumsum(FEATURE_GROUPS)[:-1])
        sums = (relations[:, None, None] + distances[:, None] + kinds).reshape(-1, scores.shape[1])
        relation, distance, kind = np.moveaxis(arrays["features"], -1, 0)
        first_distance, first_kind = np.cumsum(FEATURE_GROUPS)[:-1]
        place = (relation * len(distances) + (distance - first_distance)) * len(kinds) + (kind - first_kind)
        for label in range(scores.shape[1]):
            scores[:, label] += sums[:, label][place]
        return scores

    def with_edges(
        self, trees: Sequence[Tree], units: Sequence[Units], allowed: NDArray[np.bool_], scores: Floats
    ) -> list[Tree]:
        """The trees with the edges that score higher than none."""
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
