"""The losses of the cross-encoder: labels of pairs, labels of words, order within a group."""

from __future__ import annotations

import torch
from sema_reader.windows import OUTPUT_ENTAILED, OUTPUT_JUDGED, SAME, SIMILAR, SOURCE_ENTAILED, SOURCE_JUDGED
from torch import Tensor
from torch.nn import functional as F

from training.reader.batches import Batch
from training.reader.example import ENTAILED, JUDGED, NOT_ENTAILED, VERSIONS

BAG_SHARE, GRADED_SHARE, TAUGHT_SHARE = 0.3, 2.0, 2.0
_CLOSE = 0.08
"""Texts whose ``same`` differs by less are not ranked."""
_ERRORS_COUNT = 2.0
"""Words that are lost or added are few: each counts so much more than another."""


def loss_of(pair: Tensor, word: Tensor, batch: Batch) -> Tensor:
    """The mean loss of a batch; ``pair`` (batch, 14) and ``word`` (batch, pieces, 2) are logits."""
    weight = batch.weight
    total = GRADED_SHARE * _chance(pair[:, SIMILAR], batch.graded, weight)
    for logits, labels, head in (
        (OUTPUT_ENTAILED, batch.output_entailed, VERSIONS),
        (SOURCE_ENTAILED, batch.source_entailed, VERSIONS),
        (OUTPUT_JUDGED, batch.output_entailed, JUDGED),
        (SOURCE_JUDGED, batch.source_entailed, JUDGED),
    ):
        total = total + _entailment(pair[:, logits], labels, weight * (batch.teaches & head > 0))
    total = total + _chance(pair[:, SAME], batch.same, weight) + _order(pair[:, SAME], batch)
    for side, label in ((0, batch.source_entailed), (1, batch.output_entailed)):
        total = total + _words(word[..., side], batch, side, label)
    return total + TAUGHT_SHARE * _taught(pair, word, batch)


def _taught(pair: Tensor, word: Tensor, batch: Batch) -> Tensor:
    """How far the network is from the teacher, in what the teacher has read."""
    read = ~batch.lesson.isnan().any(1)
    lesson = batch.lesson.nan_to_num()
    total = pair.new_zeros(())
    for logits in (OUTPUT_ENTAILED, SOURCE_ENTAILED, OUTPUT_JUDGED, SOURCE_JUDGED):
        wanted, given = F.log_softmax(lesson[:, logits], 1), F.log_softmax(pair[:, logits], 1)
        total = total + ((wanted.exp() * (wanted - given)).sum(1) * read).sum()
    for logit in (SAME, SIMILAR):
        loss = F.binary_cross_entropy_with_logits(pair[:, logit], lesson[:, logit].sigmoid(), reduction="none")
        total = total + (loss * read).sum()
    for side in (0, 1):
        known = ((batch.taught >= 0) & (batch.types == side)).float()
        loss = F.binary_cross_entropy_with_logits(word[..., side], batch.taught.clamp(0, 1), reduction="none")
        total = total + ((loss * known).sum(1) / known.sum(1).clamp(min=1)).sum()
    return total / len(pair)


def _entailment(logits: Tensor, labels: Tensor, weight: Tensor) -> Tensor:
    chances = F.log_softmax(logits, 1)
    known = (labels >= 0) & (labels != NOT_ENTAILED)
    exact = -chances.gather(1, labels.clamp(0, 2)[:, None])[:, 0] * known
    either = -torch.logsumexp(chances[:, 1:], 1) * (labels == NOT_ENTAILED)
    return ((exact + either) * weight).sum() / len(weight)


def _chance(logits: Tensor, wanted: Tensor, weight: Tensor) -> Tensor:
    known = (wanted >= 0).float() * weight
    loss = F.binary_cross_entropy_with_logits(logits, wanted.clamp(0, 1), reduction="none")
    return (loss * known).sum() / len(weight)


def _order(logits: Tensor, batch: Batch) -> Tensor:
    better = (batch.group[:, None] == batch.group[None]) & (batch.group[:, None] > 0)
    better &= (batch.same[:, None] - batch.same[None] > _CLOSE) & (batch.same[None] >= 0)
    gaps = logits[:, None] - logits[None]
    return (F.softplus(1.0 - gaps) * better).sum() / len(logits)


def _words(logits: Tensor, batch: Batch, side: int, label: Tensor) -> Tensor:
    of_side = (batch.types == side) & (batch.marks > 0)
    known = (batch.words >= 0) & of_side
    loss = F.binary_cross_entropy_with_logits(logits, batch.words.clamp(0, 1).float(), reduction="none")
    counts = known.float() * (1 + _ERRORS_COUNT * (batch.words == 0).float())
    total = ((loss * counts).sum(1) / counts.sum(1).clamp(min=1) * batch.weight).sum()
    unlabelled = ~known.any(1) & (label >= 0)
    # A text that is entailed has no unsupported word; one that is not has at least one.
    inside = of_side.float()
    everything = (F.softplus(-logits) * inside).sum(1) / inside.sum(1).clamp(min=1)
    lowest = -torch.logsumexp((-logits).masked_fill(~of_side, -30.0), 1)
    bag = torch.where(label == ENTAILED, everything, F.softplus(lowest))
    total = total + BAG_SHARE * (bag * unlabelled * batch.weight).sum()
    return total / len(label)
