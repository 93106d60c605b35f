"""The weights of a graph that ships, to go on from: 8-bit products as they are, in 32 bits.

The English network that ships is less certain of words than one that no teachers taught, and should mark as many words
of MLQE-PE's development pairs; so the log-odds of its words are moved before it ships, and moved back where it is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.reader.network import PairNetwork

ENGLISH_WORDS = (1.0, 0.226), (1.16, 0.0)
"""What the log-odds of kept and of supported words are multiplied by, and what is added."""


def moved_words(network: PairNetwork) -> PairNetwork:
    """A copy of the English network whose words are moved, to ship."""
    moved = deepcopy(network)
    with torch.no_grad():
        for side, (factor, more) in enumerate(ENGLISH_WORDS):
            moved.word.weight[side] *= factor
            moved.word.bias[side] = moved.word.bias[side] * factor + more
    return moved


def shipped(name: str, network: PairNetwork, file: Path) -> Mapping[str, Tensor]:
    """The parameters of a network that ships, as they were when it had learned."""
    weights = of_graph(network, file)
    if name == "english":
        for side, (factor, more) in enumerate(ENGLISH_WORDS):
            weights["word.weight"][side] /= factor
            weights["word.bias"][side] = (weights["word.bias"][side] - more) / factor
    return weights


def of_graph(network: PairNetwork, file: Path) -> Mapping[str, Tensor]:
    """The network's parameters as :func:`training.reader.export.export_network` wrote them."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(file)).graph
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {name.removeprefix("network."): value for name, value in constants.items() if name.startswith("network.")}
    for node in graph.node:
        if node.op_type == "MatMulIntegerToFloat":
            name = node.input[1].removeprefix("/network/").split("/MatMul")[0].replace("/", ".") + ".weight"
            weights[name] = constants[node.input[1]].astype(np.float32).T * constants[node.input[3]][:, None]
    state = network.state_dict()
    given = {name: torch.from_numpy(np.array(weights[name])) for name in state if name in weights}
    given["encoder.place.weight"] = torch.cat(
        [given["encoder.place.weight"], state["encoder.place.weight"][len(given["encoder.place.weight"]) :]]
    )
    if missing := set(state) - set(given):
        raise ValueError(f"the graph lacks {', '.join(sorted(missing)[:3])}")
    return given
