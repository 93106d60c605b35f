"""Several networks judging together: their mean opinion of spans and remote edges, as trees and as distributions.

The mean probability of independently trained networks is a better judge than any of them; a single network that learns
from it on plain text keeps most of that (Hinton, Vinyals and Dean 2015; for parsers Kuncoro et al., EMNLP 2016).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from sema_ucca.decode import Floats, RemoteScorer, decode_trees
from sema_ucca.remotes import unit_arrays, units_of
from sema_ucca.training.batches import Batch, Batcher
from sema_ucca.training.data import SoftSpan
from sema_ucca.training.export import CHOICES
from sema_ucca.training.inventory import Inventory
from sema_ucca.training.model import SpanParser
from sema_ucca.trees import Tree

AT_A_TIME = 32
LEAST_PROBABILITY = 0.02
"""A span counts as null if all its labels together have less; labels with less are left out of its distribution."""


class Ensemble:
    """Networks with one inventory. A single one is an ensemble too: its opinion is the mean."""

    def __init__(self, models: Sequence[SpanParser], inventory: Inventory) -> None:
        self._models = [model.eval() for model in models]
        self._inventory = inventory
        categories = {label: index for index, label in enumerate(inventory.categories)}
        self._remotes = [
            RemoteScorer({k: v.numpy() for k, v in model.remote.state_dict().items()}, categories, inventory.remotes)
            for model in models
        ]

    def parse(self, batcher: Batcher) -> list[Tree]:
        """The trees of a batcher's examples, in their order."""
        trees: dict[int, Tree] = {}
        for group, batch in _batches(batcher):
            trees.update(zip(group, self._parsed(batcher, group, *self._opinion(batch)), strict=True))
        return [trees[index] for index in range(len(trees))]

    def distil(self, batcher: Batcher) -> list[tuple[Tree, tuple[SoftSpan, ...]]]:
        """The trees of a batcher's examples, and what the networks think of each span, in the examples' order."""
        found: dict[int, tuple[Tree, tuple[SoftSpan, ...]]] = {}
        for group, batch in _batches(batcher):
            logs, halves = self._opinion(batch)
            trees = self._parsed(batcher, group, logs, halves)
            starts, ends = batch.tensors["starts"].numpy(), batch.tensors["ends"].numpy()
            for row, (index, tree) in enumerate(zip(group, trees, strict=True)):
                probabilities = np.exp(logs[row])
                kept = np.flatnonzero((ends < len(tree.words)) & (probabilities[:, 0] < 1 - LEAST_PROBABILITY))
                soft = (_soft_span(int(starts[k]), int(ends[k]) + 1, probabilities[k]) for k in kept)
                found[index] = tree, tuple(soft)
        return [found[index] for index in range(len(found))]

    @torch.no_grad()
    def _opinion(self, batch: Batch) -> tuple[Floats, list[tuple[Floats, Floats]]]:
        """Logarithms of spans' mean probabilities (batch, spans, labels); each network's halves of units' states."""
        tensors = batch.tensors
        total: Tensor | float = 0.0
        halves = []
        for model in self._models:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                states, _ = model.encode(tensors["ids"], tensors["mask"])
                scores = model.span_scores(states, tensors, "ucca").float()
                left, right = model.remote_states(states, tensors)
            total = total + torch.softmax(scores, -1)
            halves.append((left.float().numpy(), right.float().numpy()))
        mean = torch.as_tensor(total) / len(self._models)
        return mean.clamp_min(1e-12).log().numpy(), halves

    def _parsed(
        self, batcher: Batcher, group: Sequence[int], logs: Floats, halves: Sequence[tuple[Floats, Floats]]
    ) -> list[Tree]:
        best = np.argsort(-logs[:, :, 1:], 2)[:, :, :CHOICES] + 1
        margins = np.take_along_axis(logs, best, 2) - logs[:, :, :1]
        words = [batcher.examples[index].words for index in group]
        trees = decode_trees(margins, best, words, self._inventory.labels)
        units = [units_of(tree) for tree in trees]
        arrays, allowed = unit_arrays(units, {label: k for k, label in enumerate(self._inventory.categories)})
        scores = [scorer.scores(arrays, *half) for scorer, half in zip(self._remotes, halves, strict=True)]
        return self._remotes[0].with_edges(trees, units, allowed, np.mean(scores, 0))


def _batches(batcher: Batcher) -> Iterator[tuple[list[int], Batch]]:
    order = sorted(range(len(batcher.examples)), key=lambda index: batcher.lengths[index])
    for begin in range(0, len(order), AT_A_TIME):
        group = order[begin : begin + AT_A_TIME]
        yield group, batcher.batch(group)


def _soft_span(start: int, end: int, probabilities: Floats) -> SoftSpan:
    """The likely labels of a span (the null label first, if it is one), with probabilities that add up to 1."""
    labels = np.flatnonzero(probabilities >= LEAST_PROBABILITY)
    kept = probabilities[labels] / probabilities[labels].sum()
    return SoftSpan(start, end, tuple(labels.tolist()), tuple(round(float(value), 3) for value in kept))
