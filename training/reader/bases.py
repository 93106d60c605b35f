"""The encoder that the networks start from: multilingual-e5-small (12 layers of 384, MIT), which knows about 100
languages; the embeddings of its pieces are frozen."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from sema_reader.e5 import WORD_BYTES, load_e5
from torch import Tensor

from sema.runtime.embeddings import blocks
from training.reader.e5 import LAYERS, parameters
from training.reader.network import PairNetwork, Shape, begin_as


def untrained() -> PairNetwork:
    """The network that reads pairs, before training."""
    torch.manual_seed(1)
    network = PairNetwork(Shape(layers=LAYERS))
    begin_as(
        network.encoder,
        {name: torch.from_numpy(value.copy()) for name, value in parameters(load_e5(), range(LAYERS))},
    )
    return network


def begin_as_graph(network: PairNetwork, file: Path) -> PairNetwork:
    """Initialise a network from a graph that :mod:`training.reader.export` wrote."""
    parts = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load(file).graph.initializer}
    state = network.state_dict()
    for name, value in state.items():
        layer = name.removesuffix(".weight").replace(".layers.", "/layers.")
        head, _, last = layer.rpartition(".")
        product = f"/network/{f'{head}/{last}' if '/layers.' in layer else layer}/MatMul_output_0"
        if f"network.{name}" in parts:
            found = parts[f"network.{name}"].astype(np.float32)
        else:
            found = (parts[f"{product}.weight"].astype(np.float32) * parts[f"{product}.scale"]).T
        value[: len(found)] = torch.from_numpy(np.ascontiguousarray(found))  # a graph has fewer positions
    network.load_state_dict(state)
    return network


def embeddings() -> Tensor:
    """The embeddings of all pieces (pieces, 384), in half precision."""
    e5 = load_e5()
    start, count = e5.words
    words = np.fromfile(e5.file, np.uint8, count * WORD_BYTES, offset=start).reshape(count, WORD_BYTES)
    return torch.from_numpy(blocks(words)).half()
