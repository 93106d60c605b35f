"""Networks as ONNX graphs, with 8-bit matrix products whose results depend on nothing but the sentence.

ONNX Runtime's own dynamic quantization scales a whole batch of activations by its largest one, so that a sentence's
neighbours change its result. Here every row of activations (a word piece, a span) has a scale of its own. Activations
become ``uint8`` around 128, weights ``int8`` with a scale a column. Weights use 7 of their 8 bits: with all of them
the 16-bit sums of processors without VNNI instructions overflow, and results would differ between machines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper, version_converter
from torch import Tensor, nn

OPSET = 21
"""From this version on ``QuantizeLinear`` takes a scale for each row."""
MAX_WEIGHT = 63
LARGE = 10_000
"""Other constants of at least so many numbers are in half precision; ONNX Runtime makes them single on loading."""
ZERO = 128
Network = TypeVar("Network", bound=nn.Module)
_PART = "network."
"""Where an exported module has the network."""


class _Graph(nn.Module):
    def __init__(self, network: nn.Module, compute: Callable[..., Any]) -> None:
        super().__init__()
        self.network = network
        self._compute = compute

    def forward(self, *inputs: Tensor) -> Any:
        return self._compute(self.network, *inputs)


def write_graph(
    network: nn.Module, inputs: tuple[Any, ...], file: Path, axes: Mapping[str, str],
    compute: Callable[..., Any] = nn.Module.__call__, *, quantized: bool = True, steps: int = MAX_WEIGHT,
) -> None:  # fmt: skip
    """Write a network as an ONNX graph whose products by constant matrices are in 8 bits.

    Args:
        network: the network.
        inputs: an example of its inputs.
        file: the file.
        axes: the names of the axes of each input and then of each output, ``.`` where a size is fixed.
        compute: what the graph computes of the network and the inputs; by default what a call of the network does.
        quantized: whether products are in 8 bits.
        steps: quantisation steps of a weight on either side of 0; with fewer, a file compresses better.
    """
    names = list(axes)
    dynamic = {
        name: {place: axis for place, axis in enumerate(text.split()) if axis != "."} for name, text in axes.items()
    }
    torch.onnx.export(
        _Graph(network, compute).eval(), inputs, str(file), input_names=names[: len(inputs)],
        output_names=names[len(inputs) :], dynamic_axes=dynamic, opset_version=17, dynamo=False,
    )  # fmt: skip
    if quantized:
        model = version_converter.convert_version(onnx.load(str(file)), OPSET)
        model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
        _Rewriter(model.graph, steps).rewrite()
        onnx.save(model, str(file))


def stored(*files: Path) -> dict[str, Tensor]:
    """The weights of 8-bit graphs, by the names of the network's parameters."""
    found: dict[str, Tensor] = {}
    for file in files:
        constants = {one.name: numpy_helper.to_array(one) for one in onnx.load(str(file)).graph.initializer}
        for name, value in constants.items():
            product = re.fullmatch(r"/(.+)/MatMul_output_0\.weight", name)
            if product is not None:
                weight = value.astype(np.float32) * constants[f"/{product[1]}/MatMul_output_0.scale"]
                own = product[1].replace("/", ".").removeprefix(_PART)
                found[f"{own}.weight"] = torch.from_numpy(weight.T.copy())
            elif not name.startswith(("/", "rows.")):
                found[name.removeprefix(_PART)] = torch.from_numpy(value.astype(np.float32))
    return found


def begin_as_graph(network: Network, *files: Path) -> Network:
    """Initialise a network, which may have more positions or treebanks, with the weights of 8-bit graphs."""
    state = network.state_dict()
    for name, value in stored(*files).items():
        if name not in state:
            raise ValueError(f"the graph's {name!r} is none of the network's parameters")
        state[name][: len(value)] = value
    network.load_state_dict(state)
    return network


