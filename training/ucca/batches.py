"""Examples as padded tensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from sema_ucca.pieces import Pieced, PieceTokenizer, all_spans, piece_batch
from sema_ucca.remotes import FEATURE_GROUPS, arrays_of, units_of
from sema_ucca.trees import Tree
from torch import Tensor

from training.loop import similar_batches
from training.ucca.data import Example, Inventory

MAX_WORDS = 160
"""Longer sentences are left out of training: their spans would fill the memory, and there are very few."""
IGNORED = -100
_GROUPS = np.cumsum((0, *FEATURE_GROUPS[:-1]))
"""Where the numbers of each group of a pair's features begin."""


class Units(NamedTuple):
    """A gold tree's units: each one's first and last word, its category and that of the unit above it (units); the
    features of pairs (parents, children, 3), numbered through all groups; and their remote edges (parents, children):
    0 for none, :data:`IGNORED` where none is possible."""

    first: Tensor
    last: Tensor
    category: Tensor
    above: Tensor
    features: Tensor
    target: Tensor


class Lesson(NamedTuple):
    """The targets of one task for a batch: distributions of spans over labels (batch, spans, labels; all zero: not
    learned), and the units of each tree, if remote edges are learned from them."""

    spans: Tensor
    units: Sequence[Units]


class Batch(NamedTuple):
    """A batch of sentences, with the targets of one or several tasks."""

    tensors: Mapping[str, Tensor]
    lessons: Mapping[str, Lesson]
    words: int


class Batcher:
    """Turns the examples of one task into batches."""

    def __init__(self, task: str, examples: Sequence[Example], inventory: Inventory, tokenizer: PieceTokenizer) -> None:
        """Remote edges are taught if the inventory has labels for them."""
        self.task, self.tokenizer = task, tokenizer
        self.examples = [example for example in examples if 0 < len(example.words) <= MAX_WORDS]
        self._labels, self._categories, self._remotes = (
            {name: index for index, name in enumerate(names)}
            for names in (inventory.labels, inventory.categories, inventory.remotes)
        )
        self.pieced: list[Pieced] = [tokenizer.sentence(example.tokens) for example in self.examples]

    def batch(self, group: Sequence[int]) -> Batch:
        """The batch of the examples with these indexes."""
        words = [self.examples[index].words for index in group]
        arrays = piece_batch([self.pieced[index] for index in group], words, self.tokenizer)
        starts, ends = all_spans(arrays["first"].shape[1])
        tensors = {name: torch.from_numpy(array) for name, array in {**arrays, "starts": starts, "ends": ends}.items()}
        return Batch(tensors, {self.task: self.lesson(group)}, sum(map(len, words)))

    def lesson(self, group: Sequence[int]) -> Lesson:
        """The targets of the examples with these indexes."""
        chosen = [self.examples[index] for index in group]
        most = max(len(example.words) for example in chosen)
        target = np.zeros((len(chosen), most, most, len(self._labels)), np.float32)
        for cells, example in zip(target, chosen, strict=True):
            size = len(example.words)
            cells[:size, :size, 0] = 1
            if example.soft is not None:
                starts, ends, labels = example.soft.places
                cells[starts, ends, 0] = 0
                cells[starts, ends, labels] = example.soft.probabilities
                continue
            for (start, end), label in example.spans.items():
                cells[start, end - 1, 0] = 0
                if label in self._labels:
                    cells[start, end - 1, self._labels[label]] = 1
        spans = torch.from_numpy(target[:, *all_spans(most)])
        return Lesson(spans, list(self._units(chosen)) if self._remotes else [])

    def _units(self, chosen: Sequence[Example]) -> Iterator[Units]:
        trees = [example.tree or Tree(example.words, {}) for example in chosen]
        units = [units_of(tree) for tree in trees]
        arrays = arrays_of(units, self._categories)
        ends = np.cumsum([len(one.refs) for one in units])[:-1]
        columns = (np.split(one, ends) for one in (arrays.first, arrays.last, arrays.category, arrays.above))
        for tree, one, *own, features, allowed in zip(
            trees, units, *columns, arrays.features, arrays.allowed, strict=True
        ):
            target = np.where(allowed, 0, IGNORED)
            place = {ref: index for index, ref in enumerate(one.refs)}
            for parent, child, label in tree.remotes:
                pair = place[parent], place[child]
                if allowed[pair]:
                    target[pair] = self._remotes.get(label, IGNORED)
            grouped = np.stack(np.unravel_index(features, FEATURE_GROUPS), -1) + _GROUPS
            yield Units(*map(torch.from_numpy, (*own, grouped, target)))


def epoch(batchers: Sequence[Batcher], rng: np.random.Generator, pieces: int, spans: int) -> list[Batch]:
    """All examples once, in batches of like length, in random order.

    Several batchers have the same sentences in the same order, with targets of several tasks.
    """
    first, *others = batchers
    sizes = [(len(pieced.ids),) for pieced in first.pieced]
    groups = similar_batches(
        sizes, len(sizes), lambda count, size: count * size[0] <= pieces and count * size[0] ** 2 <= spans * 2, rng
    )
    return [
        batch._replace(lessons={**batch.lessons, **{other.task: other.lesson(group) for other in others}})
        for group in groups
        for batch in [first.batch(group)]
    ]
