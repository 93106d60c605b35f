"""Learns from encoded pairs on one core, with checkpoints."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import torch
from torch import nn

from training.reader.english.batches import Encoded, batches, padded, units
from training.reader.english.losses import loss_of
from training.reader.english.network import PairNetwork

log = logging.getLogger("training.chinese")

RATE, FLOOR, WARM_UP = 1e-4, 3e-6, 600
"""The highest learning rate, the lowest, and the pairs over which it rises."""
_SAVE_SECONDS = 240


def learn(network: PairNetwork, examples: Sequence[Encoded], pairs: int, to: Path) -> None:
    """Learn from a number of pairs in random order; the weights are written to ``to`` at intervals."""
    rng = Random(0)
    found = units(examples)
    parameters = list(network.parameters())
    for parameter in parameters:
        parameter.requires_grad_(True)
    optimiser = torch.optim.AdamW(parameters, RATE, weight_decay=0.01, betas=(0.9, 0.98))
    network.train()
    short = torch.ops.mkldnn._is_mkldnn_bf16_supported()
    done = 0
    saved = time.time()
    while done < pairs:
        for group in batches(found, rng):
            rate = RATE * min(1.0, (done + 1) / WARM_UP) * (1 - done / pairs)
            for entry in optimiser.param_groups:
                entry["lr"] = max(FLOOR, rate)
            batch = padded(group)
            with torch.autocast("cpu", torch.bfloat16, enabled=short):
                pair, word = network(batch.ids, batch.types, batch.marks, batch.mask)
            loss = loss_of(pair.float(), word.float(), batch)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            done += len(group)
            if time.time() - saved > _SAVE_SECONDS:
                saved = time.time()
                log.info("%d pairs, loss %.3f", done, loss.item())
                torch.save(network.state_dict(), to)
            if done >= pairs:
                break
    torch.save(network.state_dict(), to)