class _Rewriter:
    """Replaces ``MatMul`` nodes and counts what it has made, for names."""

    def __init__(self, graph: Any, steps: int) -> None:
        self._graph, self._steps = graph, steps
        self._constants = {tensor.name: tensor for tensor in graph.initializer}
        self._made: list[Any] = []
        self._nodes: list[Any] = []
        self._rows: dict[str, str] = {}
        """Activations that are quantized already, by name: several products may share them."""

    def rewrite(self) -> None:
        shared = {"tiny": np.float32(1e-12), "step": np.float32(1 / (255 - ZERO)), "one": np.float32(1)}
        for name, value in {**shared, "zero": np.uint8(ZERO), "last axis": np.array([-1], np.int64)}.items():
            self._constant(f"rows.{name}", np.asarray(value))
        for node in self._graph.node:
            weight = self._constants.get(node.input[1]) if node.op_type == "MatMul" else None
            if weight is not None and len(weight.dims) == 2:
                self._product(node, numpy_helper.to_array(weight))
            else:
                self._nodes.append(node)
        used = {name for node in self._nodes for name in node.input}
        kept = [tensor for tensor in (*self._graph.initializer, *self._made) if tensor.name in used]
        halved = {t.name for t in kept if t.data_type == TensorProto.FLOAT and np.prod(t.dims) >= LARGE}
        for node in self._nodes:
            node.input[:] = [f"{name}.single" if name in halved else name for name in node.input]
        casts = [helper.make_node("Cast", [n], [f"{n}.single"], to=TensorProto.FLOAT) for n in sorted(halved)]
        del self._graph.node[:], self._graph.initializer[:]
        self._graph.node.extend([*casts, *self._nodes])
        for tensor in kept:
            if tensor.name in halved:
                tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), tensor.name))
        self._graph.initializer.extend(kept)

    def _constant(self, name: str, value: np.ndarray[Any, Any]) -> str:
        self._made.append(numpy_helper.from_array(value, name))
        return name

    def _add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self._nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def _product(self, node: Any, weight: np.ndarray[Any, Any]) -> None:
        rows = self._quantized_rows(node.input[0], weight.shape[0])
        name = node.output[0]
        scale = np.maximum(np.abs(weight).max(0), 1e-12) / self._steps
        whole = np.clip(np.round(weight / scale), -self._steps, self._steps).astype(np.int8)
        inputs = [
            f"{rows}.whole", self._constant(f"{name}.weight", whole),
            "rows.one", self._constant(f"{name}.scale", scale.astype(np.float32)), "rows.zero",
        ]  # fmt: skip
        flat = self._add("MatMulIntegerToFloat", inputs, f"{name}.flat", domain="com.microsoft")
        scaled = self._add("Mul", [flat, f"{rows}.column"], f"{name}.scaled")
        width = self._constant(f"{name}.width", np.array([weight.shape[1]], np.int64))
        shape = self._add("Concat", [f"{rows}.shape", width], f"{name}.shape", axis=0)
        self._add("Reshape", [scaled, shape], name)

    def _quantized_rows(self, source: str, width: int) -> str:
        """Quantize an activation (once): ``.whole`` (rows, width), its scales as ``.column``, its outer ``.shape``."""
        if source in self._rows:
            return self._rows[source]
        name = self._rows[source] = f"{source}.rows"
        shape = self._constant(f"{name}.flat shape", np.array([-1, width], np.int64))
        flat = self._add("Reshape", [source, shape], f"{name}.flat")
        size = self._add("Abs", [flat], f"{name}.size")
        most = self._add("ReduceMax", [size, "rows.last axis"], f"{name}.most", keepdims=0)
        scale = self._add(
            "Mul", [self._add("Max", [most, "rows.tiny"], f"{name}.positive"), "rows.step"], f"{name}.scale"
        )
        count = self._add("Shape", [scale], f"{name}.count")
        value = helper.make_tensor("value", TensorProto.UINT8, [1], [ZERO])
        zeros = self._add("ConstantOfShape", [count], f"{name}.zeros", value=value)
        self._add("QuantizeLinear", [flat, scale, zeros], f"{name}.whole", axis=0)
        self._add("Unsqueeze", [scale, "rows.last axis"], f"{name}.column")
        self._add("Shape", [source], f"{name}.shape", end=-1)
        return name
