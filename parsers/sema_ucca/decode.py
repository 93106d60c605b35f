"""From the network's numbers to trees with remote edges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sema.model.scene_graph import MAIN_RELATIONS
from sema_ucca.chart import best_spans
from sema_ucca.families import Choice, do_fit, fitting_labels, innermost, is_main_relation, is_participant
from sema_ucca.pieces import all_spans
from sema_ucca.remotes import FEATURE_GROUPS, UnitArrays, Units, arrays_of, units_of
from sema_ucca.trees import RemoteEdge, Tree

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
    before = [first * (2 * most - first - 1) // 2 for first in range(most)]
    """What a span's last word adds up with to its place among all spans, by its first word."""
    trees = []
    for row, spans in enumerate(best_spans(scores, sizes)):
        size = int(sizes[row])
        analysed = _analysed(spans, scores[row].diagonal().tolist(), size)
        rows = [before[first] + end - 1 for first, end in analysed]
        choices = Choices(labels, best[row, rows].tolist(), margins[row, rows].tolist())
        trees.append(Tree(words[row], _fitted(analysed, choices)))
    return trees


def _analysed(spans: Sequence[tuple[int, int]], words: Sequence[float], size: int) -> list[tuple[int, int]]:
    """The spans (half-open) that are units, from the top down, left to right; ``words`` are the scores of single words.

    A word stays bare only in a unit with nothing but bare words.
    """
    analysed = {(0, size - 1)} if size else set()
    bare: list[tuple[int, tuple[int, int]]] = []
    found: list[tuple[int, int]] = []
    around: list[tuple[int, int]] = [(0, size - 1)]
    for span in spans:
        first, last = span
        while around[-1][1] < first:
            around.pop()
        if first == last and words[first] <= 0 and size > 1:
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
    return sorted(found, key=lambda span: (span[0], -span[1]))


class Choices(NamedTuple):
    """The best labels of some spans: ``best`` (spans, choices) in ``labels``, the best first, and their scores."""

    labels: Sequence[str]
    best: Sequence[Sequence[int]]
    margins: Sequence[Sequence[float]]

    def of(self, span: int) -> list[Choice]:
        """The choices of one span."""
        return [(self.labels[label], margin) for label, margin in zip(self.best[span], self.margins[span], strict=True)]


def _fitted(spans: Sequence[tuple[int, int]], choices: Choices) -> dict[tuple[int, int], str]:
    """Label the spans: each by its best label, but where the children of one unit must be made to fit."""
    found = [choices.labels[best[0]] for best in choices.best]
    everything: Sequence[int] = range(len(spans))
    families = _families(spans, everything)
    loose = _loose_relations(found, families)
    if loose:
        everything = [index for index in everything if index not in loose]
        families = _families(spans, everything)
    for parent, children in families.items():  # a unit's own label is final before its children's turn comes
        if len(children) > 1:
            inside = parent >= 0 and is_main_relation(innermost(found[parent]))
            if not do_fit([found[child] for child in children], inside_relation=inside):
                fitting = fitting_labels([choices.of(child) for child in children], inside_relation=inside)
                for child, label in zip(children, fitting, strict=True):
                    found[child] = label
    return {spans[index]: found[index] for index in everything}


def _families(spans: Sequence[tuple[int, int]], chosen: Iterable[int]) -> dict[int, list[int]]:
    """The children of each unit, -1 for what stands above all, by index; units in the order of their first children."""
    families: dict[int, list[int]] = {}
    above: list[int] = []
    for index in chosen:
        start = spans[index][0]
        while above and spans[above[-1]][1] <= start:
            above.pop()
        families.setdefault(above[-1] if above else -1, []).append(index)
        above.append(index)
    return families


def _loose_relations(labels: Sequence[str], families: Mapping[int, Sequence[int]]) -> set[int]:
    """The main relations that have a main relation and a Participant in them.

    There the chart has drawn one bracket too many: what is in it belongs to the Scene around it.
    """
    return {
        parent
        for parent, children in families.items()
        if parent >= 0
        and labels[parent] in MAIN_RELATIONS
        and any(is_main_relation(labels[child]) for child in children)
        and any(is_participant(labels[child]) for child in children)
    }


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
