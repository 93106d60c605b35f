from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from sema_ucca.trees import graph_of

from sema.model.scene_graph import SceneGraph
from tests.scene_graphs import layered_graphs
from training.ucca.corpus import tree_of


def content(graph: SceneGraph) -> Counter[Any]:
    """Every edge between units that have words: both yields, the categories, remote or not."""
    words = {unit: graph.tokens_below(unit, remote=False) for unit in graph.units()}
    return Counter(
        (words[unit], words[child], frozenset(categories), remote)
        for unit in graph.units()
        for child, categories, remote in graph.edges(unit)
        if isinstance(child, str) and words[unit] and words[child] and "U" not in categories
    )


NAMES = st.sampled_from([("A",), ("C",), ("P",), ("H",), ("A", "S"), ("S", "A")])


@given(layered_graphs(NAMES, st.just(("A",))))
@settings(deadline=None, max_examples=150)
def test_a_tree_gives_its_graph_back(graph: SceneGraph) -> None:
    tree = tree_of(graph)
    back = graph_of(graph.tokens, tree)
    assert content(back) == content(graph)
    assert tree_of(back) == tree
    assert back.punctuation == graph.punctuation


def test_real_passages_round_trip(ewt_dev: list[SceneGraph]) -> None:
    for graph in ewt_dev:
        assert content(graph_of(graph.tokens, tree_of(graph))) == content(graph)
