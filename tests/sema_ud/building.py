"""Trees written by hand, Scenes in words, and vectors of words."""

from collections.abc import Sequence

import numpy as np
from sema_ud.links import Vectors
from sema_ud.trees import DependencyTree

from sema.model.scene_graph import SceneGraph


class GivenVectors:
    """Vectors by word; any other word is like no other."""

    signature = "given"

    def __init__(self, **known: tuple[float, float]) -> None:
        self.known = known

    def words(self, sentences: Sequence[Sequence[str]]) -> list[Vectors]:
        return [np.array([self.known.get(word, (0, 0)) for word in words], np.float32) for words in sentences]


def tree(text: str) -> DependencyTree:
    """From ``form upos head relation [features]`` by word, on lines or between slashes; heads count from 1."""
    rows = [line.split() for line in text.strip().replace(" / ", "\n").splitlines()]
    return DependencyTree(
        tuple(row[0] for row in rows),
        tuple(row[1] for row in rows),
        tuple(int(row[2]) - 1 for row in rows),
        tuple(row[3] for row in rows),
        tuple(row[4] if len(row) > 4 else "" for row in rows),
    )


def scenes(graph: SceneGraph) -> list[tuple[list[str], list[list[str]]]]:
    """Each Scene in words: its main relation's centers, and the centers of each Participant."""

    def spell(centers: Sequence[tuple[int, ...]]) -> list[str]:
        return [" ".join(graph.tokens[index] for index in center) for center in centers]

    return [(spell(scene.main_relation), list(map(spell, scene.participants))) for scene in graph.scenes()]
