"""Labels that fit together: every unit with several children has a head, and a Scene one main relation.

A chart scores each span on its own, so a unit may come out without a main relation, Center or parallel Scene, or with
two main relations; in the EWT training text 98.6 % of the units with several children have a head, and none has two
main relations. Nor does a main relation ever have one of its own (0 of 6,560 in either corpus), and a unit with
Participants has a Center in place of a main relation in 8 cases of 19,886. The child whose label changes at the least
cost mends it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

from sema.model.scene_graph import CENTER, MAIN_RELATIONS, PARALLEL_SCENE, PARTICIPANT
from sema_ucca.trees import CHAIN, LATER, TOGETHER

Choice = tuple[str, float]
"""A label and its score."""

HEADS = MAIN_RELATIONS | {CENTER, PARALLEL_SCENE}
MAX_COST = 2.0
"""How much score a unit's missing head may cost; beyond, the unit is left as the chart found it (tuned on dev)."""


@lru_cache(maxsize=1024)
def outer_categories(label: str) -> frozenset[str]:
    """The categories of a child under its parent; none for the later piece of a unit, which is no head again."""
    name = label.split(CHAIN, 1)[0]
    return frozenset() if name.endswith(LATER) else frozenset(name.split(TOGETHER))


@lru_cache(maxsize=1024)
def is_head(label: str) -> bool:
    """Whether a child of that label is its parent's main relation, a Center of it or a parallel Scene."""
    return not HEADS.isdisjoint(outer_categories(label))


@lru_cache(maxsize=1024)
def is_main_relation(label: str) -> bool:
    """Whether a child of that label is the main relation of its parent."""
    return not MAIN_RELATIONS.isdisjoint(outer_categories(label))


@lru_cache(maxsize=1024)
def is_participant(label: str) -> bool:
    """Whether a child of that label is a Participant of its parent."""
    return PARTICIPANT in outer_categories(label)


def innermost(label: str) -> str:
    """The label of the lowest unit of a chain."""
    return label.rpartition(CHAIN)[2]


def fitting_labels(children: Sequence[Sequence[Choice]], *, inside_relation: bool = False) -> list[str]:
    """A label for each child, out of its choices (the best first): the best ones but for what must be mended.

    With ``inside_relation`` the unit is itself the main relation of a Scene, and has none of its own.
    """
    labels = [choices[0][0] for choices in children]
    if do_fit(labels, inside_relation=inside_relation):
        return labels
    if not any(map(is_head, labels)):
        _change(children, labels, lambda index, label: is_head(label), MAX_COST)
    if not inside_relation and any(map(is_participant, labels)) and _is_headed_by_center(labels):
        _change(children, labels, lambda index, label: is_center(labels[index]) and is_main_relation(label), MAX_COST)
    while sum(map(is_main_relation, labels)) > (0 if inside_relation else 1):
        if not _change(children, labels, lambda i, label: is_main_relation(labels[i]) > is_main_relation(label)):
            break
    return labels


def do_fit(labels: Sequence[str], *, inside_relation: bool = False) -> bool:
    """Whether the labels of a unit's children fit together as they are, so that :func:`fitting_labels` keeps them."""
    heads = [label for label in labels if is_head(label)]
    if not heads or sum(map(is_main_relation, heads)) > (0 if inside_relation else 1):
        return False
    return inside_relation or not all(map(is_center, heads)) or not any(map(is_participant, labels))


@lru_cache(maxsize=1024)
def is_center(label: str) -> bool:
    """Whether a child of that label is a Center of its parent."""
    return CENTER in outer_categories(label)


def _is_headed_by_center(labels: Sequence[str]) -> bool:
    heads = [label for label in labels if is_head(label)]
    return bool(heads) and all(map(is_center, heads))


def _change(
    children: Sequence[Sequence[Choice]],
    labels: list[str],
    allowed: Callable[[int, str], bool],
    max_cost: float = math.inf,
) -> bool:
    """Make the cheapest allowed change (of a child, to a label) if it costs less than ``max_cost``."""
    changes = [
        (choices[0][1] - score, index, label)
        for index, choices in enumerate(children)
        for label, score in choices[1:]
        if allowed(index, label)
    ]
    cost, index, label = min(changes, default=(math.inf, 0, ""))
    if cost < max_cost:
        labels[index] = label
    return cost < max_cost
