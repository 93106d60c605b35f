"""How the parser and the cutter of all languages are trained: both are tasks of one form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar, cast

import numpy as np
import torch
from sema_reader.e5 import load_e5
from sema_reader.pieces import Cutter
from torch import Tensor, nn

from training.loop import Plan, learn_further
from training.reader.e5 import parameters
from training.reader.network import Encoder, Shape, begin_as
from training.trees.batches import Inventory, One, batches
from training.trees.treebanks import Example

Network = TypeVar("Network", bound=nn.Module)


@dataclass(frozen=True)
class Task(Generic[Network, One]):
    """What a network learns.

    Attributes:
        layers: of its encoder, the first ones of multilingual-e5-small.
        total: examples that are read in all.
        plan: a plan from the examples that are read in all and the peak rate.
        faster: multipliers of the rate, by the beginnings of the names of parameters that the encoder does not
            initialise.
        network: the network before training.
        lessons: sentences as the network reads them; those that are too long are left out.
        loss: of a batch in training.
        figures: of held-out lessons in percent, by treebank.
    """

    layers: int
    total: int
    plan: Callable[..., Plan]
    faster: Mapping[str, float]
    network: Callable[[Shape, Inventory], Network]
    lessons: Callable[[Sequence[Example], Inventory, Cutter, np.random.Generator], list[One]]
    loss: Callable[[Network, Tensor, Cutter, Sequence[One]], Tensor]
    figures: Callable[[Network, Tensor, Cutter, Sequence[One], Inventory], dict[str, dict[str, float]]]

    def begin(self, inventory: Inventory) -> Network:
        """The network before training, on the encoder's first layers."""
        torch.manual_seed(1)
        network = self.network(Shape(layers=self.layers, kinds=len(inventory.treebanks)), inventory)
        given = parameters(load_e5(), range(self.layers))
        begin_as(cast(Encoder, network.encoder), {name: torch.from_numpy(value.copy()) for name, value in given})
        return network

    def learn(
        self, network: Network, table: Tensor, cutter: Cutter, given: Sequence[One], plan: Plan, to: Path
    ) -> Network:
        """Train in place; a stopped run resumes (:func:`training.loop.learn_further`)."""
        return learn_further(
            network,
            lambda rng: batches(given, plan.pieces, rng),
            lambda at_work, chosen: self.loss(at_work, table, cutter, chosen),
            to,
            plan,
            faster=self.faster,
            device=table.device,
        )
