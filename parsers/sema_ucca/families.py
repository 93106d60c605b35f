"""Compatible labels: the children of a unit are those of a Scene, of a non-Scene unit, or of linked Scenes.

In the training text of both conventions (51,370 units with several children of Wikipedia, 15,608 of EWT), a Participant
is a Center's sibling once, and a parallel Scene is never the sibling of a main relation or a Center. So categories form
three kinds, which mix in only ten units; the others (relators, function words, ground) go with every kind. No unit of
that text has two main relations, and no main relation contains a Scene. The chart (:mod:`sema_ucca.chart`) finds the
best tree among those with compatible labels.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sema.model.scene_graph import CENTER, MAIN_RELATIONS, PARALLEL_SCENE
from sema_ucca.trees import CHAIN, LATER, TOGETHER

SCENE, PLAIN, LINKED, BARE = range(4)
"""Kinds of units by their children: of a Scene, of a unit without one, of linked Scenes, words only."""
KINDS = 3
"""Kinds with children."""
OF_KIND = (frozenset("PSADT"), frozenset("CENQ"), frozenset("HL"))
"""The categories that occur in one kind only."""
HEADS = MAIN_RELATIONS | {CENTER, PARALLEL_SCENE}
"""A head is its parent's main relation, a Center of it or a parallel Scene."""
ANYTHING = frozenset("CEA")
"""Categories of units that may be of any kind; an H is a Scene, and other units contain none."""
MISFIT = 4.0
"""The cost of a unit whose kind is rare for its category, or whose label does not fit its place (tuned on dev)."""
NEVER = -1e4


def outer_categories(label: str) -> frozenset[str]:
    """The categories of a child under its parent."""
    return frozenset(label.split(CHAIN, 1)[0].rstrip(LATER).split(TOGETHER))


@lru_cache(maxsize=16)
def places(labels: tuple[str, ...]) -> NDArray[np.float32]:
    """The cost, as a score, of a child of each label in a unit of each kind (2, kinds, labels).

    First as a head, then as a non-head: a non-head may have any label, at a cost if the label does not fit. So every
    sentence has a tree, even if no tree fits perfectly.
    """
    costs = np.full((2, KINDS, len(labels)), NEVER, np.float32)
    for index, label in enumerate(labels):
        categories = outer_categories(label)
        kinds = [kind for kind, own in enumerate(OF_KIND) if own & categories][:1] or range(KINDS)
        is_later_piece = label.split(CHAIN, 1)[0].endswith(LATER)  # which is no head
        if label:
            costs[1, :, index] = -MISFIT
            costs[0 if categories & HEADS and not is_later_piece else 1, list(kinds), index] = 0
    return costs


@lru_cache(maxsize=16)
def insides(labels: tuple[str, ...]) -> NDArray[np.float32]:
    """The cost, as a score, of each kind for a unit of each label (kinds and :data:`BARE`, labels)."""
    costs = np.zeros((KINDS + 1, len(labels)), np.float32)
    for index, label in enumerate(labels):
        lowest = frozenset(label.rpartition(CHAIN)[2].rstrip(LATER).split(TOGETHER))
        if PARALLEL_SCENE in lowest:
            costs[[PLAIN, LINKED, BARE], index] = -MISFIT
        elif not lowest & ANYTHING or lowest & MAIN_RELATIONS:
            costs[[SCENE, LINKED], index] = -MISFIT
    return costs
