"""How the parser learns: layer-wise rates, and the loss of several tasks."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

from training.loop import Epochs, learn_in_epochs, precision_of
from training.ucca.batches import Batch
from training.ucca.model import SpanParser

MASK, LAST_SPECIAL = 103, 103
"""The id of [MASK] in BERT's vocabulary; all special pieces have this one or a lower one."""


@dataclass(frozen=True)
class Plan(Epochs):
    """One stage of training."""

    encoder_rate: float
    """The highest rate of the encoder's last layer; ``rate`` is that of all above the encoder."""
    layer_decay: float = 0.9
    remote_weight: float = 0.5
    frozen: int = 0
    """Encoder layers, from the lowest, that are not trained (for a network that has learned the task before)."""
    masking: float = 0.0
    """Share of the pieces hidden from the encoder, against overfitting."""


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
    native = precision_of(torch.device("cpu")) == torch.bfloat16
    return torch.autocast("cpu", dtype=torch.bfloat16, enabled=native)


def learn(
    model: SpanParser, batches: Callable[[random.Random], Sequence[Batch]], plan: Plan, folder: Path, **options: Any
) -> SpanParser:
    """The network after a stage (:func:`training.loop.learn_in_epochs`): lower layers learn more slowly, and the
    embeddings of pieces not at all."""
    depth = len(cast(Any, model.encoder).encoder.layer)
    rates = {
        f"encoder.encoder.layer.{index}.": plan.encoder_rate * plan.layer_decay ** (depth - 1 - index) / plan.rate
        for index in range(plan.frozen, depth)
    }
    for name, value in model.named_parameters():
        value.requires_grad_(not name.startswith("encoder.") or name.startswith(tuple(rates)))
    return learn_in_epochs(
        model, batches, lambda net, batch: loss_of(net, batch, plan), plan, folder, faster=rates, cosine=True, **options
    )
