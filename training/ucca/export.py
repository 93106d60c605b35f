"""The trained network as files that inference reads: an ONNX graph, the remote classifier's weights, the inventory.

The 8-bit graph has matrix products as :mod:`training.graphs` makes them, so that a sentence is parsed the same
alone and among others. Training leaves the embeddings of pieces as they are (:mod:`training.minilm` writes those).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sema_ucca.conventions import CONVENTIONS
from sema_ucca.network import EXACT_WORDS
from torch import Tensor, nn

from sema.runtime.checksums import write_sums
from training.graphs import write_graph
from training.transformer import HIDDEN, layer_of
from training.ucca.data import Inventories, write_inventories
from training.ucca.model import MIXED_LAYERS, SpanParser

CHOICES = 4
"""Labels that the graph offers for each span, the best first."""
INPUTS = {
    "words": "batch pieces", "mask": "batch pieces", "first": "batch words", "last": "batch words",
    "starts": "spans", "ends": "spans",
}  # fmt: skip
"""The graph's inputs with their axes."""
OUTPUTS = {"margins": "batch spans", "best": "batch spans", "left": "batch words", "right": "batch words"}
"""Its outputs for each convention."""


class PlainEncoder(nn.Module):
    """BERT's forward pass in few, plain operations, for export."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        kind = encoder.embeddings.token_type_embeddings.weight.detach()[0]
        self.register_buffer("place", encoder.embeddings.position_embeddings.weight.detach() + kind)
        self.norm = encoder.embeddings.LayerNorm
        self.layers = nn.ModuleList(map(layer_of, encoder.encoder.layer))

    def forward(self, words: Tensor, mask: Tensor) -> list[Tensor]:
        """The states of every layer, each (batch, pieces, width), from the embedded pieces."""
        state = self.norm(words + cast(Tensor, self.place)[torch.arange(words.shape[1])])
        bias = (1.0 - mask[:, None, None, :].float()) * HIDDEN
        states = []
        for layer in self.layers:
            state = layer(state, bias)
            states.append(state)
        return states


class Exported(nn.Module):
    """What the graph computes: see ``sema_ucca.parser`` for its inputs and outputs."""

    def __init__(self, model: SpanParser) -> None:
        super().__init__()
        self.model = model
        self.encoder = PlainEncoder(model.encoder)

    def forward(
        self, words: Tensor, mask: Tensor, first: Tensor, last: Tensor, starts: Tensor, ends: Tensor
    ) -> tuple[Tensor, ...]:
        """For each convention the margins and labels of each span's best choices and the halves of units' states; last
        the middle layer's piece states."""
        states = self.encoder(words, mask)
        weights = torch.softmax(self.model.mix, 0)
        mixed = sum(weights[k] * states[k - MIXED_LAYERS] for k in range(MIXED_LAYERS))
        batch = {"first": first, "last": last, "starts": starts, "ends": ends}
        hidden = self.model.span_states(cast(Tensor, mixed), batch)
        found: list[Tensor] = []
        for task in CONVENTIONS:
            scores = self.model.scores(hidden, task)
            margins, best = scores[:, :, 1:].topk(min(CHOICES, scores.shape[2] - 1), 2)
            left, right = self.model.remote_states(cast(Tensor, mixed), batch, task)
            found += [margins - scores[:, :, :1], best + 1, left, right]
        return *found, states[self.model.shape.middle_layer - 1]


def table_of(model: SpanParser) -> NDArray[np.float32]:
    """The embeddings of the pieces."""
    table = cast(Any, model.encoder).embeddings.word_embeddings.weight
    return cast(NDArray[np.float32], table.detach().numpy())


def export_graph(model: SpanParser, file: Path, *, quantized: bool) -> None:
    """Write the network as one ONNX graph."""
    words, mask = torch.randn(2, 7, table_of(model).shape[1]), torch.ones(2, 7, dtype=torch.long)
    first, last = torch.tensor([[1, 2, 4], [1, 3, 5]]), torch.tensor([[1, 3, 4], [2, 4, 5]])
    inputs = words, mask, first, last, *torch.triu_indices(3, 3)
    outputs = {f"{name}.{task}": axes for task in CONVENTIONS for name, axes in OUTPUTS.items()}
    axes = {**INPUTS, **outputs, "states": "batch pieces"}
    write_graph(Exported(model), inputs, file, axes, quantized=quantized)


def export_all(model: SpanParser, inventories: Inventories, folder: Path, *, fp32: bool = False) -> None:
    """Write everything inference needs to ``folder``, with the SHA-256 of each file; ``fp32`` adds the exact graph."""
    folder.mkdir(parents=True, exist_ok=True)
    export_graph(model, folder / "model.int8.onnx", quantized=True)
    if fp32:
        np.save(folder / EXACT_WORDS, table_of(model))
        export_graph(model, folder / "model.fp32.onnx", quantized=False)
    weights = {
        f"{task}.{name}": value.numpy()
        for task in CONVENTIONS
        for name, value in model.remotes[task].state_dict().items()
        if not name.startswith("edges.")
    }
    np.savez(folder / "remote.npz", **cast(Any, weights))
    write_inventories(folder / "inventory.json", inventories)
    write_sums(folder, ["inventory.json", "model.int8.onnx", "remote.npz", *["model.fp32.onnx", EXACT_WORDS] * fp32])
