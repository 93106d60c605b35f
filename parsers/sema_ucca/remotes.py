"""Pairs of units as the classifier of remote edges sees them (the same for training and for parsing)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sema.model.scene_graph import MAIN_RELATIONS, PARTICIPANT
from sema_ucca.trees import TOGETHER, Tree, UnitRef, chain

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Small = NDArray[np.int16]

DISTANCES = (1, 2, 4, 8, 16)
RELATIONS = 5
FEATURE_GROUPS = (RELATIONS, 2 * len(DISTANCES) + 1, 4)
"""Features of a pair: its relation in the tree, its distance with direction, what the parent is; one of each group."""
FEATURES = sum(FEATURE_GROUPS)
_FARTHEST = 512
"""More than the words of any sentence that is parsed in one go."""
_GAPS = np.arange(-_FARTHEST, _FARTHEST + 1)
_DISTANCE = (len(DISTANCES) + np.sign(_GAPS) * np.searchsorted(DISTANCES, np.abs(_GAPS), side="right")).astype(np.int16)


@dataclass(frozen=True)
class Units:
    """The units of a tree from the top down, left to right: where they are, their labels, the unit above (or -1)."""

    refs: tuple[UnitRef, ...]
    labels: tuple[str, ...]
    above: tuple[int, ...]


def units_of(tree: Tree) -> Units:
    """The units of a tree, each by its first piece."""
    refs: list[UnitRef] = []
    labels: list[str] = []
    above: list[int] = []
    stack: list[tuple[int, int]] = []
    for start, minus, label in sorted((start, -end, label) for (start, end), label in tree.spans.items()):
        end = -minus
        while stack and stack[-1][0] <= start:
            stack.pop()
        parent = stack[-1][1] if stack else -1
        for level, part in enumerate(chain(label)):
            if not part.rank:
                refs.append(UnitRef(start, end, level))
                labels.append(part.name)
                above.append(parent)
                parent = len(refs) - 1
        stack.append((end, parent))
    return Units(tuple(refs), tuple(labels), tuple(above))


@dataclass(frozen=True)
class UnitArrays:
    """The units of one tree in numbers.

    Attributes:
        first, last: each unit's first and last word (units).
        category, above: its category's and that of the unit above it (units); 0 for one that is not in the inventory,
            and for what is above the topmost units.
        features: the features of every pair (3, parents, children), each one of its group in :data:`FEATURE_GROUPS`.
        allowed: the pairs that may have a remote edge (parents, children).
    """

    first: Ints
    last: Ints
    category: Ints
    above: Ints
    features: Small
    allowed: Bools


def arrays_of(units: Units, categories: Mapping[str, int]) -> UnitArrays:
    """What the classifier sees of a tree's units."""
    size = len(units.refs)
    first = np.array([ref.start for ref in units.refs], np.int64)
    last = np.array([ref.end - 1 for ref in units.refs], np.int64)
    parent = np.array(units.above, np.int64)
    numbers = [categories.get(label, 0) for label in units.labels]
    above = np.array([0 if place < 0 else numbers[place] for place in units.above], np.int64)
    kind = [0] * size
    for label, place in zip(units.labels, units.above, strict=True):
        if place >= 0:
            kind[place] |= _role(label)
    order = np.arange(size)
    # over[i, j]: unit j is unit i or above it
    over = (first <= first[:, None]) & (last >= last[:, None]) & (order <= order[:, None])
    grand = np.where(parent >= 0, parent[parent], -2) if size else parent
    features = np.empty((3, size, size), np.int16)
    relation, distance, what = features
    relation.fill(4)
    inside = over.T
    relation[inside] = 3
    outside = ~inside
    relation[(over[:, parent] | (parent < 0)) & outside] = 2
    relation[(parent == grand[:, None]) & outside] = 1
    relation[(parent == parent[:, None]) & outside] = 0
    distance[:] = _DISTANCE[first - first[:, None] + _FARTHEST]
    what[:] = np.array(kind, np.int16)[:, None]
    allowed = ~over & (parent != order[:, None])
    return UnitArrays(first, last, np.array(numbers, np.int64), above, features, allowed)


@lru_cache(maxsize=1024)
def _role(label: str) -> int:
    """What a child says of the unit above it: 1 if it is a main relation, 2 if a Participant, else 0."""
    parts = label.split(TOGETHER)
    return 1 if MAIN_RELATIONS.intersection(parts) else 2 if PARTICIPANT in parts else 0


def unit_arrays(batch: Sequence[Units], categories: Mapping[str, int]) -> tuple[dict[str, Ints], Bools]:
    """The units of a batch of trees, padded, for training: ``first``, ``last`` word, ``category``, ``above`` (batch,
    units), and ``features`` (batch, parents, children, 3), counted through the groups; with the pairs that may have a
    remote edge (batch, parents, children).
    """
    most = max((len(units.refs) for units in batch), default=0) or 1
    found = {name: np.zeros((len(batch), most), np.int64) for name in ("first", "last", "category", "above")}
    found["features"] = np.zeros((len(batch), most, most, 3), np.int64)
    allowed = np.zeros((len(batch), most, most), np.bool_)
    for row, units in enumerate(batch):
        arrays, size = arrays_of(units, categories), len(units.refs)
        for name in ("first", "last", "category", "above"):
            found[name][row, :size] = getattr(arrays, name)
        found["features"][row, :size, :size] = np.moveaxis(arrays.features, 0, -1)
        allowed[row, :size, :size] = arrays.allowed
    found["features"] += np.cumsum((0, *FEATURE_GROUPS[:-1]))
    return found, allowed
