"""The shipped parser as a network to train from: its weights, read back from the 8-bit graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from sema_reader import minilm
from sema_ucca.conventions import CONVENTIONS
from sema_ucca.network import WEIGHTS

from training.ucca.inventory import Inventory, read_inventories
from training.ucca.model import MIXED_LAYERS, SpanParser
from training.ucca.stages import INVENTORY, REMOTE_OFFSET, ucca_model

Named = Iterator[tuple[str, NDArray[np.float32]]]

_EMBEDDINGS = "encoder.embeddings"


def released(folder: Path = WEIGHTS) -> tuple[SpanParser, dict[str, Inventory]]:
    """The shipped network and its inventories, as training left it before its export.

    It computes what the graph does, but for the rounding of activations to 8 bits.
    """
    inventories = read_inventories(folder / INVENTORY)
    model = ucca_model(inventories)
    graph = onnx.load(str(folder / "model.int8.onnx")).graph
    constants = {tensor.name: numpy_helper.to_array(tensor).astype(np.float32) for tensor in graph.initializer}
    layers = len(cast(Any, model.encoder).encoder.layer)
    state = model.state_dict()
    unread = set(state) - {f"{_EMBEDDINGS}.position_ids", f"{_EMBEDDINGS}.token_type_ids"}
    parts = (_plain(constants, state), _embeddings(constants), _products(graph, constants, layers), _remotes(folder))
    for name, value in (pair for part in parts for pair in part):
        if state[name].shape != value.shape:
            raise ValueError(f"{name} is {value.shape} in the graph and {tuple(state[name].shape)} in the network")
        state[name] = torch.from_numpy(np.ascontiguousarray(value, np.float32))
        unread.remove(name)
    if unread:
        raise ValueError(f"not in the graph: {', '.join(sorted(unread))}")
    model.load_state_dict(state)
    return model.eval(), inventories


def _plain(constants: Mapping[str, NDArray[np.float32]], state: Mapping[str, Any]) -> Named:
    """Norms and biases, which keep their names in the graph, and the weights by which the last layers are mixed."""
    for name in state:
        if f"model.{name}" in constants:
            yield name, constants[f"model.{name}"]
    # Their names are numbers that the exporter gave them, after the operation that they are part of.
    factors = [value for name, value in constants.items() if name.startswith("onnx::Mul") and value.ndim == 0]
    mix = np.array(factors[-MIXED_LAYERS:], np.float32)
    if not np.isclose(mix.sum(), 1, atol=1e-4):
        raise ValueError("the mix of the layers is not in the graph")
    yield "mix", np.log(mix)


def _embeddings(constants: Mapping[str, NDArray[np.float32]]) -> Named:
    """Of pieces, as they ship beside the graph, and of places; those of kinds are part of the places'."""
    pieces = minilm.words(finer=True)
    words = pieces[np.arange(len(pieces))]
    yield f"{_EMBEDDINGS}.word_embeddings.weight", words
    yield f"{_EMBEDDINGS}.position_embeddings.weight", constants["encoder.place"]
    yield f"{_EMBEDDINGS}.token_type_embeddings.weight", np.zeros((2, words.shape[1]), np.float32)


def _products(graph: Any, constants: Mapping[str, NDArray[np.float32]], layers: int) -> Named:
    """The matrices of the 8-bit products, which follow each other in the graph as in the network."""
    nodes = (node for node in graph.node if node.op_type == "MatMulIntegerToFloat")
    matrices = ((constants[node.input[1]] * constants[node.input[3]]).T for node in nodes)
    for index in range(layers):
        layer = f"encoder.encoder.layer.{index}"
        joint = np.split(next(matrices), 3), np.split(constants[f"encoder.joint.{index}.bias"], 3)
        for name, weight, bias in zip(("query", "key", "value"), *joint, strict=True):
            yield f"{layer}.attention.self.{name}.weight", weight
            yield f"{layer}.attention.self.{name}.bias", bias
        for name in ("attention.output.dense", "intermediate.dense", "output.dense"):
            yield f"{layer}.{name}.weight", next(matrices)
    for name in ("start", "end", "mean"):
        yield f"{name}.weight", next(matrices)
    for task in CONVENTIONS:
        yield f"labels.{task}.weight", next(matrices)
        yield f"remotes.{task}.edges.weight", np.concatenate([next(matrices), next(matrices)], 1)


def _remotes(folder: Path) -> Named:
    """The classifiers of remote edges; their scores of "no edge" as they were before the export."""
    with np.load(folder / "remote.npz") as file:
        for name in file.files:
            value = file[name]
            if name.endswith("parent_bias.bias"):
                value = value + REMOTE_OFFSET * (np.arange(len(value)) == 0)
            yield f"remotes.{name}", value
