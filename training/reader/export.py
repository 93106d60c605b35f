"""The trained reader as an ONNX graph: embedded pieces of both texts in, logits of the pair and of its pieces out."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import torch
from torch import Tensor, nn

from training.reader.network import PairNetwork

INPUTS = ("words", "types", "marks", "mask")


class _Exported(nn.Module):
    """The network without its dropout; positions, kinds and marks as they are added to the embedded pieces."""

    def __init__(self, network: PairNetwork, longest: int) -> None:
        super().__init__()
        self.network = network
        place = network.encoder.place
        place.weight.data = place.weight.data[:longest]

    def forward(self, words: Tensor, types: Tensor, marks: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        return cast(tuple[Tensor, Tensor], self.network(words, types, marks, mask))


def export_network(network: PairNetwork, file: Path, longest: int) -> None:
    """Write the graph, for at most ``longest`` pieces: ``words`` (batch, pieces, width), ``types marks mask`` (batch,
    pieces) to ``pair`` (batch, 14) and ``kept`` (batch, pieces, 2); its products are in 8 bits."""
    import onnx

    from training.ucca.quantize import quantized

    words = torch.randn(2, 9, network.encoder.shape.width)
    ones = torch.ones(2, 9, dtype=torch.long)
    axes = {name: {0: "batch", 1: "pieces"} for name in (*INPUTS, "kept")} | {"pair": {0: "batch"}}
    part = file.with_suffix(".part")
    torch.onnx.export(
        _Exported(network, longest).eval(), (words, ones - 1, ones, ones), str(part), input_names=INPUTS,
        output_names=("pair", "kept"), dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    graph = onnx.load(str(part))
    part.unlink()
    onnx.save(quantized(graph), str(file))
