"""What all loops of learning share: a step down the gradient, the rate's course, and the running average of weights."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn


def descend(loss: Tensor, optimizer: torch.optim.Optimizer, parameters: Iterable[nn.Parameter]) -> float:
    """One step down the gradient of a loss, whose norm over the parameters is cut to 1; returns the loss."""
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
