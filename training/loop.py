"""The training loop: AdamW, a rate that rises and falls, the running mean of the weights; a stopped run resumes.

:func:`learn_further` counts examples; :func:`learn_in_epochs` counts batches, for small networks in single precision.
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
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from sema.files.replacing import replacing
from sema.runtime import batching

log = logging.getLogger("training")
Network = TypeVar("Network", bound=nn.Module)
Chosen = TypeVar("Chosen", bound=Sized)
Members = TypeVar("Members")


@dataclass(frozen=True)
class Plan:
    """How long and how fast a network learns.

    Attributes:
        total: examples read in all, after which the rate is 0.
        rate: the peak learning rate.
        pieces: pieces of text in a batch.
        warm_up: the share of the examples over which the rate rises.
        seed: the random seed.
        copies: how often an example is read in one pass, by its kind or treebank; once if it is not listed.
        save_seconds: seconds between two saves.
        workers: batches read at the same time, each by a thread with a copy of the network; a step takes the mean of
            their gradients. On processors this is faster than threads that share one product.
        average: the decay of the running mean of the weights; 0: none.
        decay: of the weights.
        betas: of AdamW.
        first: the share of the rate at which it begins to rise.
        cosine: whether the rate falls by a cosine to a twentieth, not linearly to 0.
        precision: of the networks' copies; by :func:`precision_of` if none is given.
    """

    total: float
    rate: float
    pieces: int
    warm_up: float
    seed: int
    copies: Mapping[Any, float] = field(default_factory=dict)
    save_seconds: float = 300.0
    workers: int = 1
    average: float = 0.998
    decay: float = 0.01
    betas: tuple[float, float] = (0.9, 0.98)
    first: float = 0.01
    cosine: bool = False
    precision: torch.dtype | None = None

    def rate_at(self, share: float) -> float:
        """The rate after a share of the examples."""
        rise = min(1.0, share / self.warm_up + self.first)
        if not self.cosine:
            return self.rate * rise * (1 - share)
        fallen = max(0.0, share - self.warm_up) / max(1e-9, 1 - self.warm_up)
        return self.rate * rise * (0.05 + 0.95 * (1 + math.cos(math.pi * fallen)) / 2)


@dataclass(frozen=True)
class Epochs:
    """A stage of training in passes over all batches; ``warm_up`` counts batches, the rest is as in :class:`Plan`."""

    name: str
    epochs: int
    rate: float
    average: float = field(default=0.0, kw_only=True)
    warm_up: int = field(default=100, kw_only=True)
    seed: int = field(default=1, kw_only=True)


def precision_of(device: torch.device) -> torch.dtype:
    """bfloat16, or float32 on processors without bfloat16 instructions, where bfloat16 is many times slower."""
    slow = device.type == "cpu" and not torch.cpu._is_avx512_bf16_supported()
    return torch.float32 if slow else torch.bfloat16


def similar_batches(
    sizes: Sequence[batching.Size], window: int, fits: Callable[[int, batching.Size], bool], rng: np.random.Generator
) -> Iterator[list[int]]:
    """All indexes once, in random order, in batches of similar size: so many as ``window`` are sorted together.

    ``fits`` is as in :func:`sema.runtime.batching.batches`.
    """
    order = rng.permutation(len(sizes)).tolist()
    for start in range(0, len(order), window):
        part = order[start : start + window]
        made = batching.batches([sizes[index] for index in part], fits)
        for place in rng.permutation(len(made)):
            yield [part[index] for index in made[place]]


def learn_further(
    network: Network,
    one_pass: Callable[[np.random.Generator], Iterator[Chosen]],
    loss_of: Callable[[Network, Chosen], Tensor],
    to: Path,
    plan: Plan,
    *,
    faster: Mapping[str, float],
    device: torch.device,
) -> Network:
    """Train in place; where the device supports it, in bfloat16 with float32 master weights.

    Args:
        network: the network to train.
        one_pass: the batches of one pass over all examples, drawn by a random generator.
        loss_of: the loss of a batch, by a copy of the network in the precision of :func:`precision_of`.
        to: file of the running mean of the weights; a stopped run resumes from the ``.state`` file beside it, and a
            finished one is not run again.
        plan: how long and how fast to train; ``one_pass`` must apply its pieces and copies.
        faster: learning-rate multipliers by the beginnings of parameters' names.
        device: where to train.

    Returns:
        The running mean.
    """
    state_file = to.with_suffix(".state")
    network.to(device).train()
    mean = deepcopy(network)
    groups: dict[float, list[Tensor]] = defaultdict(list)
    for name, parameter in network.named_parameters():
        groups[next((more for part, more in faster.items() if name.startswith(part)), 1.0)].append(parameter)
    optimiser = torch.optim.AdamW(
        [{"params": group, "faster": more} for more, group in groups.items()],
        plan.rate, weight_decay=plan.decay, betas=plan.betas, fused=True,
    )  # fmt: skip
    done = step = 0
    if state_file.exists():
        state = torch.load(state_file, weights_only=True)
        network.load_state_dict(state["network"])
        mean.load_state_dict(state["mean"])
        optimiser.load_state_dict(state["optimiser"])
        done, step = state["done"], state["step"]
        log.info("goes on at %d", done)
    at_work = [deepcopy(network).to(plan.precision or precision_of(device)) for _ in range(plan.workers)]
    parameters, means = list(network.parameters()), list(mean.parameters())
    copies = [list(one.parameters()) for one in at_work]
    torch.manual_seed(plan.seed + step)
    rng = np.random.default_rng(plan.seed + step)
    reported = saved = time.monotonic()
    losses: list[Tensor] = []
    drawn = chain.from_iterable(one_pass(rng) for _ in count())

    def gradients(at_work: Network, chosen: Chosen) -> Tensor:
        loss = loss_of(at_work, chosen)
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.detach()

    with ThreadPoolExecutor(plan.workers) as pool:
        while (share := done / plan.total) < 1:
            step += 1
            for entry in optimiser.param_groups:
                entry["lr"] = plan.rate_at(share) * entry["faster"]
            with torch.no_grad():
                for own in copies:
                    torch._foreach_copy_(own, parameters)
            together = list(islice(drawn, plan.workers))
            losses += pool.map(gradients, at_work, together)
            _mean_gradients(parameters, copies)
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            with torch.no_grad():
                torch._foreach_lerp_(means, parameters, 1 - min(plan.average, step / (step + 20)))
            done += sum(map(len, together))
            now = time.monotonic()
            if now - reported > 30:
                log.info("read %d of %d examples, mean loss %.3f", done, plan.total, torch.stack(losses).mean())
                reported, losses = now, []
            if now - saved > plan.save_seconds or done >= plan.total:
                states = {"network": network, "mean": mean, "optimiser": optimiser}
                stored = {name: one.state_dict() for name, one in states.items()} | {"done": done, "step": step}
                for file, value in ((to, stored["mean"]), (state_file, stored)):
                    with replacing(file) as whole:
                        torch.save(value, whole)
                saved = now
    return mean.eval()


def _mean_gradients(parameters: Iterable[Tensor], copies: Sequence[Iterable[Tensor]]) -> None:
    """Give each parameter the mean gradient of its copies, which lose theirs."""
    for parameter, *own in zip(parameters, *copies, strict=True):
        found = [copy.grad.float() for copy in own if copy.grad is not None]
        parameter.grad = sum(found[1:], found[0]) / len(own) if found else None
        for copy in own:
            copy.grad = None


def learn_in_epochs(
    network: Network,
    batches: Callable[[np.random.Generator], Sequence[Members]],
    loss_of: Callable[[Network, Members], Tensor],
    stage: Epochs,
    folder: Path,
    *,
    faster: Mapping[str, float] | None = None,
    **options: Any,
) -> Network:
    """The network after a stage, as :func:`learn_further` trains it; a finished stage is read from its file in
    ``folder``. ``batches`` makes an epoch's batches from random numbers; ``options`` are those of :class:`Plan`."""
    folder.mkdir(parents=True, exist_ok=True)
    to, mean = folder / f"{stage.name}.pt", folder / f"{stage.name}.mean"
    if to.exists():
        network.load_state_dict(torch.load(to, weights_only=True))
        return network.eval()
    total = stage.epochs * len(batches(np.random.default_rng(stage.seed)))
    plan = Plan(total, stage.rate, 1, stage.warm_up / total, stage.seed, average=stage.average, betas=(0.9, 0.999),
                first=1 / stage.warm_up, precision=torch.float32, **options)  # fmt: skip

    def one_pass(rng: np.random.Generator) -> Iterator[list[Members]]:
        return ([batch] for batch in batches(rng))

    learned = learn_further(
        network, one_pass, lambda at_work, chosen: loss_of(at_work, chosen[0]), mean, plan,
        faster=faster or {}, device=torch.device("cpu"),
    )  # fmt: skip
    mean.replace(to)
    mean.with_suffix(".state").unlink(missing_ok=True)
    return learned
