"""An ensemble of networks: its mean judgement of spans and remote edges, as trees and as distributions.

The mean probability of independently trained networks is more accurate than any of them; a single network that learns
from it on plain text keeps most of that (Hinton, Vinyals and Dean 2015; for parsers Kuncoro et al., EMNLP 2016).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from sema_ucca.decode import Floats, RemoteScorer, SpanScores, decode_trees
from sema_ucca.remotes import arrays_of, units_of
from sema_ucca.trees import Tree
from torch import Tensor

from training.ucca.batches import Batch, Batcher
from training.ucca.data import Inventories, Inventory, SoftSpan
from training.ucca.export import CHOICES
from training.ucca.learn import mixed_precision
from training.ucca.model import SpanParser

AT_A_TIME = 32
LEAST_PROBABILITY = 0.02
"""A span counts as null if all its labels together have less; labels with less are left out of its distribution."""


class Ensemble:
    """Networks with the same inventories. A single network is an ensemble too."""

    def __init__(self, models: Sequence[SpanParser], inventories: Inventories) -> None:
        self._models = [model.eval() for model in models]
        self._inventories = inventories
        self._scorers = {task: [_scorer(model, task, inventories[task]) for model in models] for task in inventories}

    def parse(self, batcher: Batcher) -> list[Tree]:
        """The trees of a batcher's examples by its task's convention, in their order."""
        return [by_task[batcher.task][0] for by_task in self.distil([batcher])]

    @torch.no_grad()
    def distil(self, batchers: Sequence[Batcher]) -> list[dict[str, tuple[Tree, tuple[SoftSpan, ...]]]]:
        """For each example its tree and the networks' judgement of each span, by each batcher's task.

        The batchers' examples are the same sentences in the same order; each is encoded once.
        """
        judged: list[dict[str, tuple[Tree, tuple[SoftSpan, ...]]]] = [{} for _ in batchers[0].examples]
        for group, batch in _batches(batchers[0]):
            states = self._states(batch)
            starts, ends = batch.tensors["starts"].numpy(), batch.tensors["ends"].numpy()
            for batcher in batchers:
                logs, trees = self._parsed(batcher, group, batch, states)
                for row, (index, tree) in enumerate(zip(group, trees, strict=True)):
                    probabilities = np.exp(logs[row])
                    kept = np.flatnonzero((ends < len(tree.words)) & (probabilities[:, 0] < 1 - LEAST_PROBABILITY))
                    soft = (_soft_span(int(starts[k]), int(ends[k]) + 1, probabilities[k]) for k in kept)
                    judged[index][batcher.task] = tree, tuple(soft)
        return judged

    def _states(self, batch: Batch) -> list[tuple[Tensor, Tensor]]:
        """Each network's states of pieces and of spans."""
        states_of = []
        for model in self._models:
            with mixed_precision():
                states, _ = model.encode(batch.tensors["ids"], batch.tensors["mask"])
                states_of.append((states, model.span_states(states, batch.tensors)))
        return states_of

    def _parsed(
        self, batcher: Batcher, group: Sequence[int], batch: Batch, states: Sequence[tuple[Tensor, Tensor]]
    ) -> tuple[Floats, list[Tree]]:
        """Logarithms of spans' mean probabilities (batch, spans, labels), and the trees."""
        total: Tensor | float = 0.0
        halves = []
        for model, (pieces, spans) in zip(self._models, states, strict=True):
            with mixed_precision():
                scores = model.scores(spans, batcher.task).float()
                half = model.remote_states(pieces, batch.tensors, batcher.task)
            total = total + torch.softmax(scores, -1)
            halves.append([one.float().numpy() for one in half])
        logs = (torch.as_tensor(total) / len(self._models)).clamp_min(1e-12).log().numpy()
        inventory, scorers = self._inventories[batcher.task], self._scorers[batcher.task]
        best = np.argsort(-logs[:, :, 1:], 2)[:, :, :CHOICES] + 1
        margins = np.take_along_axis(logs, best, 2) - logs[:, :, :1]
        words = [batcher.examples[index].words for index in group]
        trees = decode_trees([SpanScores(margins, best, words)], inventory.labels)
        units = [units_of(tree) for tree in trees]
        arrays = arrays_of(units, scorers[0].categories)
        edges = [scorer.scores(units, arrays, *half) for scorer, half in zip(scorers, halves, strict=True)]
        means = [np.mean(of_networks, 0) for of_networks in zip(*edges, strict=True)]
        return logs, list(map(scorers[0].with_edges, trees, units, arrays.allowed, means))


def _scorer(model: SpanParser, task: str, inventory: Inventory) -> RemoteScorer:
    weights = {name: value.numpy() for name, value in model.remotes[task].state_dict().items()}
    return RemoteScorer(weights, {label: k for k, label in enumerate(inventory.categories)}, inventory.remotes)


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
