"""Labels that fit together: every unit with several children has a head, and a Scene one main relation.

A chart scores each span on its own, so a unit may come out without a main relation, Center or parallel Scene, or with
two main relations; in the EWT training text 98.6 % of the units with several children have a head, and none has two
main relations. The child whose label changes at the least cost mends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sema.model.scene_graph import CENTER, MAIN_RELATIONS, PARALLEL_SCENE
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


def is_head(label: str) -> bool:
    """Whether a child of that label is its parent's main relation, a Center of it or a parallel Scene."""
    return not HEADS.isdisjoint(outer_categories(label))


def is_main_relation(label: str) -> bool:
    """Whether a child of that label is the main relation of its parent."""
    return not MAIN_RELATIONS.isdisjoint(outer_categories(label))


def fitting_labels(children: Sequence[Sequence[Choice]]) -> list[str]:
    """A label for each child, out of its choices (the best first): the best ones but for what must be mended."""
    labels = [choices[0][0] for choices in children]
    if not any(map(is_head, labels)):
        changes = [
            (choices[0][1] - score, index, label)
            for index, choices in enumerate(children)
            for label, score in choices[1:]
            if is_head(label)
        ]
        cost, index, label = min(changes, default=(MAX_COST, 0, labels[0]))
        if cost < MAX_COST:
            labels[index] = label
    while sum(map(is_main_relation, labels)) > 1:
        changes = [
            (choices[0][1] - score, index, label)
            for index, choices in enumerate(children)
            if is_main_relation(labels[index])
            for label, score in choices[1:]
            if not is_main_relation(label)
        ]
        if not changes:
            break
        _, index, label = min(changes)
        labels[index] = label
    return labels
