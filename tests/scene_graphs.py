"""Scene graphs as tests write them: units as tuples of a category and what stands below."""

from __future__ import annotations

from typing import Any

from sema.model.scene_graph import SceneGraph

Below = Any
"""A token's index, a unit ``("A", …)``, or the name of a unit that a remote edge leads to: ``("A", "john")``."""


def scene_graph(text: str, *units: tuple[str, *tuple[Below, ...]]) -> SceneGraph:
    """The graph of a text's words; ``named_units`` also gives its units."""
    return named_units(text, *units)[0]


def named_units(text: str, *units: tuple[str, *tuple[Below, ...]]) -> tuple[SceneGraph, dict[str, str]]:
    """The graph, and the units that have a name behind their category: ``("A:john", 0)``.

    A unit without anything below is implicit. Several categories are joined by a plus sign.
    """
    graph = SceneGraph(text.split())
    named: dict[str, str] = {}

    def add(parent: str, category: str, *below: Below) -> None:
        kind, _, name = category.partition(":")
        if below and isinstance(below[0], str):
            graph.add_edge(parent, named[below[0]], kind, remote=True)
            return
        tokens = [one for one in below if isinstance(one, int)]
        unit = graph.add_child(parent, *kind.split("+"), tokens=tokens, implicit=not below)
        named[name or kind] = unit
        for one in below:
            if isinstance(one, tuple):
                add(unit, *one)

    for unit in units:
        add(graph.root, *unit)
    return graph, named
