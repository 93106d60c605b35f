"""The trained aligner as files that inference reads: the projection, an ONNX graph over grids, sizes and threshold."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from sema_ucca.training.alignment_model import AlignmentNet, GridShape
from sema_ucca.word_grids import FEATURES


class _Probabilities(nn.Module):
    def __init__(self, net: AlignmentNet) -> None:
        super().__init__()
        self.grid = net.grid

    def forward(self, source: Tensor, output: Tensor, grid: Tensor, mask: Tensor) -> Tensor:
        return torch.sigmoid(self.grid(source, output, grid, mask))


def export_aligner(net: AlignmentNet, shape: GridShape, threshold: float, folder: Path) -> None:
    """Write ``aligner.npz`` (states to vectors), ``aligner.onnx`` (grids to probabilities) and ``aligner.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    words = net.vectors
    with torch.no_grad():
        # The layer norm's gain and shift go into the projection.
        weight = torch.cat((words.similar.weight, words.own.weight))
        bias = torch.cat((torch.zeros(words.similar.out_features), words.own.bias)) + weight @ words.norm.bias
        weight = (weight * words.norm.weight).T
    np.savez_compressed(
        folder / "aligner.npz", weight=weight.numpy().astype(np.float16), bias=bias.numpy().astype(np.float16)
    )
    size = shape.heads * shape.head + shape.channels
    grid, mask = torch.rand(2, len(FEATURES), 5, 4), torch.ones(2, 1, 5, 4)
    inputs = (torch.rand(2, 5, size), torch.rand(2, 4, size), grid, mask)
    names = ["source", "output", "grid", "mask"]
    axes = {"source": {0: "batch", 1: "rows"}, "output": {0: "batch", 1: "columns"}}
    axes |= {name: {0: "batch", 2: "rows", 3: "columns"} for name in ("grid", "mask")}
    axes["probabilities"] = {0: "batch", 1: "rows", 2: "columns"}
    torch.onnx.export(
        _Probabilities(net.eval()), inputs, str(folder / "aligner.onnx"), input_names=names,
        output_names=["probabilities"], dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    sums = {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("aligner.npz", "aligner.onnx")}
    about = {
        "threshold": threshold, "heads": shape.heads, "head": shape.head, "features": list(FEATURES), "sha256": sums,
    }  # fmt: skip
    (folder / "aligner.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
