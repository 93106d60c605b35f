"""Learns from encoded pairs in two processes that share the network; training continues from checkpoints.

Both processes take steps on the same weights without waiting for each other (Recht et al., NeurIPS 2011), so a slow
process does not delay the other. Where the processor has products in bfloat16, each step is computed by a copy of the
network in that format (some four times as fast); weights, steps and losses are in 32 bits.
"""

from __future__ import annotations

import logging
import os
import pickle
import time
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import torch
from torch import nn
from torch.multiprocessing import get_context

from training.reader.english.batches import Encoded, batches, padded, units
from training.reader.english.losses import loss_of
from training.reader.english.network import PairNetwork, base_network

log = logging.getLogger("training.english")

_SAVE_SECONDS = 240


@dataclass(frozen=True)
class Plan:
    """How long and how fast to learn: the rate rises for ``warm_up`` pairs and falls linearly.

    The end is after so many pairs, or so many seconds if that comes first.
    """

    pairs: int
    seconds: float = inf
    rate: float = 8e-5
    floor: float = 4e-6
    warm_up: int = 6000
    seed: int = 0
    niceness: tuple[int, ...] = (0, 10)


THREE_QUARTERS = ".three_quarters.pt"
"""The suffix of the file with the weights after three quarters of the training."""


def learn(examples: Path, begin: Path | None, to: Path, plan: Plan) -> None:
    """Learn from a pickled list of :class:`Encoded`, beginning with the weights of ``begin``.

    Writes ``to`` and, beside it, the weights after three quarters of the way (:data:`THREE_QUARTERS`).
    """
    network = base_network()
    if begin is not None:
        network.load_state_dict(torch.load(begin, weights_only=True))
    network.share_memory()
    context = get_context("spawn")
    done = context.Value("q", 0)
    workers = [
        context.Process(target=_work, args=(network, examples, to, plan, done, number))
        for number in range(len(plan.niceness))
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    _save(network, to)


def _work(network: PairNetwork, file: Path, to: Path, plan: Plan, done: Any, number: int) -> None:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    os.setpriority(os.PRIO_PROCESS, 0, plan.niceness[number])
    torch.set_num_threads(1)
    torch.manual_seed(plan.seed + number)
    rng = Random(plan.seed * 10 + number)
    found = units(load_encoded(file))
    parameters = [parameter for parameter in network.parameters() if parameter.requires_grad]
    optimiser = torch.optim.AdamW(parameters, plan.rate, weight_decay=0.01, betas=(0.9, 0.98), fused=True)
    network.train()
    at_work = _at_work(network)
    copies = [parameter for parameter in at_work.parameters() if parameter.requires_grad]
    losses: list[float] = []
    kept = False
    begun = saved = source_entailed = time.time()
    while True:
        for group in batches(found, rng):
            share = max(done.value / plan.pairs, (time.time() - begun) / plan.seconds)
            if share >= 1:
                return
            if number == 0 and share >= 0.75 and not kept:
                kept = True
                _save(network, to.with_suffix(THREE_QUARTERS))
            for entry in optimiser.param_groups:
                entry["lr"] = max(plan.floor, plan.rate * min(1.0, (done.value + 1) / plan.warm_up) * (1 - share))
            batch = padded(group)
            with torch.no_grad():
                torch._foreach_copy_(copies, parameters)
            pair, word = at_work(batch.ids, batch.types, batch.marks, batch.mask)
            loss = loss_of(pair.float(), word.float(), batch)
            loss.backward()  # type: ignore[no-untyped-call]
            for parameter, copy in zip(parameters, copies, strict=True):
                parameter.grad = None if copy.grad is None else copy.grad.float()
                copy.grad = None
            nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            with done.get_lock():
                done.value += len(group)
            losses.append(loss.item())
            if number == 0 and time.time() - source_entailed > 60:
                source_entailed = time.time()
                log.info("%d pairs, loss %.3f", done.value, sum(losses[-300:]) / len(losses[-300:]))
            if number == 0 and time.time() - saved > _SAVE_SECONDS:
                saved = time.time()
                _save(network, to)


def _at_work(network: PairNetwork) -> PairNetwork:
    """A copy of the network that computes the steps."""
    short = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    return deepcopy(network).to(torch.bfloat16 if short else torch.float32)


def _save(network: PairNetwork, file: Path) -> None:
    partial = file.with_suffix(".part")
    torch.save(network.state_dict(), partial)
    partial.replace(file)


def save_mean(files: Sequence[Path], to: Path) -> None:
    """The mean of several weights of one network."""
    given = [torch.load(file, weights_only=True) for file in files]
    torch.save({name: torch.stack([one[name].float() for one in given]).mean(0) for name in given[0]}, to)


def save_encoded(examples: Sequence[Encoded], file: Path) -> None:
    """Keep encoded examples for the processes that learn."""
    with file.open("wb") as out:
        pickle.dump(list(examples), out, protocol=5)


def load_encoded(file: Path) -> list[Encoded]:
    """The examples that :func:`save_encoded` wrote. It unpickles them: read only your own files."""
    with file.open("rb") as given:
        return list(pickle.load(given))
