"""The large reader of English: all-mpnet-base-v2, fine-tuned on pairs (the extra ``large``).

The package ships a graph without its matrices, and for each matrix a low-rank update (LoRA, Hu et al., ICLR 2022),
which is added to the matrix of the encoder's packages. The sums are quantized to 8 bits when the reader is first
needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.model.reading import CrossEncoder
from sema.runtime.checksums import checked
from sema_reader import mpnet
from sema_reader.notation import Matcher
from sema_reader.reader import MAX_PIECES, WEIGHTS, NetworkReader, Weights

LARGE = WEIGHTS / "large"
ADAPTER = "adapter.npz"
WHAT = "weights of the large reader"
NAME = "pairs-large-1"
STEPS = 63
"""Quantization steps on either side of 0: of 8 bits, 7 are used (:mod:`training.ucca.quantize` says why)."""
MATRICES = {
    "joint": ("attention.attn.q", "attention.attn.k", "attention.attn.v"), "out": ("attention.attn.o",),
    "up": ("intermediate.dense",), "down": ("output.dense",),
}  # fmt: skip
"""A layer's matrices: our names, and those of the packages."""
PLACES, LONGEST = "places", MAX_PIECES + 4
_FIRST_PLACE = 2
Floats = NDArray[np.float32]


class HalfPrecision:
    """Embeddings of pieces in half precision (pieces, width)."""

    def __init__(self, rows: NDArray[np.float16]) -> None:
        self._rows = rows

    def __getitem__(self, ids: NDArray[np.int64]) -> Floats:
        """The embeddings (…, width) of an array of ids (…) of any shape."""
        return self._rows[ids].astype(np.float32)


def reader(*, notation: Matcher | None = None, threads: int | None = None) -> CrossEncoder:
    """The large reader; the arguments are those of :class:`sema_reader.reader.NetworkReader`.

    Raises:
        ResourceError: the packages of the extra ``large`` are not installed, or damaged.
    """
    mpnet.mpnet_files()  # fails early if a package is missing
    return NetworkReader(
        lambda: (mpnet.word_pieces(), _loaded()[1]),
        folder=LARGE,
        name=NAME,
        weights=weights,
        digests=[checked(LARGE, WHAT, [ADAPTER]), mpnet.DIGEST],
        notation=notation,
        threads=threads,
    )


def weights() -> Weights:
    """The weights that the graph leaves out, by name."""
    return _loaded()[0]


@lru_cache(1)
def _loaded() -> tuple[Weights, HalfPrecision]:
    """The 8-bit matrices with a scale for each column and the embeddings of positions; the embeddings of pieces."""
    with np.load(LARGE / ADAPTER) as given:
        changes = dict(given)
    found: dict[str, NDArray[np.generic]] = {}
    parts: dict[str, Floats] = {}
    pieces = HalfPrecision(np.zeros((0, 0), np.float16))
    for name, value in mpnet.weights():
        if name == mpnet.WORDS:
            pieces = HalfPrecision(value.astype(np.float16))
        elif name == "embeddings.position_embeddings.weight":
            found[PLACES] = value[_FIRST_PLACE : _FIRST_PLACE + LONGEST].astype(np.float16)
        elif name.startswith("encoder.layer.") and name.endswith(".weight") and value.ndim == 2:
            parts[name.removeprefix("encoder.layer.").removesuffix(".weight")] = value
            for ours, theirs in MATRICES.items():
                layer = name.split(".")[2]
                if all(f"{layer}.{one}" in parts for one in theirs):
                    whole = np.concatenate([parts.pop(f"{layer}.{one}") for one in theirs])
                    key = f"{layer}.{ours}"
                    found[f"{key}.weight"], found[f"{key}.scale"] = in_eight_bits((whole + change(changes, key)).T)
    return found, pieces


def change(changes: Mapping[str, NDArray[Any]], key: str) -> Floats:
    """The low-rank update of a matrix (out, in): the product of its two factors."""
    low, high = (_numbers(changes, f"{key}.{part}") for part in ("low", "high"))
    return high.T @ low


def _numbers(changes: Mapping[str, NDArray[Any]], name: str) -> Floats:
    """A factor (rank, width) from integers and a scale for each row."""
    return np.asarray(changes[name] * changes[f"{name} scale"][:, None], np.float32)


def in_eight_bits(matrix: Floats, steps: int = STEPS) -> tuple[NDArray[np.int8], Floats]:
    """A matrix (in, out) as integers from ``-steps`` to ``steps``, and the scale of each column."""
    scale = np.maximum(np.abs(matrix).max(0), 1e-12) / steps
    whole = np.clip(np.round(matrix / scale), -steps, steps).astype(np.int8)
    return np.ascontiguousarray(whole), scale.astype(np.float32)
