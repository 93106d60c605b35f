"""The trained aligner as files that inference reads: two ONNX graphs, their digests and the threshold."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from sema_english.aligner import ABOUT, GRID, WORDS
from sema_english.word_grids import FEATURES
from torch import Tensor, nn

from sema.runtime.checksums import write_sums
from training.english.alignment_model import AlignmentNet, GridShape
from training.ucca.quantize import write_graph


class _Probabilities(nn.Module):
    def __init__(self, net: AlignmentNet) -> None:
        super().__init__()
        self.grid = net.grid

    def forward(self, source: Tensor, output: Tensor, grid: Tensor, mask: Tensor) -> Tensor:
        return torch.sigmoid(self.grid(source, output, grid, mask))


def export_aligner(net: AlignmentNet, shape: GridShape, threshold: float, folder: Path) -> None:
    """Write the graphs from states to word vectors and from grids to probabilities, and ``aligner.json``."""
    folder.mkdir(parents=True, exist_ok=True)
    size = shape.heads * shape.head + shape.channels
    grid, mask = torch.rand(2, len(FEATURES), 5, 4), torch.ones(2, 1, 5, 4)
    inputs = (torch.rand(2, 5, size), torch.rand(2, 4, size), grid, mask)
    names = ["source", "output", "grid", "mask"]
    axes = {"source": {0: "batch", 1: "rows"}, "output": {0: "batch", 1: "columns"}}
    axes |= {name: {0: "batch", 2: "rows", 3: "columns"} for name in ("grid", "mask")}
    axes["probabilities"] = {0: "batch", 1: "rows", 2: "columns"}
    words = {"states": {0: "words"}, "vectors": {0: "words"}}
    states = (torch.rand(5, shape.states),)
    write_graph(net.vectors, states, folder / WORDS, ["states"], ["vectors"], words, quantized=False)
    write_graph(_Probabilities(net), inputs, folder / GRID, names, ["probabilities"], axes, quantized=False)
    about = {"threshold": threshold, "features": list(FEATURES)}
    (folder / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    write_sums(folder, (ABOUT, WORDS, GRID))
