"""Learns the cross-encoder, on a processor or a GPU."""

from __future__ import annotations

import logging
import math
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.reader.batches import Pack, batches, units
from training.reader.losses import loss_of
from training.reader.network import PairNetwork, precision_of

log = logging.getLogger("training.reader")
_KEPT = 0.998
"""The share of the running mean of weights that a step keeps."""
NEW_PARTS = {"encoder.overlap": 15.0, "encoder.kind": 15.0, "joint": 3.0, "pair": 3.0, "word": 3.0}
"""How much higher the rate of parameters is that begin with nothing, while they are new."""


@dataclass(frozen=True)
class Plan:
    """How long and how fast: pairs in all, the highest rate, pieces of a batch, seconds at most, and how often each
    kind of example is read in one pass (default: once); ``frozen``: so many lower layers, and all below, stay."""

    pairs: int
    rate: float
    pieces: int = 32_768
    seconds: float = math.inf
    warm_up: float = 0.06
    copies: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    faster: Mapping[str, float] = field(default_factory=dict)
    save_seconds: float = 600.0
    frozen: int = 0


def learn(network: PairNetwork, table: Tensor, pairs: Pack, plan: Plan, to: Path) -> PairNetwork:
    """Train in place, in bfloat16 with exact weights beside where the device has it; the running mean of the weights is
    kept in ``to``."""
    device = table.device
    rng = np.random.default_rng(plan.seed)
    torch.manual_seed(plan.seed)
    network.to(device).train()
    network.encoder.freeze(plan.frozen)
    precision = precision_of(device)
    at_work = deepcopy(network).to(precision)
    mean = deepcopy(network)
    parameters, copies, means = ([p for p in one.parameters() if p.requires_grad] for one in (network, at_work, mean))
    groups: dict[float, list[Tensor]] = defaultdict(list)
    for name, parameter in network.named_parameters():
        if parameter.requires_grad:
            part = next((part for part in plan.faster if name.startswith(part)), "")
            groups[plan.faster.get(part, 1.0)].append(parameter)
    optimiser = torch.optim.AdamW(
        [{"params": group, "faster": more} for more, group in groups.items()],
        plan.rate, weight_decay=0.01, betas=(0.9, 0.98), fused=True,
    )  # fmt: skip
    started = reported = saved = time.time()
    done = 0
    losses: list[Tensor] = []
    for step, chosen in enumerate(_forever(pairs, plan, rng), 1):
        share = max(done / plan.pairs, (time.time() - started) / plan.seconds)
        if share >= 1:
            break
        rate = plan.rate * min(1.0, share / plan.warm_up + 0.01) * (1 - share)
        for entry in optimiser.param_groups:
            entry["lr"] = rate * entry["faster"]
        batch = pairs.batch(chosen)
        with torch.no_grad():
            torch._foreach_copy_(copies, parameters)
        pair, word = at_work(table[batch.ids].to(precision), batch.types, batch.marks, batch.mask)
        loss = loss_of(pair.float(), word.float(), batch)
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
        if time.time() - reported > 15:
            reported = time.time()
            log.info(
                "%d pairs, %.0f a second, loss %.3f", done, done / (reported - started), torch.stack(losses).mean()
            )
            losses = []
        if time.time() - saved > plan.save_seconds:
            saved = time.time()
            torch.save(mean.state_dict(), to)
    torch.save(mean.state_dict(), to)
    log.info("%d pairs in %.0f s", done, time.time() - started)
    return mean.eval()


def _forever(pairs: Pack, plan: Plan, rng: np.random.Generator) -> Iterator[list[int]]:
    while True:
        yield from batches(pairs, units(pairs, plan.copies, rng), plan.pieces, rng)
