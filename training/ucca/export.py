"""The trained network as files that inference reads: an ONNX graph, the remote classifier's weights, the inventory.

The 8-bit graph has matrix products as :mod:`training.graphs` makes them, so that a sentence is parsed the same
alone and among others. Training leaves the embeddings of pieces as they are (:mod:`training.minilm` writes those).
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import cast

import numpy as np
import torch
from sema_ucca.network import EXACT_WORDS
from sema_ucca.parser import CONVENTIONS
from torch import Tensor, nn

from sema.runtime.checksums import write_sums
from training.graphs import write_graph
from training.ucca.data import Inventories, write_inventories
from training.ucca.model import SpanParser

CHOICES = 4
"""Labels that the graph offers for each span, the best first."""
INPUTS = {
    "words": "batch pieces", "mask": "batch pieces", "first": "batch words", "last": "batch words",
    "starts": "spans", "ends": "spans",
}  # fmt: skip
"""The graph's inputs with their axes."""
OUTPUTS = {"margins": "batch spans", "best": "batch spans", "left": "batch words", "right": "batch words"}
"""Its outputs for each convention."""


def computed(
    model: SpanParser, words: Tensor, mask: Tensor, first: Tensor, last: Tensor, starts: Tensor, ends: Tensor
) -> tuple[Tensor, ...]:
    """What the graph computes: for each convention the margins and labels of each span's best choices and the halves of
    units' states; last the middle layer's piece states (see ``sema_ucca.parser``)."""
    mixed, middle = model.encode(words, mask)
    batch = {"first": first, "last": last, "starts": starts, "ends": ends}
    hidden = model.span_states(mixed, batch)
    found: list[Tensor] = []
    for task in CONVENTIONS:
        scores = model.scores(hidden, task)
        labels = cast(nn.Linear, model.labels[task]).out_features - 1  # a number in the exported graph, too
        margins, best = scores[:, :, 1:].topk(min(CHOICES, labels), 2)
        found += [margins - scores[:, :, :1], best + 1, *model.remote_states(mixed, batch, task)]
    return *found, middle


def export_graph(model: SpanParser, file: Path, *, quantized: bool) -> None:
    """Write the network as one ONNX graph."""
    words, mask = torch.randn(2, 7, model.encoder.shape.width), torch.ones(2, 7, dtype=torch.long)
    first, last = torch.tensor([[1, 2, 4], [1, 3, 5]]), torch.tensor([[1, 3, 4], [2, 4, 5]])
    inputs = words, mask, first, last, *torch.triu_indices(3, 3)
    outputs = {f"{name}.{task}": axes for task in CONVENTIONS for name, axes in OUTPUTS.items()}
    axes = {**INPUTS, **outputs, "states": "batch pieces"}
    with warnings.catch_warnings():
        # The graph indexes pieces by the places of words, which are never negative.
        warnings.filterwarnings("ignore", "Exporting aten::index operator of advanced indexing", UserWarning)
        write_graph(model, inputs, file, axes, computed, quantized=quantized)


def export_all(model: SpanParser, inventories: Inventories, folder: Path, *, fp32: bool = False) -> None:
    """Write everything inference needs to ``folder``, with the SHA-256 of each file; ``fp32`` adds the exact graph."""
    folder.mkdir(parents=True, exist_ok=True)
    export_graph(model, folder / "model.int8.onnx", quantized=True)
    if fp32:
        np.save(folder / EXACT_WORDS, model.table.numpy())
        export_graph(model, folder / "model.fp32.onnx", quantized=False)
    weights = {
        f"{task}.{name}": value.numpy()
        for task in CONVENTIONS
        for name, value in model.remotes[task].state_dict().items()
        if not name.startswith("edges.")
    }
    np.savez(folder / "remote.npz", **weights)
    write_inventories(folder / "inventory.json", inventories)
    write_sums(folder, ["inventory.json", "model.int8.onnx", "remote.npz", *["model.fp32.onnx", EXACT_WORDS] * fp32])
