"""Trains a network on pairs, on a processor or a GPU; a run that was stopped goes on from its last checkpoint."""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.reader.batches import Batch, Pack, batches, units
from training.reader.losses import loss_of
from training.reader.network import PairNetwork, precision_of

log = logging.getLogger("training.reader")
_KEPT = 0.998
"""The share of the running mean of weights that a step keeps."""
NEW_PARTS = {"encoder.overlap": 5.0, "encoder.kind": 5.0, "joint": 3.0, "pair": 3.0, "source_word": 3.0,
             "output_word": 3.0}  # fmt: skip
"""How much higher the rate of parameters is that begin with nothing."""


@dataclass(frozen=True)
class Plan:
    """How long and how fast: passes over all pairs, the highest rate, pieces of a batch; how often each kind of pair is
    read in one pass is ``copies``; ``begin``: where the falling of the rate begins and ends, in passes done."""

    passes: float
    rate: float
    pieces: int = 2_400
    warm_up: float = 0.04
    copies: Mapping[str, float] = field(default_factory=dict)
    seed: int = 11
    save_seconds: float = 300.0


def learn(
    network: PairNetwork, table: Tensor, pairs: Pack, plan: Plan, to: Path,
    watch: Callable[[PairNetwork, int], None] | None = None,
) -> PairNetwork:  # fmt: skip
    """Train in place, in bfloat16 with exact weights beside where the device has it; the running mean of the weights is
    kept in ``to``, and what a stopped run goes on from in ``to.state``; ``watch`` is shown the mean at every save."""
    device, state_file = table.device, to.with_suffix(".state")
    network.to(device).train()
    precision = precision_of(device)
    mean = deepcopy(network)
    per_pass = sum(plan.copies.get(kind, 1.0) for kind in pairs.kinds)
    total = plan.passes * per_pass
    groups: dict[float, list[Tensor]] = defaultdict(list)
    for name, parameter in network.named_parameters():
        part = next((part for part in NEW_PARTS if name.startswith(part)), "")
        groups[NEW_PARTS.get(part, 1.0)].append(parameter)
    optimiser = torch.optim.AdamW(
        [{"params": group, "faster": more} for more, group in groups.items()],
        plan.rate, weight_decay=0.01, betas=(0.9, 0.98), fused=True,
    )  # fmt: skip
    done = step = 0
    if state_file.exists():
        state = torch.load(state_file, weights_only=True)
        network.load_state_dict(state["network"])
        mean.load_state_dict(state["mean"])
        optimiser.load_state_dict(state["optimiser"])
        done, step = state["done"], state["step"]
        log.info("goes on at %d pairs", done)
    at_work = deepcopy(network).to(precision)
    parameters, copies, means = (list(one.parameters()) for one in (network, at_work, mean))
    torch.manual_seed(plan.seed + step)
    rng = np.random.default_rng(plan.seed + step)
    started = reported = saved = time.monotonic()
    begun = done
    losses: list[Tensor] = []
    for chosen in _forever(pairs, plan, rng):
        share = done / total
        if share >= 1:
            break
        step += 1
        rate = plan.rate * min(1.0, share / plan.warm_up + 0.01) * (1 - share)
        for entry in optimiser.param_groups:
            entry["lr"] = rate * entry["faster"]
        with torch.no_grad():
            torch._foreach_copy_(copies, parameters)
        loss = loss_of_batch(at_work, table, pairs.batch(chosen))
        loss.backward()
        for parameter, copy in zip(parameters, copies, strict=True):
            parameter.grad = None if copy.grad is None else copy.grad.float()
            copy.grad = None
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        with torch.no_grad():
            torch._foreach_lerp_(means, parameters, 1 - min(_KEPT, step / (step + 20)))
        done += len(chosen)
        losses.append(loss.detach())
        now = time.monotonic()
        if now - reported > 30:
            reported = now
            log.info("%d of %d pairs, %.1f a second, loss %.3f", done, total, (done - begun) / (now - started),
                     torch.stack(losses).mean())  # fmt: skip
            losses = []
        if now - saved > plan.save_seconds:
            _save(to, state_file, network, mean, optimiser, done, step)
            if watch is not None:
                watch(mean, done)
            saved = time.monotonic()
    torch.save(mean.state_dict(), to)
    log.info("%d pairs in %.0f s", done, time.monotonic() - started)
    return mean.eval()


def loss_of_batch(network: PairNetwork, table: Tensor, batch: Batch) -> Tensor:
    """The loss of a batch; the network's numbers are those of its own precision."""
    precision = next(network.parameters()).dtype
    pair, source, output = network(table[batch.ids].to(precision), batch.types, batch.marks, batch.mask)
    return loss_of(pair.float(), source.float(), output.float(), batch)


def _save(
    to: Path, state_file: Path, network: PairNetwork, mean: PairNetwork, optimiser: torch.optim.Optimizer, done: int,
    step: int,
) -> None:  # fmt: skip
    torch.save(mean.state_dict(), to)
    part = state_file.with_suffix(".part")
    torch.save(
        {"network": network.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict(), "done": done,
         "step": step}, part,
    )  # fmt: skip
    part.replace(state_file)


def _forever(pairs: Pack, plan: Plan, rng: np.random.Generator) -> Iterator[list[int]]:
    while True:
        yield from batches(pairs, units(pairs, plan.copies, rng), plan.pieces, rng)
