"""What parser and cutter share: their classes, batches of similar length, and the loop.

The modules :mod:`training.trees.parsing` and :mod:`training.trees.cutting` are tasks of one form: ``LAYERS`` of the
encoder (the first ones of multilingual-e5-small), ``TOTAL`` examples that are read, ``PLAN``, which takes their number
and the peak rate, ``FASTER`` (multipliers of the rate for parameters that the encoder does not initialise),
``network(shape, inventory)``, ``lessons(examples, inventory, cutter, rng)`` without sentences that are too long, and
``loss_of(network, table, cutter, chosen)``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import torch
from sema_reader.pieces import Cutter
from torch import Tensor, nn

from training.e5 import begin_as_e5
from training.encoder import Shape
from training.loop import Plan, learn_further, similar_batches
from training.trees.treebanks import Example

LEAST = 200
"""A subtype of a relation has a label of its own if it occurs at least this often."""
IGNORED = -100
UNNAMED = 0.15
"""The share of examples whose treebank is not given in training, as it is not for languages without one."""
_WINDOW = 4000
"""Examples that are sorted by length together."""


@dataclass(frozen=True)
class Inventory:
    """The classes of the network: treebanks (the first stands for any other language), tags and relations."""

    treebanks: tuple[str, ...]
    tags: tuple[str, ...]
    relations: tuple[str, ...]

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Inventory:
        """All that occur, except rare subtypes of relations."""
        relations = Counter(relation for one in examples for relation in one.tree.relations)
        plain = {relation.split(":")[0] for relation in relations} - {"root"}
        common = {relation for relation, count in relations.items() if ":" in relation and count >= LEAST}
        return cls(
            ("", *sorted({one.treebank for one in examples})),
            tuple(sorted({tag for one in examples for tag in one.tree.upos})),
            ("root", *sorted(plain | common)),
        )

    def relation(self, name: str) -> int:
        """The number of a relation, or of the one that it is a subtype of."""
        return self.relations.index(name if name in self.relations else name.split(":")[0])


def batches(lessons: Sequence[Any], most: int, rng: np.random.Generator) -> Iterator[list[Any]]:
    """One pass in batches of similar length, of at most ``most`` pieces with padding; a lesson of ``size`` pieces is
    read ``copies`` times on average."""
    drawn: list[Any] = []
    for one in lessons:
        drawn += [one] * (int(one.copies) + int(rng.random() < one.copies % 1))
    sizes = [(one.size,) for one in drawn]
    for group in similar_batches(sizes, _WINDOW, lambda count, size: count * size[0] <= most, rng):
        yield [drawn[index] for index in group]


def begin(task: ModuleType, inventory: Inventory) -> Any:
    """A task's network before training, on the encoder's first layers."""
    torch.manual_seed(1)
    network = task.network(Shape(layers=task.LAYERS, kinds=len(inventory.treebanks)), inventory)
    begin_as_e5(network.encoder)
    return network


def learn(
    task: ModuleType, network: nn.Module, table: Tensor, cutter: Cutter, lessons: Sequence[Any], plan: Plan, to: Path
) -> Any:
    """Train a task's network in place; a stopped run resumes (:func:`training.loop.learn_further`)."""
    return learn_further(
        network,
        lambda rng: batches(lessons, plan.pieces, rng),
        lambda at_work, chosen: task.loss_of(at_work, table, cutter, chosen),
        to,
        plan,
        faster=task.FASTER,
        device=table.device,
    )


@torch.no_grad()
def mean_loss(task: ModuleType, network: nn.Module, table: Tensor, cutter: Cutter, lessons: Sequence[Any]) -> float:
    """The mean loss of a network over lessons, batch by batch."""
    torch.manual_seed(1)
    drawn = batches(lessons, task.PLAN(1, 1).pieces, np.random.default_rng(1))
    return float(np.mean([task.loss_of(network.eval(), table, cutter, chosen) for chosen in drawn]))
