"""Scenes as the meaning metrics read them: main relation and units, by token indexes of the whole text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sema.model.scene_graph import MAIN_RELATIONS, PARTICIPANT, SceneGraph

_UNITS = {PARTICIPANT: "Participant", "D": "modifier", "T": "time", "G": "comment", "Q": "quantity"}
"""The names of a Scene's children in reasons, by category; others (function words, linkers) have none."""

_RELATOR = "R"


@dataclass(frozen=True)
class Unit:
    """A child of a Scene: its name, its tokens, those of its minimal centers, and its relators (*to*, *on*)."""

    what: str
    tokens: tuple[int, ...]
    centers: tuple[int, ...]
    relators: tuple[int, ...] = ()


@dataclass(frozen=True)
class SceneView:
    """One Scene: its tokens (remote ones included), those of its main relation, and its other units."""

    tokens: tuple[int, ...]
    relation: tuple[int, ...]
    units: tuple[Unit, ...]

    @property
    def participants(self) -> list[Unit]:
        """The Participants that have tokens."""
        return [unit for unit in self.units if unit.what == _UNITS[PARTICIPANT]]


def scene_views(graphs: Sequence[SceneGraph]) -> list[SceneView]:
    """The Scenes of consecutive graphs of a text, in matching order; a graph without Scenes counts as one."""
    found: list[SceneView] = []
    offset = 0
    for graph in graphs:
        views = [_view(graph, unit, offset) for unit in graph.scene_units()]
        found += [view for view in views if view.tokens] or _whole(graph, offset)
        offset += len(graph.tokens)
    return found


def _view(graph: SceneGraph, scene: str, offset: int) -> SceneView:
    def shifted(tokens: Iterable[int]) -> tuple[int, ...]:
        return tuple(token + offset for token in tokens)

    relation: set[int] = set()
    units = []
    for child, categories, _ in graph.edges(scene):
        if isinstance(child, int):
            continue
        tokens = shifted(graph.tokens_below(child))
        centers = shifted(sorted({token for center in graph.minimal_centers(child) for token in center}))
        if MAIN_RELATIONS & set(categories):
            relation.update(centers)
            if rest := tuple(sorted(set(tokens) - set(centers))):
                units.append(Unit("modifier", rest, rest))
            continue
        what = next((_UNITS[category] for category in categories if category in _UNITS), None)
        if what is not None and tokens:
            units.append(Unit(what, tokens, centers, shifted(_relators(graph, child))))
    return SceneView(shifted(graph.tokens_below(scene)), tuple(sorted(relation)), tuple(units))


def _relators(graph: SceneGraph, unit: str) -> list[int]:
    """The tokens below a unit's own Relators (UCCA's R, Abend and Rappoport 2013)."""
    found: set[int] = set()
    for child, categories, _ in graph.edges(unit):
        if _RELATOR in categories:
            found.update({child} if isinstance(child, int) else graph.tokens_below(child))
    return sorted(found)


def _whole(graph: SceneGraph, offset: int) -> list[SceneView]:
    """A graph without Scenes as one Scene: its root's minimal centers are the main relation."""
    scene = graph.root_scene().shifted(offset)
    relation = sorted({token for center in scene.main_relation for token in center})
    return [SceneView(scene.leaves, tuple(relation), ())] if scene.leaves else []
