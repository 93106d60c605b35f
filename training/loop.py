"""What the training loops share: the gradient step, the learning-rate schedule, the running average of weights.

:func:`learn_further` is the loop of the networks that are initialised from an encoder; it resumes a stopped run.
"""

from __future__ import annotations

import logging
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

log = logging.getLogger("training")
_KEPT = 0.998
"""The decay of the running mean of the weights."""
Network = TypeVar("Network", bound=nn.Module)
Chosen = TypeVar("Chosen", bound=Sized)


@dataclass(frozen=True)
class Plan:
    """How long and how fast a network learns.

    Attributes:
        total: examples read in all, after which the rate is 0.
        rate: the peak learning rate; it falls linearly.
        pieces: pieces of text in a batch.
        warm_up: the share of the examples over which the rate rises.
        seed: the random seed.
        copies: how often an example is read in one pass, by its kind or treebank; once if it is not listed.
        save_seconds: seconds between two saves.
        workers: batches read at the same time, each by a thread with a copy of the network; a step takes the mean of
            their gradients. On processors this is faster than threads that share one product.
    """

    total: float
    rate: float
    pieces: int
    warm_up: float
    seed: int
    copies: Mapping[Any, float] = field(default_factory=dict)
    save_seconds: float = 300.0
    workers: int = 1


def precision_of(device: torch.device) -> torch.dtype:
    """bfloat16, or float32 on processors without bfloat16 instructions, where bfloat16 is many times slower."""
    slow = device.type == "cpu" and not torch.cpu._is_avx512_bf16_supported()
    return torch.float32 if slow else torch.bfloat16


def learn_further(
    network: Network,
    one_pass: Callable[[np.random.Generator], Iterator[Chosen]],
    loss_of: Callable[[Network, Chosen], Tensor],
    to: Path,
    plan: Plan,
    *,
    faster: Mapping[str, float],
    device: torch.device,
    watch: Callable[[Network, int], None] | None = None,
) -> Network:
    """Train in place; where the device supports it, in bfloat16 with float32 master weights.

    Args:
        network: the network to train.
        one_pass: the batches of one pass over all examples, drawn by a random generator.
        loss_of: the loss of a batch, by a copy of the network in the precision of :func:`precision_of`.
        to: file of the running mean of the weights; a stopped run resumes from the ``.state`` file beside it.
        plan: how long and how fast to train; ``one_pass`` must apply its pieces and copies.
        faster: learning-rate multipliers by the beginnings of parameters' names.
        device: where to train.
        watch: called at every save with the running mean and the number of examples read.

    Returns:
        The running mean.
    """
    state_file = to.with_suffix(".state")
    network.to(device).train()
    precision = precision_of(device)
    mean = deepcopy(network)
    groups: dict[float, list[Tensor]] = defaultdict(list)
    for name, parameter in network.named_parameters():
        part = next((part for part in faster if name.startswith(part)), "")
        groups[faster.get(part, 1.0)].append(parameter)
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
        log.info("goes on at %d", done)
    at_work = [deepcopy(network).to(precision) for _ in range(plan.workers)]
    parameters, means = list(network.parameters()), list(mean.parameters())
    copies = [list(one.parameters()) for one in at_work]
    torch.manual_seed(plan.seed + step)
    rng = np.random.default_rng(plan.seed + step)
    started = reported = saved = time.monotonic()
    resumed_at = done
    losses: list[Tensor] = []
    drawn = _forever(one_pass, rng)

    def gradients(at_work: Network, chosen: Chosen) -> Tensor:
        loss = loss_of(at_work, chosen)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.detach()

    with ThreadPoolExecutor(plan.workers) as pool:
        while (share := done / plan.total) < 1:
            step += 1
            now_rate = plan.rate * min(1.0, share / plan.warm_up + 0.01) * (1 - share)
            for entry in optimiser.param_groups:
                entry["lr"] = now_rate * entry["faster"]
            with torch.no_grad():
                for own in copies:
                    torch._foreach_copy_(own, parameters)
            together = list(islice(drawn, plan.workers))
            losses += pool.map(gradients, at_work, together)
            _mean_gradients(parameters, copies)
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(means, parameters, 1 - min(_KEPT, step / (step + 20)))
            done += sum(map(len, together))
            now = time.monotonic()
            if now - reported > 30:
                reported = now
                pace, loss = (done - resumed_at) / (now - started), torch.stack(losses).mean()
                log.info("read %d of %d examples, %.1f a second, mean loss %.3f", done, plan.total, pace, loss)
                losses = []
            if now - saved > plan.save_seconds:
                _save(to, state_file, network, mean, optimiser, done, step)
                if watch is not None:
                    watch(mean, done)
                saved = time.monotonic()
    torch.save(mean.state_dict(), to)
    log.info("%d in %.0f s", done, time.monotonic() - started)
    return mean.eval()


def _mean_gradients(parameters: Iterable[Tensor], copies: Sequence[Iterable[Tensor]]) -> None:
    """Give each parameter the mean gradient of its copies, which lose theirs."""
    for parameter, *own in zip(parameters, *copies, strict=True):
        found = [copy.grad.float() for copy in own if copy.grad is not None]
        parameter.grad = sum(found[1:], found[0]) / len(own) if found else None
        for copy in own:
            copy.grad = None


def _save(
    to: Path, state_file: Path, network: nn.Module, mean: nn.Module, optimiser: torch.optim.Optimizer, done: int,
    step: int,
) -> None:  # fmt: skip
    torch.save(mean.state_dict(), to)
    part = state_file.with_suffix(".part")
    torch.save(
        {"network": network.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict(), "done": done,
         "step": step}, part,
    )  # fmt: skip
    part.replace(state_file)


def _forever(one_pass: Callable[[np.random.Generator], Iterator[Chosen]], rng: np.random.Generator) -> Iterator[Chosen]:
    while True:
        yield from one_pass(rng)


def descend(loss: Tensor, optimizer: torch.optim.Optimizer, parameters: Iterable[nn.Parameter]) -> float:
    """One gradient step, with the norm of the gradient clipped to 1; returns the loss."""
    optimizer.zero_grad(set_to_none=True)
    loss.backward()  # type: ignore[no-untyped-call]
    nn.utils.clip_grad_norm_([parameter for parameter in parameters if parameter.grad is not None], 1.0)
    optimizer.step()
    return float(loss.detach())


def set_rates(optimizer: Any, scale: float) -> None:
    """Give every group its own rate (``base``) times a scale."""
    for group in optimizer.param_groups:
        group["lr"] = group["base"] * scale


def rate_scale(step: int, steps: int, warm_up: int) -> float:
    """Linear warm-up, then a cosine down to a twentieth."""
    if step < warm_up:
        return (step + 1) / warm_up
    share = min(1.0, (step - warm_up) / max(1, steps - warm_up))
    return 0.05 + 0.95 * (1 + math.cos(math.pi * share)) / 2


@torch.no_grad()
def follow(averaged: nn.Module, model: nn.Module, decay: float, step: int) -> None:
    """Move the learned weights of ``averaged`` towards those of ``model``; further in the first steps."""
    pairs = [(a, b) for a, b in zip(averaged.parameters(), model.parameters(), strict=True) if b.requires_grad]
    torch._foreach_lerp_([a.data for a, _ in pairs], [b.data for _, b in pairs], 1 - min(decay, step / (step + 20)))
