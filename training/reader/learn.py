"""Trains a network on pairs, on a processor or a GPU; a stopped run resumes from its last checkpoint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from torch import Tensor

from training.loop import Plan, learn_further
from training.reader.batches import Batch, Pack, batches, units
from training.reader.losses import loss_of
from training.reader.network import PairNetwork

NEW_PARTS = {"encoder.overlap": 5.0, "encoder.kind": 5.0, "joint": 3.0, "pair": 3.0, "source_word": 3.0,
             "output_word": 3.0}  # fmt: skip
"""Learning-rate multipliers of the parameters that the encoder does not initialise."""
PIECES = 4_800
"""Pieces of a batch."""


def plan_of(
    pairs: Pack, passes: float, rate: float, copies: Mapping[str, float] | None = None, *, pieces: int = PIECES,
    save_seconds: float = 300.0, workers: int = 1,
) -> Plan:  # fmt: skip
    """A plan of some passes over all pairs; ``copies`` are by the kind of pair."""
    often = copies or {}
    total = passes * sum(often.get(kind, 1.0) for kind in pairs.kinds)
    return Plan(total, rate, pieces, warm_up=0.04, seed=11, copies=often, save_seconds=save_seconds, workers=workers)


def learn(
    network: PairNetwork, table: Tensor, pairs: Pack, plan: Plan, to: Path,
    watch: Callable[[PairNetwork, int], None] | None = None, faster: Mapping[str, float] = NEW_PARTS,
) -> PairNetwork:  # fmt: skip
    """Train in place (:func:`training.loop.learn_further`); ``watch`` is called at every save."""
    return learn_further(
        network,
        lambda rng: batches(pairs, units(pairs, plan.copies, rng), plan.pieces, rng),
        lambda at_work, chosen: loss_of_batch(at_work, table, pairs.batch(chosen)),
        to,
        plan,
        faster=faster,
        device=table.device,
        watch=watch,
    )


def loss_of_batch(network: PairNetwork, table: Tensor, batch: Batch) -> Tensor:
    """The loss of a batch; the network computes in its own precision."""
    precision = next(network.parameters()).dtype
    pair, source, output = network(table[batch.ids].to(precision), batch.types, batch.marks, batch.mask)
    return loss_of(pair.float(), source.float(), output.float(), batch)
