"""Finds sets of packed keys (:func:`sema.alignment.relations.packed`) with a key in common, for many sets at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_BITS = (1 << 18) - 1
"""The bits of a key by which most keys that the other list lacks are dropped before sorting."""

Ints = NDArray[np.int64]


def sharing(asking: Sequence[bytes], waiting: Sequence[bytes]) -> list[list[int]]:
    """For each packed set of ``asking`` the places in ``waiting`` of sets with a key (or, rarely, a hash) in common."""
    asked, askers = _joined(asking)
    known, owners = _joined(waiting)
    asked, askers = _held(asked, askers, known)
    known, owners = _held(known, owners, asked)
    order = np.argsort(known)
    known, owners = known[order], owners[order]
    first = np.searchsorted(known, asked)
    counts = np.searchsorted(known, asked, "right") - first
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    found = owners[np.repeat(first, counts) + within]
    pairs = np.unique(np.repeat(askers, counts) * len(waiting) + found)
    ends = np.searchsorted(pairs, np.arange(1, len(asking) + 1) * len(waiting)).tolist()
    places = (pairs % max(1, len(waiting))).tolist()
    return [places[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _joined(sets: Sequence[bytes]) -> tuple[Ints, Ints]:
    """All keys, and for each the index of its set."""
    sizes = [len(keys) // 8 for keys in sets]
    return np.frombuffer(b"".join(sets), np.int64), np.repeat(np.arange(len(sets), dtype=np.int64), sizes)


def _held(keys: Ints, numbers: Ints, others: Ints) -> tuple[Ints, Ints]:
    """The keys whose last bits are those of a key in ``others``, with their numbers."""
    seen = np.zeros(_BITS + 1, np.bool_)
    seen[others & _BITS] = True
    kept = seen[keys & _BITS]
    return keys[kept], numbers[kept]
