"""Examples as padded tensors."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from sema_ucca.pieces import Pieced, PieceTokenizer, all_spans, piece_batch
from sema_ucca.remotes import FEATURE_GROUPS, Bools, Ints, Units, arrays_of, units_of
from sema_ucca.trees import Tree
from torch import Tensor

from sema.runtime.batching import batches
from training.ucca.data import Example, Inventory

MAX_WORDS = 160
"""Longer sentences are left out of training: their spans would fill the memory, and there are very few."""


@dataclass(frozen=True)
class Lesson:
    """The targets of one task for a batch; ``units`` is empty unless remote edges are learned from it.

    ``target`` (batch, spans) holds label indexes (-100: not learned), ``soft`` (batch, spans, labels) distributions in
    their place (all zero: not learned).
    """

    target: Tensor
    soft: Tensor | None
    units: Mapping[str, Tensor]


@dataclass(frozen=True)
class Batch:
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
        chosen = [self.examples[index] for index in group]
        arrays = piece_batch([self.pieced[index] for index in group], [e.words for e in chosen], self.tokenizer)
        starts, ends = all_spans(arrays["first"].shape[1])
        tensors = {name: torch.from_numpy(array) for name, array in {**arrays, "starts": starts, "ends": ends}.items()}
        return Batch(tensors, {self.task: self.lesson(group)}, sum(len(example.words) for example in chosen))

    def lesson(self, group: Sequence[int]) -> Lesson:
        """The targets of the examples with these indexes."""
        chosen = [self.examples[index] for index in group]
        most = max(len(example.words) for example in chosen)
        starts, ends = all_spans(most)
        target = np.full((len(chosen), most, most), -100, np.int64)
        for row, example in enumerate(chosen):
            size = len(example.words)
            target[row, :size, :size] = 0
            for (start, end), label in example.spans.items():
                target[row, start, end - 1] = self._labels.get(label, -100)
        soft = self._soft(chosen, most) if chosen[0].soft is not None else None
        return Lesson(torch.from_numpy(target[:, starts, ends]), soft, self._units(chosen) if self._remotes else {})

    def _soft(self, chosen: Sequence[Example], most: int) -> Tensor:
        """The distributions of all spans over labels."""
        starts, ends = all_spans(most)
        place = np.zeros((most, most), np.int64)
        place[starts, ends] = np.arange(len(starts))
        target = np.zeros((len(chosen), len(starts), len(self._labels)), np.float32)
        for row, example in enumerate(chosen):
            size = len(example.words)
            target[row, (ends < size), 0] = 1.0
            for span in example.soft or ():
                cell = target[row, place[span.start, span.end - 1]]
                cell[0] = 0.0
                cell[list(span.labels)] = span.probabilities
        return torch.from_numpy(target)

    def _units(self, chosen: Sequence[Example]) -> dict[str, Tensor]:
        """The gold trees' units, and the remote edge (or none, 0) of every pair that may have one."""
        trees = [example.tree or Tree(example.words, {}) for example in chosen]
        units = [units_of(tree) for tree in trees]
        arrays, allowed = unit_arrays(units, self._categories)
        target = np.where(allowed, 0, -100)
        for row, (tree, placed) in enumerate(zip(trees, units, strict=True)):
            place = {ref: index for index, ref in enumerate(placed.refs)}
            for parent, child, label in tree.remotes:
                pair = row, place[parent], place[child]
                if allowed[pair]:
                    target[pair] = self._remotes.get(label, -100)
        return {name: torch.from_numpy(array) for name, array in {**arrays, "target": target}.items()}


def epoch(batchers: Sequence[Batcher], rng: random.Random, pieces: int, spans: int) -> list[Batch]:
    """All examples once, in batches of like length, in random order.

    Several batchers have the same sentences in the same order, with targets of several tasks.
    """
    first, *others = batchers
    order = list(range(len(first.examples)))
    rng.shuffle(order)
    groups = batches(
        [(len(pieced.ids),) for pieced in first.pieced],
        lambda count, size: count * size[0] <= pieces and count * size[0] ** 2 <= spans * 2,
        order=order,
    )
    rng.shuffle(groups)
    return [
        replace(batch, lessons={**batch.lessons, **{other.task: other.lesson(group) for other in others}})
        for group in groups
        for batch in [first.batch(group)]
    ]


def unit_arrays(batch: Sequence[Units], categories: Mapping[str, int]) -> tuple[dict[str, Ints], Bools]:
    """The units of a batch of trees, padded, for training: ``first``, ``last`` word, ``category``, ``above`` (batch,
    units), and ``features`` (batch, parents, children, 3), numbered through all groups; and the pairs that may have a
    remote edge (batch, parents, children).
    """
    most = max((len(units.refs) for units in batch), default=0) or 1
    padded = {name: np.zeros((len(batch), most), np.int64) for name in ("first", "last", "category", "above")}
    padded["features"] = np.zeros((len(batch), most, most, 3), np.int64)
    allowed = np.zeros((len(batch), most, most), np.bool_)
    arrays = arrays_of(batch, categories)
    end = 0
    for row, (units, features, fits) in enumerate(zip(batch, arrays.features, arrays.allowed, strict=True)):
        size = len(units.refs)
        part = slice(end, end := end + size)
        for name in ("first", "last", "category", "above"):
            padded[name][row, :size] = getattr(arrays, name)[part]
        padded["features"][row, :size, :size] = np.stack(np.unravel_index(features, FEATURE_GROUPS), -1)
        allowed[row, :size, :size] = fits
    padded["features"] += np.cumsum((0, *FEATURE_GROUPS[:-1]))
    return padded, allowed
