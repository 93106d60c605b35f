"""The loop over epochs of the networks that are no encoders' further training: averaged weights, checkpoints, a log."""

from __future__ import annotations

import json
import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

from training.loop import descend, follow, rate_scale, set_rates

log = logging.getLogger("training")
Network = TypeVar("Network", bound=nn.Module)
Drawn = TypeVar("Drawn")


@dataclass(frozen=True)
class Plan:
    """How long a stage lasts.

    Attributes:
        name: the stage and its checkpoint.
        epochs: passes over the examples.
        rate: the highest learning rate.
        average: the decay of the running average of the weights over steps; 0: none.
        warm_up: the steps in which the rate rises.
        seed: the seed, with the number of the epoch.
    """

    name: str
    epochs: int
    rate: float
    average: float = field(default=0.0, kw_only=True)
    warm_up: int = field(default=100, kw_only=True)
    seed: int = field(default=1, kw_only=True)


def learn(
    model: Network,
    groups: Sequence[Mapping[str, Any]],
    batches: Callable[[random.Random], Sequence[Drawn]],
    loss_of: Callable[[Drawn], Tensor],
    plan: Plan,
    folder: Path,
    *,
    dev_scores: Callable[[Network], Mapping[str, float]] = lambda _: {},
    decay: float = 0.01,
    scale: Callable[[int, int, int], float] = rate_scale,
) -> None:
    """Train in place with AdamW; resumes from the last epoch's checkpoint in ``folder``.

    Args:
        model: the network to train; where the plan averages, it ends with the averaged weights.
        groups: parameters with their highest rates (``base``).
        batches: makes an epoch's batches from that epoch's random numbers.
        loss_of: the loss of a batch.
        plan: how long to train.
        folder: of the checkpoint and of ``log.jsonl``.
        dev_scores: figures to log after each epoch.
        decay: of the weights.
        scale: the share of the highest rate by step, steps and ``warm_up``; a cosine if it is not given.
    """
    folder.mkdir(parents=True, exist_ok=True)
    last = folder / f"{plan.name}.pt"
    optimizer = torch.optim.AdamW([{**group, "lr": group["base"]} for group in groups], weight_decay=decay, fused=True)
    learned = [parameter for group in groups for parameter in group["params"]]
    averaged = deepcopy(model) if plan.average else model
    epoch = step = 0
    if last.exists():
        saved = torch.load(last, weights_only=True)
        for name, part in (("model", model), ("averaged", averaged), ("optimizer", optimizer)):
            part.load_state_dict(saved[name])  # type: ignore[attr-defined]
        epoch, step = saved["epoch"], saved["step"]
        log.info("%s: resumed after epoch %d", plan.name, epoch)
    while epoch < plan.epochs:
        epoch += 1
        seed = plan.seed * 1000 + epoch
        torch.manual_seed(seed)
        drawn = batches(random.Random(seed))
        started, total = time.monotonic(), 0.0
        model.train()
        for batch in drawn:
            set_rates(optimizer, scale(step, len(drawn) * plan.epochs, plan.warm_up))
            total += descend(loss_of(batch), optimizer, learned)
            step += 1
            if plan.average:
                follow(averaged, model, plan.average, step)
        averaged.eval()
        record = {"stage": plan.name, "epoch": epoch, "steps": len(drawn), "loss": round(total / len(drawn), 4),
                  "seconds": round(time.monotonic() - started, 1), **dev_scores(averaged)}  # fmt: skip
        log.info("%s", json.dumps(record))
        with (folder / "log.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({**record, "plan": asdict(plan)}) + "\n")
        state = {"model": model.state_dict(), "averaged": averaged.state_dict(), "optimizer": optimizer.state_dict(),
                 "epoch": epoch, "step": step}  # fmt: skip
        torch.save(state, last.with_suffix(".part"))
        last.with_suffix(".part").replace(last)
    model.load_state_dict(averaged.state_dict())
