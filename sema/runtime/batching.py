"""Batches of like size, so that little of a batch is padding."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Size = tuple[int, ...]
"""An entry's size in each of a batch's dimensions (pieces and spans; rows and columns)."""


def batches(
    sizes: Sequence[Size], fits: Callable[[int, Size], bool], *, key: Callable[[int], Any] | None = None
) -> list[list[int]]:
    """All indexes of ``sizes`` in batches, small entries first.

    ``fits(count, size)`` says whether a batch of ``count`` entries may be padded to ``size``, the maximum of its
    entries in each dimension; an entry that fits in no batch forms its own. ``key`` replaces the size as the sort key.
    """
    grouped: list[list[int]] = []
    current: list[int] = []
    widest: Size = ()
    for index in sorted(range(len(sizes)), key=key or sizes.__getitem__):
        wider = tuple(map(max, widest, sizes[index])) if current else sizes[index]
        if current and not fits(len(current) + 1, wider):
            grouped.append(current)
            current, wider = [], sizes[index]
        current.append(index)
        widest = wider
    return [*grouped, current] if current else grouped


STEP = 4
"""Lengths are padded to multiples of this, so that more texts share one: fewer shapes take less time."""


def padded(size: int) -> int:
    """The size to which a text is padded."""
    return size + -size % STEP


def equal_batches(sizes: Sequence[int], most: int) -> list[list[int]]:
    """All indexes of ``sizes`` in batches of one padded size, the largest first, so that no result depends on a batch.

    ``most`` is the padded size of a whole batch.
    """
    by_size: dict[int, list[int]] = {}
    for index, size in enumerate(sizes):
        by_size.setdefault(padded(size), []).append(index)
    return [
        indexes[start : start + step]
        for size, indexes in sorted(by_size.items(), reverse=True)
        for step in [max(1, most // size)]
        for start in range(0, len(indexes), step)
    ]
