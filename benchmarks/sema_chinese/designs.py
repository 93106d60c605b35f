"""Three ways to run Stanza's networks (its own torch modules, ONNX Runtime, NumPy), compared on the slowest layer.

    python -m benchmarks.sema_chinese.designs

The first layer of the shipped parser's LSTM, both directions, on 256 sentences of MCTS' lengths sorted by length, one
thread: processor seconds (best of five, in turn), and the largest difference from torch. ONNX Runtime gets the batch as
one and in eighths, because it also computes the padding after short sentences. A second table has the import time of
each library in a process of its own. Needs the package ``onnx``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from sema_chinese import MODELS
from sema_ud.numpy_inference.files import Floats, read_model
from sema_ud.numpy_inference.layers import Lstm, Packing

from benchmarks.records import CommandLine, Figures, run
from sema.runtime.onnx import onnx_runtime
from sema.runtime.threads import one_blas_thread

NAME = "parserlstm.lstm.0.lstm"
SENTENCES, PARTS, ROUNDS = 256, 8, 5
LIBRARIES = ("numpy", "onnxruntime", "torch", "stanza")
SHORTEST, LONGEST = 8, 70


def by_torch(weights: dict[str, Floats], rows: Floats, packing: Packing) -> Callable[[], Any]:
    size = weights["weight_hh_l0"].shape[1]
    lstm = torch.nn.LSTM(rows.shape[1], size, bidirectional=True)
    lstm.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    packed = torch.nn.utils.rnn.PackedSequence(torch.from_numpy(rows), torch.tensor(packing.sizes))

    def run() -> Any:
        with torch.inference_mode():
            return lstm(packed)[0].data.numpy()

    return run


def by_onnx(weights: dict[str, Floats], rows: Floats, packing: Packing, parts: int) -> Callable[[], Any]:
    size = weights["weight_hh_l0"].shape[1]

    def gates(
        kind: str, suffix: str
    ) -> Floats:  # torch: input, forget, cell, output; ONNX: input, output, forget, cell
        i, f, c, o = np.split(weights[f"{kind}_l0{suffix}"], 4)
        return np.concatenate([i, o, f, c])

    def both(kind: str) -> Floats:
        return np.stack([gates(kind, suffix) for suffix in ("", "_reverse")])

    bias = np.concatenate([both("bias_ih"), both("bias_hh")], axis=1)
    constants = {"W": both("weight_ih"), "R": both("weight_hh"), "B": bias}
    node = helper.make_node("LSTM", ["x", "W", "R", "B", "n"], ["y"], hidden_size=size, direction="bidirectional")
    inputs = [
        helper.make_tensor_value_info("x", TensorProto.FLOAT, ["steps", "sentences", rows.shape[1]]),
        helper.make_tensor_value_info("n", TensorProto.INT32, ["sentences"]),
    ]
    output = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["steps", 2, "sentences", size])
    tensors = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    graph = helper.make_graph([node], "layer", inputs, [output], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    runtime = onnx_runtime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = 1
    session = runtime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    padded = np.zeros((len(packing.sizes), len(packing.lengths), rows.shape[1]), np.float32)
    for step, count in enumerate(packing.sizes):
        padded[step, :count] = rows[packing.starts[step] : packing.starts[step] + count]
    lengths = packing.lengths.astype(np.int32)
    width = len(lengths) // parts

    def run() -> Any:
        found = np.empty((len(rows), 2 * size), np.float32)
        for first in range(0, len(lengths), width):
            some = slice(first, first + width)
            part = np.ascontiguousarray(padded[: lengths[first], some])
            (states,) = session.run(None, {"x": part, "n": lengths[some]})
            for step in range(len(part)):
                count = min(max(packing.sizes[step] - first, 0), width)
                start = packing.starts[step] + first
                found[start : start + count] = states[step, :, :count].transpose(1, 0, 2).reshape(count, -1)
        return found

    return run


def seconds(call: Callable[[], Any]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def main(argv: Sequence[str] | None = None) -> None:
    smoke = CommandLine(__doc__).parse(argv).smoke
    torch.set_num_threads(1)
    model = read_model(MODELS / "depparse.pt")
    weights = {
        name.removeprefix(f"{NAME}."): value for name, value in model.weights.items() if name.startswith(f"{NAME}.")
    }
    random = np.random.default_rng(0)
    lengths = random.integers(SHORTEST, LONGEST, PARTS if smoke else SENTENCES)
    packing = Packing(np.sort(lengths)[::-1].tolist())
    rows = random.standard_normal((int(packing.lengths.sum()), weights["weight_ih_l0"].shape[1]), np.float32)
    ours = Lstm(model.weights, NAME, bidirectional=True)
    ways = {
        "torch's module, packed": by_torch(weights, rows, packing),
        "ONNX Runtime, one batch": by_onnx(weights, rows, packing, 1),
        f"ONNX Runtime, {PARTS} batches": by_onnx(weights, rows, packing, PARTS),
        "NumPy, packed": lambda: ours.run(ours.project(rows), packing),
    }
    digits = {"processor s": 3, "largest difference": 7}
    table = Figures("chinese_speed.designs", f"{len(rows)} words", digits=digits)
    with one_blas_thread():
        exact = ways["torch's module, packed"]()
        best = {name: float("inf") for name in ways}
        for _ in range(1 if smoke else ROUNDS):
            for name, call in ways.items():
                best[name] = min(best[name], seconds(call))
        for name, call in ways.items():
            table.row(name, dict(zip(digits, (best[name], np.abs(call() - exact).max()), strict=True)))
    print()
    imports = Figures("chinese_speed.imports", "import", digits=2)
    for name in LIBRARIES[: 1 if smoke else None]:
        timed = f"import time; start = time.process_time(); import {name}; print(time.process_time() - start)"
        spent = min(float(subprocess.check_output([sys.executable, "-c", timed])) for _ in range(3))
        imports.row(name, {"processor s": spent})


if __name__ == "__main__":
    run(main)
