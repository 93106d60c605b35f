"""The embeddings of pieces: a file that is mapped, not loaded, in blocks of 4 bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLOCK, BLOCK_BYTES = 32, 18
"""Weights of a block of 4 bits, and its bytes: a half-precision scale, then low and high halves of 16 bytes."""

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


class Table:
    """Embeddings (pieces, width), each row decoded when it is asked for."""

    def __init__(self, rows: Bytes, width: int) -> None:
        """``rows`` (pieces, bytes) of ``width / 32`` blocks."""
        self._rows, self.width = rows, width

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, ids: NDArray[np.int64]) -> Floats:
        """The embeddings of an array of ids, of any shape (…, width)."""
        rows = np.ascontiguousarray(self._rows[ids.reshape(-1)])
        return blocks(rows).reshape(*ids.shape, self.width)


def blocks(rows: Bytes) -> Floats:
    """The numbers of rows of 4-bit blocks: low halves are the first 16 of a block, high halves the others."""
    raw = rows.reshape(len(rows), -1, BLOCK_BYTES)
    scales = raw[..., :2].copy().view("<f2").astype(np.float32)
    numbers = np.concatenate([raw[..., 2:] & 15, raw[..., 2:] >> 4], -1).astype(np.float32)
    return np.asarray(((numbers - 8) * scales).reshape(len(rows), -1), np.float32)


def to_blocks(numbers: Floats) -> Bytes:
    """Rows of numbers, rounded, as rows of 4-bit blocks: the number furthest from 0 of a block is 8 steps away."""
    parts = numbers.reshape(len(numbers), -1, BLOCK).astype(np.float32)
    furthest = np.take_along_axis(parts, np.abs(parts).argmax(-1)[..., None], -1)
    scales = (furthest / -8).astype(np.float16)
    steps = np.divide(parts, scales, out=np.zeros_like(parts), where=scales != 0)
    whole = np.clip(np.round(steps) + 8, 0, 15).astype(np.uint8)
    halves = whole[..., : BLOCK // 2] | whole[..., BLOCK // 2 :] << 4
    return np.concatenate([scales.astype("<f2").view(np.uint8), halves], -1).reshape(len(numbers), -1)
