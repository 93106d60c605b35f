"""The parser: its lessons, network and loss.

An encoder's states of a word's pieces are averaged; a biaffine layer scores every word as the head of every other
(Dozat and Manning, ICLR 2017), and a layer over both words' vectors scores the relations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from sema_reader.pieces import Cutter
from sema_ud.atoms import PieceCutter
from sema_ud.trees import has_value
from torch import Tensor, nn
from torch.nn import functional as F

from training.encoder import Encoder, Shape
from training.loop import Plan
from training.trees.batches import IGNORED, UNNAMED, Inventory
from training.trees.treebanks import RELATIVE, Example

LAYERS, TOTAL = 6, 300_000
PLAN = partial(Plan, pieces=1_600, warm_up=0.05, seed=5)
FASTER = {
    "encoder.kind": 5.0, **dict.fromkeys(("root", "dependent", "governor", "arc", "label", "tag", "relative"), 6.0)
}  # fmt: skip
LONGEST = 320
"""Pieces of a sentence at most; longer ones are left out."""
UNSEEN = 0.08
"""The share of pieces that are hidden."""
HIDDEN_ARC = -1e4
ENGLISH, ENGLISH_COPIES = "en_ewt", 0.4
"""English, which has a parser of its own, is read less often."""


class TreeNetwork(nn.Module):
    """Embedded pieces of a sentence to scores of heads and relations, parts of speech and relative pronouns."""

    def __init__(self, shape: Shape, tags: int, relations: int, arcs: int = 256, labels: int = 192) -> None:
        super().__init__()
        self.encoder = Encoder(shape)
        width = shape.width
        self.drop = nn.Dropout(0.15)
        self.root = nn.Parameter(torch.randn(width) * 0.02)
        self.dependent, self.governor = nn.Linear(width, arcs), nn.Linear(width, arcs)
        self.arc = nn.Linear(arcs + 1, arcs, bias=False)
        self.label_dependent, self.label_governor = nn.Linear(width, labels), nn.Linear(width, labels)
        self.label_both = nn.Linear(arcs, labels)
        self.label = nn.Linear(labels, relations)
        self.tag = nn.Linear(width, tags)
        self.relative = nn.Linear(width, 1)
        nn.init.zeros_(self.arc.weight)

    def words(self, pieces: Tensor, treebanks: Tensor, mask: Tensor, pool: Tensor) -> Tensor:
        """The states of words (batch, words, width); arguments as for :meth:`forward`."""
        kinds = treebanks[:, None].expand(mask.shape)
        return self.drop(pool @ self.encoder(pieces, kinds, torch.zeros_like(kinds), mask))

    def arcs(self, words: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Scores of heads (batch, words, words + 1), the root first; the words as dependents and as heads; and the
        states that may govern (batch, words + 1, width): the root's, then those of words."""
        nodes = torch.cat([self.root.expand(words.shape[0], 1, -1), words], 1)
        dependent, governor = F.gelu(self.dependent(words)), F.gelu(self.governor(nodes))
        one = torch.ones_like(dependent[..., :1])
        scores = self.arc(torch.cat([dependent, one], -1)) @ governor.transpose(1, 2)
        return scores, dependent, governor, nodes

    def labels(self, dependent: Tensor, governor: Tensor, down: Tensor, up: Tensor) -> Tensor:
        """Scores of relations (…, relations) of words to heads: as :meth:`arcs` has them, and their own shares."""
        return self.label(F.gelu(down + up + self.label_both(dependent * governor)))

    def forward(
        self, pieces: Tensor, treebanks: Tensor, mask: Tensor, pool: Tensor, heads: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Scores of heads (batch, words, words + 1), of the relations to the given heads (batch, words, relations), of
        tags (batch, words, tags) and of relative pronouns (batch, words).

        ``pieces`` are embedded (batch, pieces, width), ``pool`` is each word's share in each piece (batch, words,
        pieces); of ``heads`` (batch, words) 0 is the root and 1 the first word.
        """
        words = self.words(pieces, treebanks, mask, pool)
        scores, dependent, governor, nodes = self.arcs(words)
        above, governor = (one.gather(1, heads[..., None].expand(-1, -1, one.shape[-1])) for one in (nodes, governor))
        relations = self.labels(dependent, governor, self.label_dependent(words), self.label_governor(above))
        return scores, relations, self.tag(words), self.relative(words)[..., 0]


def network(shape: Shape, inventory: Inventory) -> TreeNetwork:
    """An untrained network."""
    return TreeNetwork(shape, len(inventory.tags), len(inventory.relations))


@dataclass(frozen=True)
class Lesson:
    """A sentence in numbers: each word's pieces, and its head (0: the root), relation, tag, and whether it is a
    relative pronoun (4, words)."""

    treebank: int
    pieces: Sequence[Sequence[int]]
    labels: NDArray[np.int64]
    copies: float = 1.0

    @property
    def size(self) -> int:
        """Its pieces, those before and after it included."""
        return sum(map(len, self.pieces)) + 2


def lessons(examples: Sequence[Example], inventory: Inventory, cutter: Cutter, _: np.random.Generator) -> list[Lesson]:
    """The sentences in numbers; those that are too long are left out."""
    word_cutter = PieceCutter(cutter)
    treebanks, tags = ({name: at for at, name in enumerate(names)} for names in (inventory.treebanks, inventory.tags))
    relations = {name: inventory.relation(name) for name in {name for one in examples for name in one.tree.relations}}
    found = []
    for one in examples:
        tree = one.tree
        labels = [
            [head + 1 for head in tree.heads],
            [relations[relation] for relation in tree.relations],
            [tags[tag] for tag in tree.upos],
            [has_value(feature, RELATIVE) for feature in tree.features or ("",) * len(tree)],
        ]
        lesson = Lesson(treebanks[one.treebank], word_cutter.of_words(tree.words), np.array(labels, np.int64))
        if lesson.size <= LONGEST:
            found.append(lesson)
    return found


def weighted(given: Sequence[Lesson], inventory: Inventory) -> list[Lesson]:
    """The sentences, those of small treebanks to be read more often, at most twice, and English ones less often."""
    counts = Counter(one.treebank for one in given)
    often = {number: min(2.0, max(1.0, (1800 / count) ** 0.5)) for number, count in counts.items()}
    often[inventory.treebanks.index(ENGLISH)] = ENGLISH_COPIES
    return [replace(one, copies=often[one.treebank]) for one in given]


def padded(chosen: Sequence[Lesson], cutter: Cutter) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Ids and mask (batch, pieces), the share of each piece in each word (batch, words, pieces), and the labels (4,
    batch, words)."""
    pieces, words = max(one.size for one in chosen), max(len(one.pieces) for one in chosen)
    ids = np.ones((len(chosen), pieces), np.int64)
    mask = np.zeros((len(chosen), pieces), np.float32)
    pool = np.zeros((len(chosen), words, pieces), np.float32)
    labels = np.full((4, len(chosen), words), IGNORED, np.int64)
    for number, one in enumerate(chosen):
        flat = [cutter.begin, *(piece for word in one.pieces for piece in word), cutter.end]
        ids[number, : len(flat)], mask[number, : len(flat)] = flat, 1
        at = 1
        for place, word in enumerate(one.pieces):
            pool[number, place, at : at + len(word)] = 1 / len(word)
            at += len(word)
        labels[:, number, : len(one.pieces)] = one.labels
    return torch.from_numpy(ids), torch.from_numpy(mask), torch.from_numpy(pool), torch.from_numpy(labels)


def loss_of(network: TreeNetwork, table: Tensor, cutter: Cutter, chosen: Sequence[Lesson]) -> Tensor:
    """The loss of a batch in training: of heads, relations, tags and relative pronouns."""
    ids, mask, pool, labels = padded(chosen, cutter)
    treebanks, precision = torch.tensor([one.treebank for one in chosen]), network.root.dtype
    ids = torch.where(torch.rand(ids.shape) < UNSEEN, torch.full_like(ids, Cutter.unknown), ids)
    treebanks = treebanks * (torch.rand(treebanks.shape) >= UNNAMED)
    known = labels[0] != IGNORED
    scores, relations, tags, relative = network(
        table[ids].to(precision), treebanks, mask.to(precision), pool.to(precision), labels[0].clamp(min=0)
    )
    scores = scores.float().masked_fill(F.pad(~known, (1, 0))[:, None], HIDDEN_ARC)
    targets = (scores, 1.0), (relations.float(), 1.0), (tags.float(), 0.4)
    total = sum(
        share * F.cross_entropy(one[known], own[known]) for (one, share), own in zip(targets, labels, strict=False)
    )
    return total + 0.5 * F.binary_cross_entropy_with_logits(relative.float()[known], labels[3][known].float())
