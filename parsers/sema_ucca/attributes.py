"""Attributive adjectives as plain Elaborators, the older convention of UCCA.

UCCA 2.0, and so the EWT corpus that our parser learns from, makes *old* in *the old bridge* a Scene of its own (a State
with a remote Participant). The Wikipedia corpus that TUPA was trained on has an Elaborator there, and with it the
published SAMSA values, which count fewer Scenes. This wrapper undoes the newer convention for comparison with them.
"""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.scene_graph import SceneExtractor, SceneGraph


class PlainAttributes:
    """A scene extractor whose one-word State Scenes inside a phrase are plain Elaborators."""

    def __init__(self, extractor: SceneExtractor) -> None:
        """Wrap an extractor that follows UCCA 2.0."""
        self._extractor = extractor

    @property
    def signature(self) -> str:
        """That of the wrapped extractor, marked."""
        return f"{self._extractor.signature}+plain-attributes"

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        """One scene graph for each sentence."""
        graphs = self._extractor.extract(sentences)
        for graph in graphs:
            for unit in graph.scene_units():
                if _is_attribute(graph, unit):
                    _flatten(graph, unit)
        return graphs


def _is_attribute(graph: SceneGraph, unit: str) -> bool:
    parents = [data["categories"] for _, _, data in graph.graph.in_edges(unit, data=True) if not data["remote"]]
    return (
        parents == [("E",)] and bool(graph.children(unit, {"S"})) and len(graph.tokens_below(unit, remote=False)) == 1
    )


def _flatten(graph: SceneGraph, unit: str) -> None:
    for child, categories, remote in list(graph.edges(unit)):
        if remote:
            graph.graph.remove_edge(unit, child)
        elif "S" in categories:
            graph.graph.edges[unit, child]["categories"] = ("C",)
