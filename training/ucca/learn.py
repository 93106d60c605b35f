"""The learning loop: shuffled epochs of mixed tasks, AdamW with layer-wise rates, averaged weights, checkpoints."""

from __future__ import annotations

import copy
import json
import logging
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

from training.loop import descend, follow, rate_scale, set_rates
from training.ucca.batches import Batch
from training.ucca.model import SpanParser

log = logging.getLogger("training.ucca")

MASK, LAST_SPECIAL = 103, 103
"""The id of [MASK] in BERT's vocabulary; all special pieces have this one or a lower one."""


@dataclass(frozen=True)
class Plan:
    """One stage of training."""

    name: str
    epochs: int
    encoder_rate: float
    head_rate: float
    layer_decay: float = 0.9
    average: float = 0.0
    """Decay of the running average of the weights over steps; 0: none."""
    warm_up: int = 100
    remote_weight: float = 0.5
    frozen: int = 0
    """Encoder layers, from the lowest, that are not trained (for a network that has learned the task before)."""
    masking: float = 0.0
    """Share of the pieces hidden from the encoder, against overfitting."""
    seed: int = 1


def parameter_groups(model: SpanParser, plan: Plan) -> list[dict[str, Any]]:
    """Rates by depth: lower layers learn more slowly; word embeddings are not learned at all."""
    encoder: Any = model.encoder
    depth = len(encoder.encoder.layer)
    groups: list[dict[str, Any]] = []
    for index, layer in enumerate(encoder.encoder.layer):
        if index < plan.frozen:
            continue
        rate = plan.encoder_rate * plan.layer_decay ** (depth - 1 - index)
        groups.append({"params": list(layer.parameters()), "lr": rate})
    head = [value for name, value in model.named_parameters() if not name.startswith("encoder.")]
    groups.append({"params": head, "lr": plan.head_rate})
    for group in groups:
        group["base"] = group["lr"]
    learned = {id(value) for group in groups for value in group["params"]}
    for value in model.parameters():
        value.requires_grad_(id(value) in learned)
    return groups


def loss_of(model: SpanParser, batch: Batch, plan: Plan) -> Tensor:
    """Cross-entropy of spans' labels (summed over spans, a word) and remote edges (summed over pairs, a sentence), with
    some of the pieces hidden.

    The losses of a batch's tasks are added up.
    """
    ids = batch.tensors["ids"]
    if plan.masking:
        ids = ids.masked_fill((torch.rand(ids.shape) < plan.masking) & (ids > LAST_SPECIAL), MASK)
    with mixed_precision():
        states, _ = model.encode(ids, batch.tensors["mask"])
        hidden = model.span_states(states, batch.tensors)
    loss = torch.zeros(())
    for task, lesson in batch.lessons.items():
        with mixed_precision():
            flat = model.scores(hidden, task).float().flatten(0, 1)
        if lesson.soft is None:
            target = lesson.target.flatten()
            wrong = nn.functional.cross_entropy(flat, target, ignore_index=-100, reduction="sum")
        else:
            wrong = -(lesson.soft.flatten(0, 1) * torch.log_softmax(flat, 1)).sum()
        loss = loss + wrong / batch.words
        if lesson.units:
            with mixed_precision():
                halves = model.remote_states(states, batch.tensors, task)
            edges = cast(Any, model.remotes[task])(*halves, lesson.units)
            wrong = nn.functional.cross_entropy(
                edges.flatten(0, 2), lesson.units["target"].flatten(), ignore_index=-100, reduction="sum"
            )
            loss = loss + plan.remote_weight * wrong / len(states)
    return loss


def mixed_precision() -> Any:
    """Products in bfloat16 where the processor has instructions for them; elsewhere that would only be slower."""
    native = getattr(torch.cpu, "_is_avx512_bf16_supported", None)
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=bool(native and native()))


def learn(
    model: SpanParser,
    batches: Callable[[random.Random], Sequence[Batch]],
    plan: Plan,
    folder: Path,
    dev_scores: Callable[[SpanParser], dict[str, float]],
) -> None:
    """Train ``model`` in place by ``plan``; resumes from the last epoch's checkpoint in ``folder``.

    ``batches`` makes an epoch's batches from that epoch's random numbers; ``dev_scores`` gives the figures to log. When
    the plan averages, the model ends with the averaged weights.
    """
    folder.mkdir(parents=True, exist_ok=True)
    last = folder / f"{plan.name}.pt"
    learner = _Learner(model, plan)
    if last.exists():
        learner.load(torch.load(last, weights_only=True))
        log.info("%s: resumed after epoch %d", plan.name, learner.epoch)
    while learner.epoch < plan.epochs:
        torch.manual_seed(plan.seed * 1000 + learner.epoch + 1)
        record = learner.learn_epoch(batches(random.Random(plan.seed * 1000 + learner.epoch + 1)))
        record.update(dev_scores(learner.averaged))
        log.info("%s", json.dumps(record))
        with (folder / "log.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({**record, "plan": asdict(plan)}) + "\n")
        torch.save(learner.state(), last.with_suffix(".part"))
        last.with_suffix(".part").replace(last)
    model.load_state_dict(learner.averaged.state_dict())


class _Learner:
    """A network in training: its optimizer, the running average of its weights, and its progress."""

    def __init__(self, model: SpanParser, plan: Plan) -> None:
        self.model, self.plan = model, plan
        self.optimizer = torch.optim.AdamW(parameter_groups(model, plan), weight_decay=0.01, fused=True)
        self.averaged = copy.deepcopy(model) if plan.average else model
        self.epoch, self.step = 0, 0

    def load(self, saved: Mapping[str, Any]) -> None:
        """Resume from what :meth:`state` returned."""
        self.model.load_state_dict(saved["model"])
        self.averaged.load_state_dict(saved["averaged"])
        self.optimizer.load_state_dict(saved["optimizer"])
        self.epoch, self.step = saved["epoch"], saved["step"]

    def state(self) -> dict[str, Any]:
        """Everything needed to resume training."""
        return {"model": self.model.state_dict(), "averaged": self.averaged.state_dict(),
                "optimizer": self.optimizer.state_dict(), "epoch": self.epoch, "step": self.step}  # fmt: skip

    def learn_epoch(self, batches: Sequence[Batch]) -> dict[str, Any]:
        """Learn every batch once; the figures of the epoch."""
        started, total = time.monotonic(), 0.0
        self.model.train()
        for batch in batches:
            total += self._learn_batch(batch, len(batches) * self.plan.epochs)
        self.averaged.eval()
        self.epoch += 1
        return {"stage": self.plan.name, "epoch": self.epoch, "steps": len(batches),
                "loss": round(total / len(batches), 4), "seconds": round(time.monotonic() - started, 1)}  # fmt: skip

    def _learn_batch(self, batch: Batch, steps: int) -> float:
        set_rates(self.optimizer, rate_scale(self.step, steps, self.plan.warm_up))
        loss = descend(loss_of(self.model, batch, self.plan), self.optimizer, self.model.parameters())
        self.step += 1
        if self.plan.average:
            follow(self.averaged, self.model, self.plan.average, self.step)
        return loss
