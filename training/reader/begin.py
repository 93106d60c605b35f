"""The weights of a graph that ships, to go on from: 8-bit products as they are, in 32 bits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from training.reader.network import PairNetwork


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
