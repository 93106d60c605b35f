from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from sema_ucca.trees import RemoteEdge, Tree, UnitRef, graph_of

from sema.model.scene_graph import SceneGraph
from tests.scene_graphs import scene_graph
from training.ucca.flatten import tree_of


def content(graph: SceneGraph) -> Counter[Any]:
    """Every edge between units that have words: both yields, the categories, remote or not."""
    words = {unit: graph.tokens_below(unit, remote=False) for unit in graph.units()}
    return Counter(
        (words[unit], words[child], frozenset(categories), remote)
        for unit in graph.units()
        for child, categories, remote in graph.edges(unit)
        if isinstance(child, str) and words[unit] and words[child] and "U" not in categories
    )


@st.composite
def graphs(draw: st.DrawFn) -> SceneGraph:
    """Random scene graphs: any yields (so any discontinuity), chains, two categories, remote edges, punctuation."""
    size = draw(st.integers(1, 8))
    marks = draw(st.sets(st.integers(0, size - 1), max_size=2))
    graph = SceneGraph([f"w{index}" for index in range(size)], marks)
    category = st.sampled_from([("A",), ("C",), ("P",), ("H",), ("A", "S"), ("S", "A")])
    units = []

    def fill(unit: str, words: list[int], depth: int) -> None:
        if depth == 3 or (len(words) == 1 and draw(st.booleans())):
            for word in words:
                graph.add_edge(unit, word)
            return
        owner = [draw(st.integers(0, 2)) for _ in words]
        for group in range(3):
            inside = [word for word, number in zip(words, owner, strict=True) if number == group]
            if inside:
                child = graph.add_child(unit, *draw(category))
                units.append(child)
                fill(child, inside, depth + 1)

    words = [index for index in range(size) if index not in marks]
    if words:
        fill(graph.root, words, 0)
    for mark in marks:
        graph.add_child(graph.root, "U", tokens=(mark,))
    for _ in range(draw(st.integers(0, 3)) if units else 0):
        parent, child = draw(st.sampled_from(units)), draw(st.sampled_from(units))
        if parent != child and not graph.has_edge(parent, child):
            graph.add_edge(parent, child, "A", remote=True)
    return graph


@given(graphs())
@settings(deadline=None, max_examples=150)
def test_a_tree_gives_its_graph_back(graph: SceneGraph) -> None:
    tree = tree_of(graph)
    back = graph_of(graph.tokens, tree)
    assert content(back) == content(graph)
    assert tree_of(back) == tree
    assert back.punctuation == graph.punctuation


def test_interrupted_units_become_nested_spans_and_implicit_ones_are_left_out() -> None:
    scene = ("H", ("A", 0), ("P", ("C", 1), ("F", 4)), ("A", 2, 3))
    graph = scene_graph("He picked the book up .", scene, ("U", 5))
    assert tree_of(graph) == Tree(
        (0, 1, 2, 3, 4), {(0, 5): "H", (0, 1): "A", (1, 2): "P+C", (4, 5): "P*+F", (2, 4): "A"}
    )
    assert tree_of(scene_graph("Go !", ("H", ("A",), ("P", 0)), ("U", 1))) == Tree((0,), {(0, 1): "H+P"})
    later = graph_of(["a", "b"], Tree((0, 1), {(0, 1): "A", (1, 2): "P*"}))  # a piece without an earlier one
    assert [categories for _, categories, _ in later.edges(later.root)] == [("A",), ("P",)]


def test_remote_edges_name_units_by_span_and_level() -> None:
    tree = Tree(
        (0, 1, 2),
        {(0, 2): "H", (0, 1): "A", (1, 2): "P", (2, 3): "H+P"},
        (RemoteEdge(UnitRef(2, 3, 0), UnitRef(0, 1, 0), "A"),),
    )
    first, second = graph_of(["I", "came", "saw"], tree).scenes()
    assert first.participants == (((0,),),)
    assert second.participants == (((0,),),)
    assert second.leaves == (0, 2)


def test_real_passages_round_trip(ewt_dev: list[SceneGraph]) -> None:
    for graph in ewt_dev:
        assert content(graph_of(graph.tokens, tree_of(graph))) == content(graph)
