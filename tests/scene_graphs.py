"""Scene graphs for tests: units written as tuples of a category and its children, and random graphs."""

from typing import Any

from hypothesis import strategies as st

from sema.model.scene_graph import CATEGORIES, SceneGraph

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


@st.composite
def random_graphs(draw: st.DrawFn, *, loops: bool = False) -> SceneGraph:
    """Nested units, two categories, implicit units, remote edges (cycles too), odd characters.

    With ``loops`` tokens may have remote edges alone, and remote edges lead anywhere: to the root, and back to a unit.
    """
    words = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=5)
    tokens = draw(st.lists(words.filter(lambda word: word.strip()), min_size=1, max_size=10))
    graph = SceneGraph(tokens, draw(st.sets(st.integers(0, len(tokens) - 1))))
    categories = st.lists(st.sampled_from([*CATEGORIES]), min_size=1, max_size=2, unique=True)
    units = [graph.root]
    for _ in range(draw(st.integers(0, 8))):
        units.append(graph.add_child(draw(st.sampled_from(units)), *draw(categories)))
    for token in range(len(tokens)):
        graph.add_edge(draw(st.sampled_from(units)), token, remote=loops and draw(st.booleans()))
    for parent in draw(st.lists(st.sampled_from(units), max_size=3)):
        graph.add_child(parent, *draw(categories), implicit=True)
    for _ in range(draw(st.integers(0, 5))):
        parent, child = draw(st.sampled_from(units)), draw(st.sampled_from(units))
        if not graph.has_edge(parent, child) and (loops or parent != child != graph.root):
            graph.add_edge(parent, child, *draw(categories), remote=True)
    return graph


@st.composite
def layered_graphs(
    draw: st.DrawFn, names: st.SearchStrategy[tuple[str, ...]], remote: st.SearchStrategy[Any]
) -> SceneGraph:
    """Graphs as parsers make them: any yields (so any discontinuity), chains, words beside units, punctuation apart."""
    size = draw(st.integers(1, 8))
    marks = draw(st.sets(st.integers(0, size - 1), max_size=2))
    graph = SceneGraph([f"w{index}" for index in range(size)], marks)
    units: list[str] = []

    def fill(unit: str, words: list[int], depth: int) -> None:
        if depth == 3 or (len(words) == 1 and draw(st.booleans())):
            owners = [0] * len(words)
        else:
            owners = [draw(st.integers(0, 3)) for _ in words]
        for group in sorted(set(owners)):
            inside = [word for word, owner in zip(words, owners, strict=True) if owner == group]
            if group:
                units.append(graph.add_child(unit, *draw(names)))
                fill(units[-1], inside, depth + 1)
            else:
                for word in inside:
                    graph.add_edge(unit, word)

    fill(graph.root, [index for index in range(size) if index not in marks], 0)
    for mark in marks:
        graph.add_child(graph.root, "U", tokens=(mark,))
    for _ in range(draw(st.integers(0, 3)) if units else 0):
        parent, child = draw(st.sampled_from(units)), draw(st.sampled_from(units))
        if parent != child and not graph.has_edge(parent, child):
            graph.add_edge(parent, child, *draw(remote), remote=True)
    return graph
