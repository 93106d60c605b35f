"""The network over encoder states: word senses in context, learned from a sentence encoder, and breaks.

The parser's encoder is a fine-tuned MiniLM whose middle layer the aligner reads too. The last layers of the MiniLM it
began as go on from there to the states that make its sentence embeddings (Reimers and Gurevych, EMNLP 2019); fine-tuned
on the states of words, they reproduce those states without a second encoder.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn

SENSE = 128
"""The size of a sense: the teacher's state along its principal directions."""
HEADS = 12
BREAK_UNITS = 96


class Layer(nn.Module):
    """One layer of BERT (Devlin et al., NAACL 2019), taken from a loaded one."""

    def __init__(self, source: Any) -> None:
        super().__init__()
        attention = source.attention
        self.query, self.key, self.value = attention.self.query, attention.self.key, attention.self.value
        self.out, self.norm = attention.output.dense, attention.output.LayerNorm
        self.wide, self.narrow = source.intermediate.dense, source.output.dense
        self.last_norm = source.output.LayerNorm

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """States (batch, words, width); ``mask`` (batch, words) is 0 for padding."""
        batch, words, width = x.shape

        def heads(values: Tensor) -> Tensor:
            return values.view(batch, words, HEADS, width // HEADS).transpose(1, 2)

        scores = heads(self.query(x)) @ heads(self.key(x)).transpose(2, 3) / (width // HEADS) ** 0.5
        scores = scores + (1 - mask[:, None, None, :]) * -1e4
        read = (torch.softmax(scores, -1) @ heads(self.value(x))).transpose(1, 2).reshape(batch, words, width)
        x = cast(Tensor, self.norm(x + self.out(read)))
        return cast(Tensor, self.last_norm(x + self.narrow(nn.functional.gelu(self.wide(x)))))


class WordingNet(nn.Module):
    """States of a sentence's words (batch, words, width) to senses and to logits of standing at a break."""

    def __init__(self, teacher: Any, layers: int, directions: Tensor, mean: Tensor, scale: Tensor) -> None:
        """``directions`` (width, :data:`SENSE`); ``mean`` and ``scale`` (width) standardise states for the breaks."""
        super().__init__()
        self.layers = nn.ModuleList(Layer(layer) for layer in list(teacher.encoder.layer)[-layers:])
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
        for layer in self.layers:
            states = layer(states, mask)
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
    import onnx

    from training.ucca.quantize import quantized

    example = torch.rand(2, 7, len(cast(Tensor, reader.mean)))
    axes = {name: {0: "batch", 1: "words"} for name in ("states", "senses", "breaks")}
    torch.onnx.export(
        _AtWork(reader).eval(), (example,), str(file), input_names=["states"], output_names=["senses", "breaks"],
        dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    onnx.save(quantized(onnx.load(str(file))), str(file))
