"""The embeddings of pieces, quantized to 4 bits in blocks, in a file that is memory-mapped, not loaded.

A network that needs more precision reads two more bits for the commonest pieces.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BLOCK, BLOCK_BYTES = 32, 18
"""Numbers in a 4-bit block, and its bytes: a half-precision scale, then the low and high halves of 16 bytes."""

PARTS = 4
"""Into how many parts two more bits divide a step of a block; also how many numbers share a byte of such bits."""

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]


class Table:
    """Embeddings (pieces, width), each row decoded when it is asked for."""

    def __init__(self, rows: Bytes, finer: Bytes | None = None) -> None:
        """``rows`` (pieces, bytes) of ``width / 32`` blocks; ``finer`` (pieces, ``width / 4``): two more bits for each
        number of the first pieces."""
        self._rows, self._finer = rows, finer
        self.width = rows.shape[1] // BLOCK_BYTES * BLOCK

    def __len__(self) -> int:
        return len(self._rows)

    def __getitem__(self, ids: NDArray[np.int64]) -> Floats:
        """The embeddings of an array of ids, of any shape (…, width)."""
        used, places = np.unique(ids, return_inverse=True)
        rows = np.ascontiguousarray(self._rows[used])
        numbers = blocks(rows)
        if self._finer is not None:
            first = int(np.searchsorted(used, len(self._finer)))
            numbers[:first] += _corrections(rows[:first], self._finer[used[:first]])
        return numbers[places.reshape(-1)].reshape(*ids.shape, self.width)


def blocks(rows: Bytes) -> Floats:
    """The numbers of rows of 4-bit blocks: low halves are the first 16 of a block, high halves the others."""
    halves = _split(rows)[..., 2:]
    numbers = np.concatenate([halves & 15, halves >> 4], -1).astype(np.float32)
    return _joined((numbers - 8) * _scales(rows))


def to_blocks(numbers: Floats) -> Bytes:
    """Rows of numbers, rounded to rows of 4-bit blocks; the number of a block furthest from 0 is 8 steps from it."""
    parts = numbers.reshape(len(numbers), -1, BLOCK).astype(np.float32)
    furthest = np.take_along_axis(parts, np.abs(parts).argmax(-1)[..., None], -1)
    scales = (furthest / -8).astype(np.float16)
    steps = np.divide(parts, scales, out=np.zeros_like(parts), where=scales != 0)
    whole = np.clip(np.round(steps) + 8, 0, 15).astype(np.uint8)
    halves = whole[..., : BLOCK // 2] | whole[..., BLOCK // 2 :] << 4
    return np.concatenate([scales.astype("<f2").view(np.uint8), halves], -1).reshape(len(numbers), -1)


def to_finer(numbers: Floats, rows: Bytes) -> Bytes:
    """Two more bits for each of the numbers rounded in ``rows``: the part of its step that it lies in."""
    steps = np.repeat(_scales(rows)[..., 0], BLOCK, -1)
    rest = np.divide(numbers - blocks(rows), steps, out=np.zeros_like(numbers), where=steps != 0)
    parts = np.clip(np.floor((rest + 0.5) * PARTS), 0, PARTS - 1).astype(np.uint8)
    return np.asarray(sum(part << 2 * at for at, part in enumerate(np.split(parts, PARTS, -1))), np.uint8)


def _corrections(rows: Bytes, finer: Bytes) -> Floats:
    """The corrections to add to the numbers of blocks: from the middle of a step to the middle of a part of it."""
    parts = np.concatenate([finer >> 2 * at & 3 for at in range(PARTS)], -1).astype(np.float32)
    middles = np.asarray((parts + 0.5) / PARTS - 0.5, np.float32)
    scales = _scales(rows)
    return _joined(middles.reshape(*scales.shape[:2], BLOCK) * scales)


def _scales(rows: Bytes) -> Floats:
    """The step of each block (rows, blocks, 1)."""
    return _split(rows)[..., :2].copy().view("<f2").astype(np.float32)


def _split(rows: Bytes) -> Bytes:
    """The blocks of rows (rows, blocks, bytes)."""
    return rows.reshape(len(rows), rows.shape[1] // BLOCK_BYTES, BLOCK_BYTES)


def _joined(numbers: Floats) -> Floats:
    """The numbers of blocks (rows, blocks, numbers), row by row."""
    return np.asarray(numbers.reshape(len(numbers), numbers.shape[1] * BLOCK), np.float32)
