"""Cutting an annotated passage into sentence graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import networkx as nx
from sema_ucca.elements import primary_units

from sema.model.scene_graph import CENTER, MAIN_RELATIONS, SceneGraph


def split_passage(graph: SceneGraph, spans: Sequence[tuple[int, int]]) -> list[SceneGraph]:
    """One graph for each half-open token range; tokens outside all ranges are left out.

    A unit that crosses a boundary is in every sentence that has some of its tokens, under the same categories and with
    these tokens. An implicit unit or a remote edge, without tokens, goes with the piece of its parent that has the
    parent's main relation or center, else with the first. A remote edge to a unit outside the sentence becomes an
    implicit unit, as the annotation guidelines require for roles that the text does not fill; so no Scene loses its
    relation or a Participant.

    Units keep their names. ``ValueError`` if the ranges are not ascending, disjoint and inside the passage.
    """
    edges = [0, *(edge for span in spans for edge in span), len(graph.tokens)]
    if edges != sorted(edges):
        raise ValueError("the token ranges must be ascending, disjoint and inside the passage")
    span_of = {token: number for number, (start, end) in enumerate(spans) for token in range(start, end)}
    pieces = _pieces(graph, span_of)
    return [_sentence(graph, pieces, number, *span) for number, span in enumerate(spans)]


def _pieces(graph: SceneGraph, span_of: Mapping[int, int]) -> dict[str, list[int]]:
    """The ranges of each unit; the first of them gets children without tokens."""
    primary = primary_units(graph)
    top_down = list(nx.topological_sort(primary))
    spans: dict[str, dict[int, None]] = {}
    for unit in reversed(top_down):
        tokens = sorted(child for child, _, _ in graph.edges(unit) if isinstance(child, int))
        own = {span_of[token] for token in tokens if token in span_of}
        spans[unit] = dict.fromkeys(sorted(own.union(*(spans[child] for child in primary.adj[unit]))))
    homes: dict[str, list[int]] = {}
    for unit in top_down:
        heads = [child for child in graph.children(unit, MAIN_RELATIONS) or graph.children(unit, {CENTER})]
        home = [span for child in heads if primary.has_edge(unit, child) for span in spans[child]][:1]
        homes[unit] = list(dict.fromkeys([*home, *spans[unit]]))
        if not homes[unit]:
            homes[unit] = [span for parent in primary.pred[unit] for span in homes[parent]][:1]
    return homes


def _sentence(graph: SceneGraph, pieces: Mapping[str, list[int]], number: int, start: int, end: int) -> SceneGraph:
    marks = [token - start for token in range(start, end) if token in graph.punctuation]
    sentence = SceneGraph(graph.tokens[start:end], marks, root=graph.root)
    for token in range(start, end):
        sentence.extra[token - start] |= graph.extra.get(token, {})
    units = [unit for unit in graph.units() if number in pieces[unit] or unit == graph.root]
    inside = set(units)
    for unit in units:
        if unit != graph.root:
            sentence.add_unit(unit, implicit=unit in graph.implicit)
    for unit in units:
        at_home = pieces[unit][:1] == [number]
        for child, categories, remote in graph.edges(unit):
            if isinstance(child, int):
                if start <= child < end:
                    sentence.add_edge(unit, child - start)
            elif child in inside and (at_home or not remote):
                sentence.add_edge(unit, child, *categories, remote=remote)
                sentence.extra[unit, child] |= graph.extra.get((unit, child), {})
            elif at_home and remote:
                sentence.add_child(unit, *categories, implicit=True)
    about = graph.extra.get(None, {})
    attributes = about.get("attributes", {})
    sentence.extra[None] = {"passage_id": f"{about.get('passage_id', '')}{number:03d}", "attributes": attributes}
    return sentence
