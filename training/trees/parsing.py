"""The parser's network, its loss and its figures on held-out sentences.

An encoder's states of a word's pieces are averaged; a biaffine layer scores every word as the head of every other
(Dozat and Manning, ICLR 2017), and a layer over both words' vectors scores the relations.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np
import torch
from sema_reader.pieces import Cutter
from sema_ud.arborescence import best_tree
from sema_ud.atoms import PieceCutter
from torch import Tensor, nn
from torch.nn import functional as F

from training.encoder import Encoder, Shape
from training.loop import Plan
from training.trees.batches import IGNORED, UNNAMED, Inventory, Row, Task, batch_of, rows
from training.trees.treebanks import Example

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

    def nodes(self, words: Tensor) -> Tensor:
        """The states that may govern (batch, words + 1, width): the root's, then those of words."""
        return torch.cat([self.root.expand(words.shape[0], 1, -1), words], 1)

    def arcs(self, words: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Scores of heads (batch, words, words + 1), the root first; the words as dependents and as heads."""
        heads = self.nodes(words)
        dependent, governor = F.gelu(self.dependent(words)), F.gelu(self.governor(heads))
        one = torch.ones_like(dependent[..., :1])
        scores = self.arc(torch.cat([dependent, one], -1)) @ governor.transpose(1, 2)
        return scores, dependent, governor

    def labels(self, words: Tensor, dependent: Tensor, heads: Tensor, governor: Tensor) -> Tensor:
        """Scores of relations of dependents to heads, whose shapes agree (…, relations)."""
        both = self.label_both(dependent * governor)
        return cast(Tensor, self.label(F.gelu(self.label_dependent(words) + self.label_governor(heads) + both)))

    def forward(
        self, pieces: Tensor, treebanks: Tensor, mask: Tensor, pool: Tensor, heads: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Scores of heads (batch, words, words + 1), of the relations to the given heads (batch, words, relations), of
        tags (batch, words, tags) and of relative pronouns (batch, words).

        ``pieces`` are embedded (batch, pieces, width), ``pool`` is each word's share in each piece (batch, words,
        pieces); of ``heads`` (batch, words) 0 is the root and 1 the first word.
        """
        words = self.words(pieces, treebanks, mask, pool)
        scores, dependent, governor = self.arcs(words)
        relations = self.labels(words, dependent, _rows(self.nodes(words), heads), _rows(governor, heads))
        return scores, relations, self.tag(words), self.relative(words)[..., 0]


def _rows(values: Tensor, places: Tensor) -> Tensor:
    """The rows at some places: (batch, n, width), (batch, m) to (batch, m, width)."""
    return values.gather(1, places[..., None].expand(-1, -1, values.shape[-1]))


def lessons(examples: Sequence[Example], inventory: Inventory, cutter: Cutter, _: np.random.Generator) -> list[Row]:
    """The sentences in numbers."""
    return rows(examples, inventory, PieceCutter(cutter))


def weighted(given: Sequence[Row], inventory: Inventory) -> list[Row]:
    """The sentences, those of small treebanks to be read more often, at most twice, and English ones less often."""
    counts = Counter(row.treebank for row in given)
    often = {number: min(2.0, max(1.0, (1800 / count) ** 0.5)) for number, count in counts.items()}
    often[inventory.treebanks.index(ENGLISH)] = ENGLISH_COPIES
    return [replace(row, copies=often[row.treebank]) for row in given]


def loss_of(network: TreeNetwork, table: Tensor, cutter: Cutter, chosen: Sequence[Row]) -> Tensor:
    """The loss of a batch in training: of heads, relations, tags and relative pronouns."""
    batch, precision = batch_of(chosen, cutter.begin, cutter.end), network.root.dtype
    ids = torch.where(torch.rand(batch.ids.shape) < UNSEEN, torch.full_like(batch.ids, Cutter.unknown), batch.ids)
    named = batch.treebanks * (torch.rand(batch.treebanks.shape) >= UNNAMED)
    known = batch.heads != IGNORED
    heads = batch.heads.clamp(min=0)
    scores, relations, tags, relative = network(
        table[ids].to(precision), named, batch.mask.to(precision), batch.pool.to(precision), heads
    )
    hidden = F.pad(~known, (1, 0))[:, None]
    scores = scores.float().masked_fill(hidden, HIDDEN_ARC)
    targets = ((scores, batch.heads, 1.0), (relations.float(), batch.relations, 1.0), (tags.float(), batch.tags, 0.4))
    total = sum(share * F.cross_entropy(one[known], gold[known]) for one, gold, share in targets)
    return total + 0.5 * F.binary_cross_entropy_with_logits(relative.float()[known], batch.relative[known].float())


@torch.no_grad()
def figures(
    network: TreeNetwork, table: Tensor, cutter: Cutter, given: Sequence[Row], inventory: Inventory
) -> dict[str, dict[str, float]]:
    """For each treebank, in percent of the words: heads (UAS), heads with universal relations (LAS), tags; and of the
    sentences: roots."""
    network = network.float().eval()
    plain = np.array([inventory.relations.index(name.split(":")[0]) for name in inventory.relations])
    counts: dict[int, np.ndarray] = defaultdict(lambda: np.zeros(6))
    order = sorted(given, key=lambda row: row.size)
    for start in range(0, len(order), 32):
        chosen = order[start : start + 32]
        batch = batch_of(chosen, cutter.begin, cutter.end)
        words = network.words(table[batch.ids].float(), batch.treebanks, batch.mask, batch.pool)
        scores, dependent, governor = network.arcs(words)
        above = network.nodes(words)
        tags = network.tag(words).argmax(-1).numpy()
        for number, row in enumerate(chosen):
            size = len(row.pieces)
            matrix = np.zeros((size + 1, size + 1))
            matrix[1:] = torch.log_softmax(scores[number, :size, : size + 1], -1).numpy()
            heads = best_tree(matrix)[1:]
            at = torch.from_numpy(heads)
            logits = network.labels(words[number, :size], dependent[number, :size], above[number][at],
                                    governor[number][at])  # fmt: skip
            logits[:, 0] = -1e9
            labels = np.where(heads == 0, 0, logits.argmax(-1).numpy())
            gold = row.labels
            right = heads == gold[0]
            counts[row.treebank] += [
                size, right.sum(), (right & (plain[labels] == plain[gold[1]])).sum(),
                (tags[number, :size] == gold[2]).sum(), 1, (heads == 0).argmax() == (gold[0] == 0).argmax(),
            ]  # fmt: skip
    return {
        inventory.treebanks[number]: {
            "UAS": 100 * row[1] / row[0], "LAS": 100 * row[2] / row[0], "UPOS": 100 * row[3] / row[0],
            "root": 100 * row[5] / row[4],
        }
        for number, row in sorted(counts.items())
    }  # fmt: skip


TASK = Task(
    layers=6,
    total=300_000,
    plan=partial(Plan, pieces=1_600, warm_up=0.05, seed=5),
    faster={
        "encoder.kind": 5.0,
        **dict.fromkeys(("root", "dependent", "governor", "arc", "label", "tag", "relative"), 6.0),
    },
    network=lambda shape, inventory: TreeNetwork(shape, len(inventory.tags), len(inventory.relations)),
    lessons=lessons,
    loss=loss_of,
    figures=figures,
)
