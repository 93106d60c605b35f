"""The network over encoder states: word senses in context, learned from a sentence encoder, and breaks.

The parser's encoder is a fine-tuned MiniLM whose middle layer the aligner reads too. From there, the last layers of the
original MiniLM lead to the states that make its sentence embeddings (Reimers and Gurevych, EMNLP 2019). Fine-tuned on
the states of words, these layers reproduce those states without a second encoder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

from training.transformer import HIDDEN, layer_of
from training.ucca.quantize import write_graph

SENSE = 128
"""The size of a sense: the teacher's state along its principal directions."""
BREAK_UNITS = 96


class WordingNet(nn.Module):
    """States of a sentence's words (batch, words, width) to senses and to logits of standing at a break."""

    def __init__(self, teacher: Any, layers: int, directions: Tensor, mean: Tensor, scale: Tensor) -> None:
        """``directions`` (width, :data:`SENSE`); ``mean`` and ``scale`` (width) standardise states for the breaks."""
        super().__init__()
        self.layers = nn.ModuleList(map(layer_of, teacher.encoder.layer[-layers:]))
        width = len(mean)
        self.sense = nn.Linear(width, SENSE)
        with torch.no_grad():
            self.sense.weight.copy_(directions.T)
            self.sense.bias.zero_()
        self.register_buffer("mean", mean)
        self.register_buffer("scale", scale)
        self.around = nn.Linear(3 * width, BREAK_UNITS)
        self.drop = nn.Dropout(0.1)
        self.breaks = nn.Linear(BREAK_UNITS, 1)

    def senses(self, states: Tensor, mask: Tensor) -> Tensor:
        """(batch, words, SENSE)."""
        bias = (1 - mask[:, None, None, :]) * HIDDEN
        for layer in self.layers:
            states = layer(states, bias)
        return cast(Tensor, self.sense(states))

    def logits(self, states: Tensor, mask: Tensor) -> Tensor:
        """(batch, words): of each word and its neighbours."""
        x = (states - cast(Tensor, self.mean)) / cast(Tensor, self.scale) * mask[..., None]
        nothing = torch.zeros_like(x[:, :1])
        near = torch.cat([torch.cat([nothing, x[:, :-1]], 1), x, torch.cat([x[:, 1:], nothing], 1)], 2)
        return cast(Tensor, self.breaks(self.drop(nn.functional.gelu(self.around(near)))))[..., 0]


class _AtWork(nn.Module):
    def __init__(self, reader: WordingNet) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, states: Tensor) -> tuple[Tensor, Tensor]:
        mask = torch.ones_like(states[..., 0])
        return nn.functional.normalize(self.reader.senses(states, mask), dim=-1), torch.sigmoid(
            self.reader.logits(states, mask)
        )


def export_reader(reader: WordingNet, file: Path) -> None:
    """Write the graph, its products in 8 bits: ``states`` (batch, words, width) to unit ``senses`` and ``breaks``."""
    states = torch.rand(2, 7, len(cast(Tensor, reader.mean)))
    axes = {name: {0: "batch", 1: "words"} for name in ("states", "senses", "breaks")}
    write_graph(_AtWork(reader), (states,), file, ["states"], ["senses", "breaks"], axes)
