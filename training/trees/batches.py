"""Sentences as flat arrays of pieces and words, and padded batches of similar length."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sema_reader.pieces import Cutter
from sema_ud.atoms import PieceCutter
from sema_ud.trees import has_value
from torch import Tensor, nn

from sema.runtime import batching
from training.e5 import begin_as_e5
from training.encoder import Encoder, Shape
from training.loop import Plan, learn_further
from training.trees.treebanks import RELATIVE, Example

LONGEST = 320
"""Pieces of a sentence at most; longer ones are left out."""
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


@dataclass(frozen=True)
class Batch:
    """Padded arrays: of pieces (batch, pieces), of words (batch, words), of treebanks (batch)."""

    ids: Tensor
    mask: Tensor
    pool: Tensor
    treebanks: Tensor
    heads: Tensor
    relations: Tensor
    tags: Tensor
    relative: Tensor


@dataclass(frozen=True)
class Row:
    """A sentence in numbers: each word's pieces, head (0: the root), relation, tag, and whether it is a relative
    pronoun."""

    treebank: int
    pieces: Sequence[Sequence[int]]
    labels: NDArray[np.int64]
    copies: float = 1.0

    @property
    def size(self) -> int:
        """Its pieces."""
        return sum(map(len, self.pieces)) + 2


def rows(examples: Sequence[Example], inventory: Inventory, cutter: PieceCutter) -> list[Row]:
    """The sentences in numbers; those that are too long are left out."""
    treebanks = {name: number for number, name in enumerate(inventory.treebanks)}
    tags = {name: number for number, name in enumerate(inventory.tags)}
    relations: dict[str, int] = {}
    found = []
    for one in examples:
        tree = one.tree
        for relation in tree.relations:
            if relation not in relations:
                relations[relation] = inventory.relation(relation)
        features = tree.features or ("",) * len(tree)
        labels = [
            [head + 1 for head in tree.heads],
            [relations[relation] for relation in tree.relations],
            [tags[tag] for tag in tree.upos],
            [has_value(feature, RELATIVE) for feature in features],
        ]
        row = Row(treebanks[one.treebank], cutter.of_words(tree.words), np.array(labels, np.int64))
        if row.size <= LONGEST:
            found.append(row)
    return found


def batch_of(chosen: Sequence[Row], begin: int, end: int) -> Batch:
    """The rows, padded."""
    pieces, words = max(row.size for row in chosen), max(len(row.pieces) for row in chosen)
    ids = np.ones((len(chosen), pieces), np.int64)
    mask = np.zeros((len(chosen), pieces), np.float32)
    pool = np.zeros((len(chosen), words, pieces), np.float32)
    labels = np.full((4, len(chosen), words), IGNORED, np.int64)
    for number, row in enumerate(chosen):
        flat = [begin, *(piece for word in row.pieces for piece in word), end]
        ids[number, : len(flat)], mask[number, : len(flat)] = flat, 1
        at = 1
        for place, word in enumerate(row.pieces):
            pool[number, place, at : at + len(word)] = 1 / len(word)
            at += len(word)
        labels[:, number, : len(row.pieces)] = row.labels
    heads, relations, tags, relative = (torch.from_numpy(one) for one in labels)
    treebanks = torch.tensor([row.treebank for row in chosen])
    of_ids, of_mask, of_pool = (torch.from_numpy(one) for one in (ids, mask, pool))
    return Batch(of_ids, of_mask, of_pool, treebanks, heads, relations, tags, relative)


class Sized(Protocol):
    """An example of ``size`` pieces that is read ``copies`` times, on average, in one pass."""

    @property
    def copies(self) -> float: ...  # noqa: D102
    @property
    def size(self) -> int: ...  # noqa: D102


One = TypeVar("One", bound=Sized)


def batches(given: Sequence[One], most: int, rng: np.random.Generator) -> Iterator[list[One]]:
    """One pass in batches of similar length, of at most ``most`` pieces with padding."""
    drawn: list[One] = []
    for one in given:
        drawn += [one] * (int(one.copies) + int(rng.random() < one.copies % 1))
    drawn = [drawn[place] for place in rng.permutation(len(drawn))]
    for start in range(0, len(drawn), _WINDOW):
        window = drawn[start : start + _WINDOW]
        made = batching.batches([(one.size,) for one in window], lambda count, size: count * size[0] <= most)
        for place in rng.permutation(len(made)):
            yield [window[index] for index in made[place]]


Network = TypeVar("Network", bound=nn.Module)


@dataclass(frozen=True)
class Task(Generic[Network, One]):
    """What a network learns: parser and cutter are tasks of one form.

    ``layers`` of its encoder are the first ones of multilingual-e5-small; ``total`` examples are read; ``plan`` is made
    of their number and the peak rate; ``faster`` multiplies it for parameters that the encoder does not initialise;
    ``lessons`` leaves out sentences that are too long; ``figures`` are percentages of held-out lessons by treebank.
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
        begin_as_e5(cast(Encoder, network.encoder))
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
