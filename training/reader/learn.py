"""Trains the network on pairs, on a processor or a GPU; a stopped run resumes from its last checkpoint.

The losses are of scores, their order within a source, entailment, and words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import torch
from sema_reader.windows import OUTPUT_ENTAILED, SCORES, SIMILAR, SOURCE_ENTAILED
from torch import Tensor
from torch.nn import functional as F

from training.loop import Plan, learn_further
from training.reader.batches import SCORES as NAMES
from training.reader.batches import Batch, Pack, batches, units
from training.reader.example import NOT_ENTAILED
from training.reader.network import PairNetwork

NEW_PARTS = {"encoder.overlap": 5.0, "encoder.kind": 5.0, "joint": 3.0, "pair": 3.0, "source_word": 3.0,
             "output_word": 3.0}  # fmt: skip
"""Learning-rate multipliers of the parameters that the encoder does not initialise."""
PIECES = 4_800
"""Pieces of a batch."""
SCORE_SHARES = (2.0, 1.0, 2.0)
ORDER_SHARE, ENTAILMENT_SHARE, SIMILAR_SHARE, WORD_SHARE = 0.5, 0.5, 0.5, 1.0
_CLOSE, _STEEP = 0.08, 4.0
"""Scores that differ by less are not ranked; the margin of two logits is so many times their scores' difference."""
_WORD_WEIGHTS = (1.0, 3.0, 4.0)
"""Words that are lost or wrong are few, so each counts more."""


def plan_of(
    readings: float, rate: float, copies: Mapping[str, float] | None = None, *, pieces: int = PIECES, workers: int = 1
) -> Plan:
    """A plan of so many readings of pairs; ``copies``: how often a pair is read in one pass, by its kind."""
    return Plan(readings, rate, pieces, warm_up=0.04, seed=11, copies=copies or {}, workers=workers)


def learn(
    network: PairNetwork, table: Tensor, pairs: Pack, plan: Plan, to: Path, faster: Mapping[str, float] = NEW_PARTS
) -> PairNetwork:
    """Train in place (:func:`training.loop.learn_further`); ``table`` has the embeddings of pieces."""

    def loss(at_work: PairNetwork, chosen: list[int]) -> Tensor:
        batch, precision = pairs.batch(chosen), at_work.pair.weight.dtype
        pair, source, output = at_work(table[batch.ids].to(precision), batch.types, batch.marks, batch.mask)
        return loss_of(pair.float(), source.float(), output.float(), batch)

    def one_pass(rng: np.random.Generator) -> Iterator[list[int]]:
        return batches(pairs, units(pairs, plan.copies, rng), plan.pieces, rng)

    return learn_further(network, one_pass, loss, to, plan, faster=faster, device=table.device)


def loss_of(pair: Tensor, source_word: Tensor, output_word: Tensor, batch: Batch) -> Tensor:
    """The mean loss of a batch; ``pair`` (batch, 10), the words' (batch, pieces, 3) are logits."""
    numbers = batch.numbers
    weight = numbers["weight"]
    total = pair.new_zeros(())
    for place, (name, share) in enumerate(zip(NAMES, SCORE_SHARES, strict=True)):
        logits, wanted = pair[:, SCORES.start + place], numbers[name]
        total = total + share * _chance(logits, wanted, weight * numbers["graded"])
        total = total + ORDER_SHARE * share * _order(logits, wanted, numbers["group"])
    total = total + SIMILAR_SHARE * _chance(pair[:, SIMILAR], numbers["similar"], weight)
    for logits, name in ((OUTPUT_ENTAILED, "output_entailed"), (SOURCE_ENTAILED, "source_entailed")):
        total = total + ENTAILMENT_SHARE * _entailment(pair[:, logits], numbers[name], weight)
    for side, word in enumerate((source_word, output_word)):
        total = total + WORD_SHARE * _words(word, batch, side)
    return total


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


def _order(logits: Tensor, wanted: Tensor, group: Tensor) -> Tensor:
    gaps = wanted[:, None] - wanted[None]
    better = (group[:, None] == group[None]) & (group[:, None] > 0) & (gaps > _CLOSE) & (wanted[None] >= 0)
    return (F.softplus(_STEEP * gaps - (logits[:, None] - logits[None])) * better).sum() / len(logits)


def _words(logits: Tensor, batch: Batch, side: int) -> Tensor:
    known = ((batch.labels >= 0) & (batch.types == side)).float()
    weights = torch.tensor(_WORD_WEIGHTS, device=logits.device)
    loss = F.cross_entropy(logits.transpose(1, 2), batch.labels.clamp(0, 2), weight=weights, reduction="none")
    return ((loss * known).sum(1) / known.sum(1).clamp(min=1) * batch.numbers["weight"]).sum() / len(logits)
