"""The cutter, which joins atoms to words and finds the ends of sentences: its lessons, network and loss.

A lesson is one to four sentences of a treebank as running text. For every atom the network says whether it belongs to
the word before it, and whether a sentence ends with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from sema_reader.pieces import UNSPACED, Cutter
from sema_ud.atoms import PieceCutter, atoms
from torch import Tensor, nn
from torch.nn import functional as F

from training.encoder import Encoder, Shape
from training.loop import Plan
from training.trees.batches import IGNORED, UNNAMED, Inventory
from training.trees.treebanks import Example

LAYERS, TOTAL = 4, 60_000
PLAN = partial(Plan, pieces=2_000, warm_up=0.05, seed=7)
FASTER = {"encoder.kind": 5.0, "encoder.overlap": 5.0, "join": 6.0, "ends": 6.0}
LONGEST = 300
"""Pieces of a lesson at most; longer ones are left out."""
MOST = 4
"""Sentences of a lesson at most."""
COPIES = 6.0
"""How often lessons in scripts without spaces are read in one pass; others once."""


class CuttingNetwork(nn.Module):
    """Embedded pieces of running text to scores of joining the word before, and of ending a sentence."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.encoder = Encoder(shape)
        self.drop = nn.Dropout(0.1)
        self.join, self.ends = nn.Linear(shape.width, 1), nn.Linear(shape.width, 1)

    def forward(self, pieces: Tensor, treebanks: Tensor, marks: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Both scores (batch, pieces); marks and mask are (batch, pieces), treebanks (batch)."""
        states = self.drop(self.encoder(pieces, treebanks[:, None].expand(mask.shape), marks, mask))
        return self.join(states)[..., 0], self.ends(states)[..., 0]


def network(shape: Shape, _: Inventory) -> CuttingNetwork:
    """An untrained network."""
    return CuttingNetwork(shape)


@dataclass(frozen=True)
class Lesson:
    """Running text: for each piece its id, its mark, and the gold answers: joined or not, end or not, or ignored."""

    treebank: int
    columns: NDArray[np.int32]
    copies: float

    @property
    def size(self) -> int:
        """Its pieces, those before and after it included."""
        return self.columns.shape[1] + 2


def lessons(
    examples: Sequence[Example], inventory: Inventory, cutter: Cutter, rng: np.random.Generator
) -> list[Lesson]:
    """Neighbouring sentences as running text."""
    atom_cutter = PieceCutter(cutter)
    by_name: dict[str, list[Example]] = defaultdict(list)
    for one in examples:
        by_name[one.treebank].append(one)
    found = []
    for name, some in by_name.items():
        at = 0
        while at < len(some):
            count = int(rng.integers(1, MOST + 1))
            made = _lesson(some[at : at + count], inventory.treebanks.index(name), atom_cutter)
            at += count
            if made.size <= LONGEST:
                found.append(made)
    return found


def _lesson(sentences: Sequence[Example], treebank: int, cutter: PieceCutter) -> Lesson:
    text = ""
    begins, finals = set(), set()
    for sentence in sentences:
        for word, space in zip(sentence.tree.words, sentence.spaces, strict=True):
            begins.add(len(text))
            text += word + (" " if space else "")
        finals.add(len(text.rstrip()))
        if not text.endswith(" ") and not UNSPACED.search(text[-1:] + sentence.tree.words[0]):
            text += " "
    parts = atoms(text)
    cut = cutter.cut(text, parts)
    joined, ends = np.full((2, len(cut.ids)), IGNORED)
    last = len(text.rstrip())
    for part, first in zip(parts, cut.firsts, strict=True):
        if not part.spaced:
            joined[first] = part.start not in begins
        if part.end != last:
            ends[first] = part.end in finals
    often = COPIES if UNSPACED.search(text) else 1.0
    return Lesson(treebank, np.array([cut.ids, cut.marks, joined, ends], np.int32), often)


def loss_of(network: CuttingNetwork, table: Tensor, cutter: Cutter, chosen: Sequence[Lesson]) -> Tensor:
    """The loss of a batch in training."""
    columns = np.empty((4, len(chosen), max(one.size for one in chosen)), np.int64)
    columns[:] = np.reshape((1, 0, IGNORED, IGNORED), (4, 1, 1))
    for row, one in enumerate(chosen):
        columns[:, row, 1 : one.size - 1] = one.columns
        columns[0, row, [0, one.size - 1]] = cutter.begin, cutter.end
    ids, marks, *gold = torch.from_numpy(columns)
    sizes = torch.tensor([one.size for one in chosen])
    precision = network.join.weight.dtype
    mask = (torch.arange(ids.shape[1]) < sizes[:, None]).to(precision)
    treebanks = torch.tensor([one.treebank for one in chosen])
    treebanks = treebanks * (torch.rand(treebanks.shape) >= UNNAMED)
    scores = network(table[ids].to(precision), treebanks, marks, mask)
    return torch.stack([_loss(*pair) for pair in zip(scores, gold, strict=True)]).sum()


def _loss(scores: Tensor, gold: Tensor) -> Tensor:
    known = gold != IGNORED
    return F.binary_cross_entropy_with_logits(scores.float()[known], gold[known].float())
