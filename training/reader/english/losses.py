"""The losses of the reader of pairs: labels of pairs, labels of words, order within a group."""

from __future__ import annotations

import torch
from sema_reader.windows import (
    OUTPUT_ENTAILED,
    OUTPUT_JUDGED,
    SAME,
    SIMILAR,
    SOURCE_ENTAILED,
    SOURCE_JUDGED,
)
from torch import Tensor
from torch.nn import functional as F

from training.reader.english.batches import Batch
from training.reader.english.examples import ENTAILED, JUDGED, NOT_ENTAILED, VERSIONS

WORD_SHARE, BAG_SHARE, SAME_SHARE, ORDER_SHARE, GRADED_SHARE = 1.0, 0.3, 1.0, 1.0, 2.0
_CLOSE = 0.08
"""Texts whose ``same`` differs by less are not ranked."""


def loss_of(pair: Tensor, word: Tensor, batch: Batch) -> Tensor:
    """The mean loss of a batch; ``pair`` (batch, 14) and ``word`` (batch, pieces, 2) are logits."""
    weight = batch.weight
    total = GRADED_SHARE * _same(pair[:, SIMILAR], batch.graded, weight)
    for logits, labels, head in (
        (OUTPUT_ENTAILED, batch.output_entailed, VERSIONS),
        (SOURCE_ENTAILED, batch.source_entailed, VERSIONS),
        (OUTPUT_JUDGED, batch.output_entailed, JUDGED),
        (SOURCE_JUDGED, batch.source_entailed, JUDGED),
    ):
        total = total + _entailment(pair[:, logits], labels, weight * (batch.teaches & head > 0))
    total = total + SAME_SHARE * _same(pair[:, SAME], batch.same, weight)
    total = total + ORDER_SHARE * _order(pair[:, SAME], batch)
    for side, label in ((0, batch.source_entailed), (1, batch.output_entailed)):
        total = total + _words(word[..., side], batch, side, label)
    return total


def _entailment(logits: Tensor, labels: Tensor, weight: Tensor) -> Tensor:
    chances = F.log_softmax(logits, 1)
    known = (labels >= 0) & (labels != NOT_ENTAILED)
    exact = -chances.gather(1, labels.clamp(0, 2)[:, None])[:, 0] * known
    either = -torch.logsumexp(chances[:, 1:], 1) * (labels == NOT_ENTAILED)
    return ((exact + either) * weight).sum() / len(weight)


def _same(logits: Tensor, same: Tensor, weight: Tensor) -> Tensor:
    known = (same >= 0).float() * weight
    return (F.binary_cross_entropy_with_logits(logits, same.clamp(0, 1), reduction="none") * known).sum() / len(weight)


def _order(logits: Tensor, batch: Batch) -> Tensor:
    better = (batch.group[:, None] == batch.group[None]) & (batch.group[:, None] > 0)
    better &= batch.same[:, None] - batch.same[None] > _CLOSE
    if not better.any():
        return logits.sum() * 0.0
    gaps = logits[:, None] - logits[None]
    return (F.softplus(1.0 - gaps) * better).sum() / len(logits)


def _words(logits: Tensor, batch: Batch, side: int, label: Tensor) -> Tensor:
    of_side = (batch.types == side) & (batch.marks > 0)
    known = (batch.words >= 0) & of_side
    loss = F.binary_cross_entropy_with_logits(logits, batch.words.clamp(0, 1).float(), reduction="none")
    # Words that are lost or added are few: each counts three times.
    counts = known.float() * (1 + 2 * (batch.words == 0).float())
    total = ((loss * counts).sum(1) / counts.sum(1).clamp(min=1) * batch.weight).sum()
    unlabelled = ~known.any(1) & (label >= 0)
    # A text that is entailed has no unsupported word; one that is not has at least one.
    inside = of_side.float()
    everything = (F.softplus(-logits) * inside).sum(1) / inside.sum(1).clamp(min=1)
    lowest = -torch.logsumexp((-logits).masked_fill(~of_side, -30.0), 1)
    bag = torch.where(label == ENTAILED, everything, F.softplus(lowest))
    total = total + BAG_SHARE * (bag * unlabelled * batch.weight).sum()
    return WORD_SHARE * total / len(label)
