"""Pairs of units as input of the classifier of remote edges."""

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

DISTANCES = (1, 2, 4, 8, 16)
RELATIONS = 5
FEATURE_GROUPS = (RELATIONS, 2 * len(DISTANCES) + 1, 4)
"""Sizes of the groups of a pair's features, one of each: relation in the tree, signed distance, the parent's role."""
FEATURES = sum(FEATURE_GROUPS)
_FARTHEST = 512
"""More than the words of any sentence that is parsed whole."""
_GAPS = np.arange(-_FARTHEST, _FARTHEST + 1)
_DISTANCE = FEATURE_GROUPS[2] * (
    len(DISTANCES) + np.sign(_GAPS) * np.searchsorted(DISTANCES, np.abs(_GAPS), side="right")
)
"""The feature of each gap, times the size of the group after it."""


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
    """The units of some trees in numbers, tree after tree.

    Attributes:
        first, last: each unit's first and last word (units).
        category, above: its category's and that of the unit above it (units); 0 for one that is not in the inventory,
            and for what is above the topmost units.
        features: for each tree the features of every pair (parents, children), one of each group of
            :data:`FEATURE_GROUPS`, coded in one number as by ``numpy.ravel_multi_index``.
        allowed: for each tree the pairs that may have a remote edge (parents, children).
    """

    first: Ints
    last: Ints
    category: Ints
    above: Ints
    features: Sequence[Ints]
    allowed: Sequence[Bools]


def arrays_of(trees: Sequence[Units], categories: Mapping[str, int]) -> UnitArrays:
    """The classifier's input for the units of some trees.

    All pairs of all trees are processed together: NumPy calls for each tree would take longer than the computation.
    """
    sizes = np.array([len(units.refs) for units in trees], np.int64)
    partners = np.repeat(sizes, sizes)  # of each unit, itself included
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    first = np.array([ref.start for units in trees for ref in units.refs], np.int64)
    last = np.array([ref.end - 1 for units in trees for ref in units.refs], np.int64)
    numbers = [[categories.get(label, 0) for label in units.labels] for units in trees]
    above = [
        own[place] if place >= 0 else 0 for own, units in zip(numbers, trees, strict=True) for place in units.above
    ]
    parent = np.array([place for units in trees for place in units.above], np.int64)
    parent = np.where(parent >= 0, parent + starts, -1)
    one = np.repeat(np.arange(len(first)), partners)
    other = np.arange(len(one)) - np.repeat(np.cumsum(partners) - partners - starts, partners)
    features, allowed = _of_pairs(first, last, parent, _roles(trees), one, other)
    ends = np.cumsum(sizes * sizes)
    shapes = list(zip((ends - sizes * sizes).tolist(), ends.tolist(), sizes.tolist(), strict=True))
    return UnitArrays(
        first,
        last,
        np.array([number for own in numbers for number in own], np.int64),
        np.array(above, np.int64),
        [features[start:end].reshape(size, size) for start, end, size in shapes],
        [allowed[start:end].reshape(size, size) for start, end, size in shapes],
    )


def _of_pairs(first: Ints, last: Ints, parent: Ints, roles: Ints, one: Ints, other: Ints) -> tuple[Ints, Bools]:
    """The features of pairs of units, and whether they may have a remote edge; ``one`` may be ``other``'s parent."""
    grand = np.where(parent >= 0, parent[parent], -2) if len(parent) else parent
    first_one, last_one, parent_one = first[one], last[one], parent[one]
    first_other, last_other, parent_other = first[other], last[other], parent[other]
    over = (first_other <= first_one) & (last_other >= last_one) & (other <= one)
    inside = (first_one <= first_other) & (last_one >= last_other) & (one <= other)
    uncle = (first[parent_other] <= first_one) & (last[parent_other] >= last_one) & (parent_other <= one)
    relation = np.where(uncle | (parent_other < 0), 2, 4)
    relation[parent_other == grand[one]] = 1
    relation[parent_other == parent_one] = 0
    relation[inside] = 3
    features = relation * (FEATURE_GROUPS[1] * FEATURE_GROUPS[2])
    features += _DISTANCE[first_other - first_one + _FARTHEST]
    features += roles[one]
    return features, ~over & (parent_other != one)


def _roles(trees: Sequence[Units]) -> Ints:
    """Each unit's role by its children: 1 with a main relation, 2 with Participants, 3 with both, else 0."""
    roles: list[int] = []
    for units in trees:
        start = len(roles)
        roles += [0] * len(units.refs)
        for label, place in zip(units.labels, units.above, strict=True):
            if place >= 0:
                roles[start + place] |= _role(label)
    return np.array(roles, np.int64)


@lru_cache(maxsize=1024)
def _role(label: str) -> int:
    """The evidence of a child for the role of its parent: 1 if it is a main relation, 2 if a Participant, else 0."""
    parts = label.split(TOGETHER)
    return 1 if MAIN_RELATIONS.intersection(parts) else 2 if PARTICIPANT in parts else 0
