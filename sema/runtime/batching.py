"""Batches of like size, so that little of a batch is padding."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

Size = tuple[int, ...]
"""An entry's size in each of a batch's dimensions (pieces and spans; rows and columns)."""


def batches(
    sizes: Sequence[Size],
    fits: Callable[[int, Size], bool],
    *,
    order: Iterable[int] | None = None,
    key: Callable[[int], Any] | None = None,
) -> list[list[int]]:
    """All indexes of ``sizes`` in batches, small entries first.

    ``fits(count, size)`` says whether a batch of ``count`` entries may be padded to ``size``, the maximum of its
    entries in each dimension; an entry that fits in no batch forms its own. ``order`` is the order of entries of
    equal size (default: as given); ``key`` replaces the size as the sort key.
    """
    grouped: list[list[int]] = []
    current: list[int] = []
    widest: Size = ()
    for index in sorted(range(len(sizes)) if order is None else order, key=key or sizes.__getitem__):
        wider = tuple(map(max, widest, sizes[index])) if current else sizes[index]
        if current and not fits(len(current) + 1, wider):
            grouped.append(current)
            current, wider = [], sizes[index]
        current.append(index)
        widest = wider
    return [*grouped, current] if current else grouped
