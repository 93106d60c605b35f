"""The encoder that the networks start from: multilingual-e5-small (12 layers of 384, MIT), which knows about 100
languages; the embeddings of its pieces are frozen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import torch
from sema_reader.e5 import WIDTH, WORD_BYTES, load_e5
from torch import Tensor

from sema.runtime.embeddings import BLOCK, BLOCK_BYTES, blocks
from training.graphs import begin_as_graph as begin_as_graph
from training.reader.network import Encoder, PairNetwork, Shape

LAYERS, INNER = 12, 1536
_PARTS: Mapping[str, Sequence[str]] = {
    "joint": ("q", "k", "v"), "out": ("ao",), "norm1": ("aln",), "up": ("fi",), "down": ("fo",), "norm2": ("oln",)
}  # fmt: skip
"""The parts of a layer, and those of the file that are joined in them."""


def untrained() -> PairNetwork:
    """The network that reads pairs, before training."""
    torch.manual_seed(1)
    network = PairNetwork(Shape(layers=LAYERS))
    begin_as_e5(network.encoder)
    return network


def begin_as_e5(encoder: Encoder) -> None:
    """Initialise an encoder with the positions and the first layers of multilingual-e5-small."""
    e5 = load_e5()
    data = e5.file.read_bytes()

    def read(name: str, width: int = 0) -> Tensor:
        """A tensor of the file; a quantised one if its ``width`` is given."""
        start, count = e5.tensors[name]
        if not width:
            return torch.from_numpy(np.frombuffer(data, "<f4", count, start).copy())
        rows = np.frombuffer(data, np.uint8, count // BLOCK * BLOCK_BYTES, start)
        return torch.from_numpy(blocks(rows.reshape(-1, width // BLOCK * BLOCK_BYTES)))

    places = read("emb.pos").reshape(-1, WIDTH) + read("emb.type").reshape(-1, WIDTH)[0]
    weights = {"place.weight": places[: encoder.shape.positions]}
    weights |= {"norm.weight": read("emb.ln.w"), "norm.bias": read("emb.ln.b")}
    for layer in range(encoder.shape.layers):
        for name, parts in _PARTS.items():
            width = 0 if name.startswith("norm") else INNER if name == "down" else WIDTH
            own = f"layers.{layer}.{name}"
            weights[f"{own}.weight"] = torch.cat([read(f"l{layer}.{part}.w", width) for part in parts])
            weights[f"{own}.bias"] = torch.cat([read(f"l{layer}.{part}.b") for part in parts])
    encoder.load_state_dict(encoder.state_dict() | weights)


def embeddings() -> Tensor:
    """The embeddings of all pieces (pieces, 384), in half precision."""
    e5 = load_e5()
    start, count = e5.words
    words = np.fromfile(e5.file, np.uint8, count * WORD_BYTES, offset=start).reshape(count, WORD_BYTES)
    return torch.from_numpy(blocks(words)).half()
