"""The layers against torch's and Stanza's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sema_ud.numpy_inference.layers import Highway, Linear, Lstm, Packing, log_sigmoid, sigmoid

LENGTHS = [7, 7, 4, 1]


def weights_of(module: Any, name: str) -> dict[str, Any]:
    return {f"{name}.{key}": value.detach().numpy() for key, value in module.state_dict().items()}


def test_packing_lays_the_words_of_a_place_together() -> None:
    packing = Packing([3, 2, 2])
    flat = np.asarray([[10], [11], [12], [20], [21], [30], [31]], np.float32)
    packed = packing.pack(flat)
    assert packed[:, 0].tolist() == [10, 20, 30, 11, 21, 31, 12]
    assert packing.sizes == [3, 3, 1] and packing.starts == [0, 3, 6, 7]
    assert (packed[packing.rows] == flat).all()


def test_sigmoids_neither_overflow_nor_underflow() -> None:
    values = np.asarray([-200, -1, 0, 1, 200], np.float32)
    exact = 1 / (1 + np.exp(-values.astype(np.float64)))
    assert np.allclose(log_sigmoid(values), np.minimum(values, 0) - np.log1p(np.exp(-abs(values.astype(np.float64)))))
    with np.errstate(over="ignore"):
        assert np.allclose(sigmoid(values.copy()), exact)


@pytest.mark.parametrize("bidirectional", [True, False])
def test_an_lstm_is_torchs(bidirectional: bool) -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    lstm = torch.nn.LSTM(6, 5, bidirectional=bidirectional)
    ours = Lstm(weights_of(lstm, "rnn"), "rnn", bidirectional=bidirectional)
    packing = Packing(LENGTHS)
    rows = torch.randn(sum(LENGTHS), 6)
    states = torch.randn(2, 1 + bidirectional, 1, 5)
    ours.start(*states[:, :, 0].numpy())
    with torch.no_grad():
        packed = torch.nn.utils.rnn.PackedSequence(rows, torch.tensor(packing.sizes))
        theirs, _ = lstm(packed, tuple(one.repeat(1, len(LENGTHS), 1) for one in states))
    found = ours.run(ours.project(rows.numpy()), packing)
    assert np.allclose(found, theirs.data.numpy(), atol=1e-6)


def test_a_highway_is_stanzas() -> None:
    torch = pytest.importorskip("torch")
    hlstm = pytest.importorskip("stanza.models.common.hlstm")
    torch.manual_seed(0)
    network = hlstm.HighwayLSTM(6, 5, num_layers=2, bidirectional=True, highway_func=torch.tanh).eval()
    states = torch.randn(2, 4, 1, 5)
    weights = weights_of(network, "net") | {"net_h_init": states[0].numpy(), "net_c_init": states[1].numpy()}
    packing = Packing(LENGTHS)
    rows = torch.randn(sum(LENGTHS), 6)
    with torch.no_grad():
        packed = torch.nn.utils.rnn.PackedSequence(rows, torch.tensor(packing.sizes))
        theirs, _ = network(packed, LENGTHS, tuple(one.repeat(1, len(LENGTHS), 1) for one in states))
    types, which = np.unique(rows.numpy(), axis=0, return_inverse=True)
    assert np.allclose(Highway(weights, "net", 2)(types, which, packing), theirs.data.numpy(), atol=1e-6)


def test_a_linear_layer_has_a_bias_or_none() -> None:
    weights = {"a.weight": np.asarray([[1, 2]], np.float32), "a.bias": np.asarray([5], np.float32)}
    assert Linear(weights, "a")(np.ones((1, 2), np.float32)).tolist() == [[8]]
    assert Linear({"a.weight": weights["a.weight"]}, "a")(np.ones((1, 2), np.float32)).tolist() == [[3]]
