"""The layers of the graphs against torch's and Stanza's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sema.runtime.onnx import Session

torch = pytest.importorskip("torch")
graphs = pytest.importorskip("training.ud.graphs")
LENGTHS = [7, 7, 4, 1]
ROWS = {"rows": ("FLOAT", "T", "S", 6), "lengths": ("INT32", "S")}


def model_of(module: Any, name: str, config: dict[str, Any] | None = None, **states: Any) -> Any:
    weights = {f"{name}.{key}": value.detach().numpy() for key, value in module.state_dict().items()}
    return graphs.Model("one", config or {}, weights | {key: one.numpy() for key, one in states.items()}, {}, 127)


def run(graph: Any, result: str, file: Path, rows: Any) -> np.ndarray:
    """The result of a graph, without the places behind each sentence's end, in torch's packed order."""
    graph.node("Identity", result, result="found")
    graph.write(file, ROWS, {"found": ("FLOAT", "T", "S", "states")})
    given = {"rows": rows.numpy(), "lengths": np.asarray(LENGTHS, np.int32)}
    (found,) = Session(file).run(("found",), given)
    return torch.nn.utils.rnn.pack_padded_sequence(torch.from_numpy(found), LENGTHS).data.numpy()


@pytest.mark.parametrize("bidirectional", [True, False])
def test_an_lstm_is_torchs(bidirectional: bool, tmp_path: Path) -> None:
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(6, 5, bidirectional=bidirectional)
    rows, states = torch.randn(7, 4, 6), torch.randn(2, 1 + bidirectional, 1, 5)
    model = model_of(lstm, "rnn", hidden=states[0], cell=states[1])
    graph = graphs.Graph()
    first = [graph.weights(model, name) for name in ("hidden", "cell")]
    result = graph.lstm(model, "rnn", "rows", "lengths", first, bidirectional=bidirectional)
    with torch.no_grad():
        packed = torch.nn.utils.rnn.pack_padded_sequence(rows, LENGTHS)
        theirs, _ = lstm(packed, tuple(one.repeat(1, len(LENGTHS), 1) for one in states))
    assert np.allclose(run(graph, result, tmp_path / "lstm.onnx", rows), theirs.data.numpy(), atol=2e-3)


def test_a_highway_is_stanzas(tmp_path: Path) -> None:
    hlstm = pytest.importorskip("stanza.models.common.hlstm")
    torch.manual_seed(0)
    network = hlstm.HighwayLSTM(6, 5, num_layers=2, bidirectional=True, highway_func=torch.tanh).eval()
    rows, states = torch.randn(7, 4, 6), torch.randn(2, 4, 1, 5)
    model = model_of(network, "net", {"num_layers": 2}, net_h_init=states[0], net_c_init=states[1])
    graph = graphs.Graph()
    result = graph.highway(model, "net", "rows", "lengths")
    with torch.no_grad():
        packed = torch.nn.utils.rnn.pack_padded_sequence(rows, LENGTHS)
        theirs, _ = network(packed, LENGTHS, tuple(one.repeat(1, len(LENGTHS), 1) for one in states))
    assert np.allclose(run(graph, result, tmp_path / "highway.onnx", rows), theirs.data.numpy(), atol=2e-3)


def test_matrices_have_eight_bits_or_sixteen(tmp_path: Path) -> None:
    numbers = np.random.default_rng(0)
    given = {"matrix": numbers.normal(size=(5, 40)), "short": np.ones((9, 3)) / 3, "zeros": np.zeros((2, 16))}
    weights = {name: value.astype(np.float32) for name, value in given.items()}
    graph = graphs.Graph()
    for name in weights:
        graph.node("Identity", graph.weights(graphs.Model("one", {}, weights, {}, 15), name), result=name)
    graph.write(tmp_path / "weights.onnx", {}, {name: ("FLOAT", *one.shape) for name, one in weights.items()})
    found = dict(zip(weights, Session(tmp_path / "weights.onnx").run(tuple(weights), {}), strict=True))
    matrix = weights["matrix"]
    assert (np.abs(found["matrix"] - matrix) <= np.abs(matrix).max(-1, keepdims=True) / 29).all()
    assert len(np.unique(found["matrix"][0])) <= 31
    np.testing.assert_array_equal(found["short"], weights["short"].astype(np.float16))
    assert not found["zeros"].any()
