"""The parser's loss, its training and its figures on held-out sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import torch
from sema_reader.pieces import Cutter
from sema_ud.arborescence import best_tree
from torch import Tensor
from torch.nn import functional as F

from training.loop import Plan, learn_further
from training.trees.batches import IGNORED, Batch, Inventory, Row, batch_of, batches
from training.trees.network import TreeNetwork

_UNNAMED = 0.15
"""The share of sentences whose treebank is not given, as it is not for languages without one."""
_UNSEEN = 0.08
"""The share of pieces that are hidden."""
_HIDDEN_ARC = -1e4
_NEW = ("root", "dependent", "governor", "arc", "label", "tag", "relative")
FASTER: Mapping[str, float] = {"encoder.kind": 5.0, **dict.fromkeys(_NEW, 6.0)}
"""Learning-rate multipliers of the parameters that the encoder does not initialise."""


plan_of = partial(Plan, pieces=1_600, warm_up=0.05, seed=5)
"""A plan for sentences, from how many are read and the peak rate; its copies are by the treebank's number."""


def copies_of(given: Sequence[Row], inventory: Inventory) -> dict[int, float]:
    """How often a treebank is read in one pass: small ones more often, at most twice; English, which has a parser of
    its own, less."""
    counts: dict[int, int] = defaultdict(int)
    for row in given:
        counts[row.treebank] += 1
    often = {number: min(2.0, max(1.0, (1800 / count) ** 0.5)) for number, count in counts.items()}
    return {number: 0.4 if inventory.treebanks[number] == "en_ewt" else value for number, value in often.items()}


def learn(
    network: TreeNetwork, table: Tensor, cutter: Cutter, given: Sequence[Row], plan: Plan, to: Path
) -> TreeNetwork:
    """Train in place; a stopped run resumes (:func:`training.loop.learn_further`)."""

    def one_pass(rng: np.random.Generator) -> Iterator[list[Row]]:
        return batches(given, lambda row: plan.copies.get(row.treebank, 1.0), plan.pieces, rng)

    def loss(at_work: TreeNetwork, chosen: list[Row]) -> Tensor:
        return loss_of(at_work, table, batch_of(chosen, cutter.begin, cutter.end))

    return learn_further(network, one_pass, loss, to, plan, faster=FASTER, device=table.device)


def loss_of(network: TreeNetwork, table: Tensor, batch: Batch) -> Tensor:
    """The loss of a batch in training: of heads, relations, tags and relative pronouns."""
    precision = network.root.dtype
    ids = torch.where(torch.rand(batch.ids.shape) < _UNSEEN, torch.full_like(batch.ids, Cutter.unknown), batch.ids)
    named = batch.treebanks * (torch.rand(batch.treebanks.shape) >= _UNNAMED)
    known = batch.heads != IGNORED
    heads = batch.heads.clamp(min=0)
    scores, relations, tags, relative = network(
        table[ids].to(precision), named, batch.mask.to(precision), batch.pool.to(precision), heads
    )
    hidden = F.pad(~known, (1, 0))[:, None]
    scores = scores.float().masked_fill(hidden, _HIDDEN_ARC)
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
        above = torch.cat([network.root.expand(len(chosen), 1, -1), words], 1)
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
