"""Pairs of units as the classifier of remote edges sees them (the same for training and for parsing)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sema.model.scene_graph import MAIN_RELATIONS, PARTICIPANT
from sema_ucca.trees import CHAIN, LATER, TOGETHER, Tree, UnitRef

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

DISTANCES = (1, 2, 4, 8, 16)
RELATIONS = 5
FEATURE_GROUPS = (RELATIONS, 2 * len(DISTANCES) + 1, 4)
"""Features of a pair: its relation in the tree, its distance with direction, what the parent is; one of each group."""
FEATURES = sum(FEATURE_GROUPS)


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
    for (start, end), chain in sorted(tree.spans.items(), key=lambda item: (item[0][0], -item[0][1])):
        while stack and stack[-1][0] <= start:
            stack.pop()
        parent = stack[-1][1] if stack else -1
        for level, label in enumerate(chain.split(CHAIN)):
            if not label.endswith(LATER):
                refs.append(UnitRef(start, end, level))
                labels.append(label)
                above.append(parent)
                parent = len(refs) - 1
        stack.append((end, parent))
    return Units(tuple(refs), tuple(labels), tuple(above))


def unit_arrays(batch: Sequence[Units], categories: Mapping[str, int]) -> tuple[dict[str, Ints], Bools]:
    """The units of a batch of trees, padded: ``first``, ``last`` word, ``category``, ``above`` (batch, units), and
    ``features`` (batch, parents, children, 3); with the pairs that may have a remote edge (batch, parents, children).

    Categories that are not in ``categories``, and what is above the topmost units, count as category 0.
    """
    most = max((len(units.refs) for units in batch), default=0) or 1
    shape = (len(batch), most)
    first, last, category, kind = (np.zeros(shape, np.int64) for _ in range(4))
    parent = np.full(shape, -1)
    for row, units in enumerate(batch):
        size = len(units.refs)
        if not size:
            continue
        places = np.asarray(units.refs, np.int64)
        first[row, :size], last[row, :size] = places[:, 0], places[:, 1] - 1
        category[row, :size] = [categories.get(label, 0) for label in units.labels]
        parent[row, :size] = units.above
        for label, place in zip(units.labels, units.above, strict=True):
            if place >= 0:
                parts = label.split(TOGETHER)
                kind[row, place] |= 1 if MAIN_RELATIONS.intersection(parts) else 2 if PARTICIPANT in parts else 0
    rows = np.arange(len(batch))[:, None]
    above = np.where(parent >= 0, category[rows, parent], 0)
    grand = np.where(parent >= 0, parent[rows, parent], -2)
    order = np.arange(most)
    # over[b, i, j]: unit j is unit i or above it
    over = (
        (first[:, None, :] <= first[:, :, None])
        & (last[:, None, :] >= last[:, :, None])
        & (order[None, None, :] <= order[None, :, None])
    )
    relation = np.full((*shape, most), 4, np.int64)
    inside = over.transpose(0, 2, 1)
    relation[inside] = 3
    child_parent = parent[:, None, :]
    higher = np.take_along_axis(over, np.maximum(parent, 0)[:, None, :].repeat(most, 1), 2) | (child_parent < 0)
    relation[higher & ~inside] = 2
    relation[(child_parent == grand[:, :, None]) & ~inside] = 1
    relation[(child_parent == parent[:, :, None]) & ~inside] = 0
    gap = first[:, None, :] - first[:, :, None]
    bucket = np.searchsorted(DISTANCES, np.abs(gap), side="right")
    distance = RELATIONS + len(DISTANCES) + np.sign(gap) * bucket
    what = np.broadcast_to((FEATURES - 4 + kind)[:, :, None], relation.shape)
    sizes = np.asarray([len(units.refs) for units in batch])
    real = order[None, :] < sizes[:, None]
    allowed = real[:, :, None] & real[:, None, :] & ~over & (child_parent != order[None, :, None])
    arrays = {"first": first, "last": last, "category": category, "above": above,
              "features": np.stack((relation, distance, what), -1)}  # fmt: skip
    return arrays, allowed
