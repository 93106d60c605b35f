"""ONNX graphs of the layers that Stanza's networks are made of, over padded batches, times before sentences.

A matrix is held in whole numbers of 8 bits with a scale for each row of its last axis, under the name that Stanza gives
it; ONNX Runtime makes single precision of it when it loads the graph. All other numbers are in half precision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

Floats = NDArray[np.float32]
OPSET, FORMAT = 17, 9
SCALES = "scales/"
"""What the names of scales begin with."""
ROW = 16
"""Shorter rows are in half precision: their scales would be as large as what they save."""
GATES = (0, 3, 1, 2)
"""torch's gates (input, forget, cell, output) in ONNX's order (input, output, forget, cell)."""
Shape = tuple[str | int, ...]
"""The type of a graph's input or output, by ONNX's name, then its shape."""


@dataclass(frozen=True)
class Model:
    """What one of Stanza's trainers leaves: options, weights and vocabularies by name.

    ``steps``: how many steps, at most 127, a matrix has on either side of 0.
    """

    processor: str
    config: Mapping[str, Any]
    weights: Mapping[str, Floats]
    vocab: Mapping[str, Any]
    steps: int

    def require(self, **options: object) -> None:
        """Raise ``ValueError`` unless the options have these values; one that is absent counts as false."""
        for name, value in options.items():
            if (self.config.get(name) or None) != (value or None):
                raise ValueError(f"no graph is known for a {self.processor} whose {name} is {self.config.get(name)!r}")


class Graph:
    """A graph in the making: each method adds nodes and returns the name of their result."""

    def __init__(self) -> None:
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}

    def node(self, kind: str, *inputs: str, result: str = "", **attributes: object) -> str:
        """A node, whose result is named if ``result`` says so."""
        result = result or f"{kind}{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [result], **attributes))
        return result

    def constant(self, value: Any, name: str = "") -> str:
        """A constant; those with the same name are one."""
        name = name or f"constant{len(self._constants)}"
        self._constants[name] = numpy_helper.from_array(np.asarray(value), name)
        return name

    def integers(self, *values: int) -> str:
        """A constant row of whole numbers."""
        return self.constant(np.asarray(values, np.int64))

    def number(self, value: float) -> str:
        """A constant number."""
        return self.constant(np.float32(value))

    def weights(self, model: Model, name: str, rows: str = "") -> str:
        """Weights by Stanza's name, or some of their rows, in single precision."""
        values, full = model.weights[name], f"{model.processor}/{name}"

        def part(numbers: Any, called: str) -> str:
            stored = self.constant(numbers, called)
            return self.node("Cast", self.node("Gather", stored, rows) if rows else stored, to=TensorProto.FLOAT)

        if values.ndim < 2 or values.shape[-1] < ROW:
            return part(values.astype(np.float16), full)
        scales = (np.abs(values).max(-1, keepdims=True) / model.steps).astype(np.float16)
        exact = np.divide(values, scales, out=np.zeros_like(values), where=scales != 0)
        whole = np.clip(np.rint(exact), -127, 127).astype(np.int8)
        return self.node("Mul", part(whole, full), part(scales, SCALES + full))

    def linear(self, model: Model, name: str, rows: str) -> str:
        """``x W + b``, or without ``b`` if the model has none."""
        matrix = self.node("Transpose", self.weights(model, f"{name}.weight"), perm=[1, 0])
        product = self.node("MatMul", rows, matrix)
        bias = f"{name}.bias"
        return self.node("Add", product, self.weights(model, bias)) if bias in model.weights else product

    def lstm(
        self,
        model: Model,
        name: str,
        rows: str,
        lengths: str = "",
        states: Sequence[str] = (),
        *,
        bidirectional: bool = True,
    ) -> str:
        """One layer of an LSTM (times x sentences x width).

        ``lengths``: the sentences', if they differ; ``states``: the first hidden and cell states.
        """
        if f"{name}.weight_ih_l0" not in model.weights or f"{name}.weight_ih_l1" in model.weights:
            raise ValueError(f"{name} is no LSTM of one layer")
        size = model.weights[f"{name}.weight_hh_l0"].shape[1]
        order = self.constant(
            np.concatenate([np.arange(size, dtype=np.int32) + gate * size for gate in GATES]), f"order{size}"
        )

        def gates(kind: str) -> str:
            names = [f"{name}.{kind}_l0{direction}" for direction in ("", "_reverse")[: 1 + bidirectional]]
            parts = [self.weights(model, one, order) for one in names]
            return self.node("Concat", *(self.node("Unsqueeze", one, self.integers(0)) for one in parts), axis=0)

        width = self.integers(0, 0, size * (1 + bidirectional))  # -1 is no width where there are no times
        bias = self.node("Concat", gates("bias_ih"), gates("bias_hh"), axis=1)
        count = self.node("Shape", rows, start=1, end=2)
        shape = self.node("Concat", self.integers(1), count, self.integers(1), axis=0)
        first = [self.node("Expand", one, shape) for one in states]
        found = self.node(
            "LSTM", rows, gates("weight_ih"), gates("weight_hh"), bias, lengths, *first,
            hidden_size=size, direction="bidirectional" if bidirectional else "forward",
        )  # fmt: skip
        return self.node("Reshape", self.node("Transpose", found, perm=[0, 2, 1, 3]), width)

    def highway(self, model: Model, name: str, rows: str, lengths: str) -> str:
        """Stanza's highway LSTM: layers of both directions, each added to what its gate lets through from below."""
        for layer in range(model.config["num_layers"]):
            which = self.integers(2 * layer, 2 * layer + 1)
            first = [self.weights(model, f"{name}_{kind}_init", which) for kind in "hc"]
            states = self.lstm(model, f"{name}.lstm.{layer}.lstm", rows, lengths, first)
            through = self.node("Tanh", self.linear(model, f"{name}.highway.{layer}", rows))
            gate = self.node("Sigmoid", self.linear(model, f"{name}.gate.{layer}", rows))
            rows = self.node("Add", states, self.node("Mul", through, gate))
        return rows

    def scored(self, model: Model, name: str, rows: str, axes: int) -> str:
        """What a biaffine scorer reads of rows of that many axes: ``(relu(x W + b), 1)``."""
        hidden = self.node("Relu", self.linear(model, name, rows))
        return self.node("Pad", hidden, self.integers(*[0] * (2 * axes - 1), 1), self.number(1))

    def log_sigmoid(self, values: str) -> str:
        """The logarithm of the sigmoid."""
        return self.node("Neg", self.node("Softplus", self.node("Neg", values)))

    def write(self, file: Path, inputs: Mapping[str, Shape], outputs: Mapping[str, Shape]) -> None:
        """Write the graph, with the types and shapes of its inputs and outputs."""
        given, found = (
            [
                helper.make_tensor_value_info(name, TensorProto.DataType.Value(str(kind)), shape)
                for name, (kind, *shape) in values.items()
            ]
            for values in (inputs, outputs)
        )
        graph = helper.make_graph(self._nodes, file.stem, given, found, list(self._constants.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=FORMAT)
        onnx.checker.check_model(model)
        onnx.save(model, file)
