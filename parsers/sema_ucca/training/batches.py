"""Examples as padded tensors."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import torch
from torch import Tensor

from sema_ucca.pieces import Pieced, PieceTokenizer, all_spans, piece_batch
from sema_ucca.remotes import unit_arrays, units_of
from sema_ucca.training.data import Example, bucketed
from sema_ucca.trees import Tree

MOST_WORDS = 160
"""Longer sentences are left out of training: their spans would fill the memory, and there are very few."""


@dataclass(frozen=True)
class Batch:
    """A batch of one task; ``units`` is empty unless remote edges are learned from it."""

    task: str
    tensors: Mapping[str, Tensor]
    weights: Tensor
    units: Mapping[str, Tensor]
    words: int


class Batcher:
    """Turns the examples of one task into batches."""

    def __init__(
        self,
        task: str,
        examples: Sequence[Example],
        labels: Sequence[str],
        tokenizer: PieceTokenizer,
        *,
        categories: Sequence[str] = (),
        remotes: Sequence[str] = (),
    ) -> None:
        """``categories`` and ``remotes`` are the inventories of the classifier of remote edges (index 0: none)."""
        self.task = task
        self.categories = {label: index for index, label in enumerate(categories)}
        self.remotes = {label: index for index, label in enumerate(remotes)}
        self.examples = [example for example in examples if 0 < len(example.words) <= MOST_WORDS]
        self.labels = {label: index for index, label in enumerate(labels)}
        self.tokenizer = tokenizer
        self.pieced: list[Pieced] = [tokenizer.sentence(example.tokens) for example in self.examples]
        self.lengths = [len(pieced.ids) for pieced in self.pieced]

    def epoch(self, rng: random.Random, pieces: int, spans: int) -> list[Batch]:
        """All examples once, in batches of like length, in random order."""
        order = list(range(len(self.examples)))
        rng.shuffle(order)
        groups = bucketed(self.lengths, pieces, spans, order)
        rng.shuffle(groups)
        return [self.batch(group) for group in groups]

    def batch(self, group: Sequence[int]) -> Batch:
        """The batch of the examples with these indexes."""
        chosen = [self.examples[index] for index in group]
        arrays = piece_batch([self.pieced[index] for index in group], [e.words for e in chosen], self.tokenizer)
        most = arrays["first"].shape[1]
        starts, ends = all_spans(most)
        target = np.full((len(chosen), most, most), -100, np.int64)
        for row, example in enumerate(chosen):
            size = len(example.words)
            target[row, :size, :size] = 0
            for (start, end), label in example.spans.items():
                target[row, start, end - 1] = self.labels.get(label, -100)
        tensors = {name: torch.from_numpy(array) for name, array in {**arrays, "starts": starts, "ends": ends}.items()}
        tensors["target"] = torch.from_numpy(target[:, starts, ends])
        weights = torch.ones(tensors["target"].shape)
        words = sum(len(example.words) for example in chosen)
        return Batch(self.task, tensors, weights, self._units(chosen) if self.remotes else {}, words)

    def _units(self, chosen: Sequence[Example]) -> dict[str, Tensor]:
        """The gold trees' units, and the remote edge (or none, 0) of every pair that may have one."""
        trees = [cast(Tree, example.tree) for example in chosen]
        units = [units_of(tree) for tree in trees]
        arrays, allowed = unit_arrays(units, self.categories)
        target = np.where(allowed, 0, -100)
        for row, (tree, found) in enumerate(zip(trees, units, strict=True)):
            place = {ref: index for index, ref in enumerate(found.refs)}
            for parent, child, label in tree.remotes:
                pair = row, place[parent], place[child]
                if allowed[pair]:
                    target[pair] = self.remotes.get(label, -100)
        return {name: torch.from_numpy(array) for name, array in {**arrays, "target": target}.items()}
