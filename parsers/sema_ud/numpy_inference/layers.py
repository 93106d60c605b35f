"""The layers of Stanza's networks in NumPy: LSTMs over packed batches, highways, biaffine scores.

A packed batch holds sentences of falling length as torch's ``PackedSequence`` does: first the first words of all
sentences, then the second words, and so on; so each step of an LSTM reads rows that lie together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sema_ud.numpy_inference.files import Floats, Unsupported

Rows = NDArray[np.intp]


class Packing:
    """Where the words of a batch lie; ``lengths`` must not rise."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self.lengths = np.asarray(lengths, np.intp)
        steps = int(self.lengths[0])
        self.sizes = (len(self.lengths) - np.searchsorted(self.lengths[::-1], np.arange(steps), side="right")).tolist()
        self.starts = [0, *np.cumsum(self.sizes).tolist()]
        places = np.asarray(self.starts[:-1])
        self.rows: Rows = np.concatenate([places[:length] + at for at, length in enumerate(self.lengths.tolist())])
        """For each word, sentence after sentence, its row."""

    def pack(self, flat: Floats) -> Floats:
        """Rows that lie sentence after sentence, packed."""
        packed = np.empty_like(flat)
        packed[self.rows] = flat
        return packed


def sigmoid(values: Floats) -> Floats:
    """In place."""
    np.negative(values, values)
    np.exp(values, values)
    values += 1
    return np.reciprocal(values, values)


def log_sigmoid(values: Floats) -> Floats:
    """The logarithm of the sigmoid, exact for large values of either sign."""
    return np.minimum(values, 0) - np.log1p(np.exp(-np.abs(values)))


class Linear:
    """``x W + b``."""

    def __init__(self, weights: Mapping[str, Floats], name: str) -> None:
        self.matrix = np.ascontiguousarray(weights[f"{name}.weight"].T)
        self.bias = weights.get(f"{name}.bias")

    def __call__(self, rows: Floats) -> Floats:
        """One row of results for each row."""
        product = rows @ self.matrix
        if self.bias is not None:
            product += self.bias
        return product


class _Direction:
    """One direction of an LSTM. The gates' columns are in the order input, forget, output, cell."""

    def __init__(self, weights: Mapping[str, Floats], name: str, suffix: str) -> None:
        def columns(kind: str) -> Floats:
            gates = np.split(weights[f"{name}.{kind}_l0{suffix}"], 4)
            return np.concatenate([gates[0], gates[1], gates[3], gates[2]])

        self.below = np.ascontiguousarray(columns("weight_ih").T)
        self.before = np.ascontiguousarray(columns("weight_hh").T)
        self.bias = columns("bias_ih") + columns("bias_hh")
        self.size = len(self.before)

    def project(self, rows: Floats) -> Floats:
        product = rows @ self.below
        product += self.bias
        return product

    def run(
        self, projected: Floats, packing: Packing, state: tuple[Floats, Floats], out: Floats, *, backward: bool
    ) -> None:
        size, sizes, starts = self.size, packing.sizes, packing.starts
        hidden, cell = (np.repeat(one[None], sizes[0], 0) for one in state)
        gates = np.empty((sizes[0], 4 * size), np.float32)
        for step in reversed(range(len(sizes))) if backward else range(len(sizes)):
            count, rows = sizes[step], slice(starts[step], starts[step + 1])
            now = np.matmul(hidden[:count], self.before, out=gates[:count])
            now += projected[rows]
            sigmoid(now[:, : 3 * size])
            new = now[:, 3 * size :]
            np.tanh(new, new)
            new *= now[:, :size]
            kept = cell[:count]
            kept *= now[:, size : 2 * size]
            kept += new
            np.tanh(kept, new)
            new *= now[:, 2 * size : 3 * size]
            hidden[:count] = new
            out[rows] = new


class Lstm:
    """One layer of an LSTM in one direction or both, from learned initial states."""

    def __init__(self, weights: Mapping[str, Floats], name: str, *, bidirectional: bool) -> None:
        if f"{name}.weight_ih_l0" not in weights or f"{name}.weight_ih_l1" in weights:
            raise Unsupported(f"{name} is no LSTM of one layer")
        self.directions = [_Direction(weights, name, suffix) for suffix in ("", "_reverse")[: 1 + bidirectional]]
        self.inputs = len(self.directions[0].below)
        zero = np.zeros(self.directions[0].size, np.float32)
        self.states = [(zero, zero) for _ in self.directions]

    def start(self, hidden: Floats, cell: Floats) -> None:
        """Set the initial states, one row a direction."""
        self.states = list(zip(hidden, cell, strict=True))

    def project(self, rows: Floats) -> list[Floats]:
        """The part that does not depend on other words; rows may be those of word types, picked out later."""
        return [one.project(rows) for one in self.directions]

    def run(self, projected: Sequence[Floats], packing: Packing) -> Floats:
        """The states of packed rows, given what :meth:`project` made of them."""
        size = self.directions[0].size
        out = np.empty((len(projected[0]), size * len(self.directions)), np.float32)
        with np.errstate(over="ignore"):
            for at, (one, rows, state) in enumerate(zip(self.directions, projected, self.states, strict=True)):
                one.run(rows, packing, state, out[:, at * size : (at + 1) * size], backward=at == 1)
        return out


class Highway:
    """Stanza's highway LSTM: layers of both directions, each added to what its gate lets through from below."""

    def __init__(self, weights: Mapping[str, Floats], name: str, layers: int) -> None:
        self.layers = [Lstm(weights, f"{name}.lstm.{at}.lstm", bidirectional=True) for at in range(layers)]
        self.gates = [Linear(weights, f"{name}.gate.{at}") for at in range(layers)]
        self.highways = [Linear(weights, f"{name}.highway.{at}") for at in range(layers)]
        hidden, cell = (weights[f"{name}_{kind}_init"][:, 0] for kind in ("h", "c"))
        for at, layer in enumerate(self.layers):
            layer.start(hidden[2 * at : 2 * at + 2], cell[2 * at : 2 * at + 2])

    def __call__(self, types: Floats, which: Rows, packing: Packing) -> Floats:
        """``types[which]`` are the packed input rows; what does not depend on the context is done once a type."""
        inner = [rows[which] for rows in self.layers[0].project(types)]
        rows = self.layers[0].run(inner, packing)
        rows += self._passed(0, types)[which]
        for at in range(1, len(self.layers)):
            passed = self._passed(at, rows)
            rows = self.layers[at].run(self.layers[at].project(rows), packing)
            rows += passed
        return rows

    def _passed(self, layer: int, rows: Floats) -> Floats:
        passed = self.highways[layer](rows)
        np.tanh(passed, passed)
        with np.errstate(over="ignore"):
            passed *= sigmoid(self.gates[layer](rows))
        return passed


def with_one(rows: Floats) -> Floats:
    """Rows with a one at their end, which stands for a bias."""
    return np.concatenate([rows, np.ones((len(rows), 1), np.float32)], axis=1)
