"""What is found for all units at once is what a walk from each of them finds, whatever the edges."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sema.model.scene_graph import CATEGORIES, SceneGraph


@st.composite
def graphs(draw: st.DrawFn) -> SceneGraph:
    """Units, tokens and remote edges in any order; remote ones lead anywhere, in circles too."""
    size = draw(st.integers(1, 8))
    graph = SceneGraph(["a"] * size, draw(st.sets(st.integers(0, size - 1))))
    categories = st.lists(st.sampled_from([*CATEGORIES]), min_size=1, max_size=2, unique=True)
    units = [graph.root]
    for _ in range(draw(st.integers(0, 8))):
        units.append(graph.add_child(draw(st.sampled_from(units)), *draw(categories)))
    for token in range(size):
        graph.add_edge(draw(st.sampled_from(units)), token, remote=draw(st.booleans()))
    for _ in range(draw(st.integers(0, 5))):
        parent, child = draw(st.sampled_from(units)), draw(st.sampled_from(units))
        if not graph.has_edge(parent, child):
            graph.add_edge(parent, child, *draw(categories), remote=True)
    return graph


@given(graphs())
def test_all_tokens_at_once_are_those_of_each(graph: SceneGraph) -> None:
    one_by_one = [
        (graph.tokens_below(unit, remote=remote), graph.is_scene(unit))
        for unit in graph.units()
        for remote in (True, False)
    ]
    scenes = set(graph.scene_units())  # from here on the graph has been walked
    at_once = [
        (graph.tokens_below(unit, remote=remote), unit in scenes) for unit in graph.units() for remote in (True, False)
    ]
    assert at_once == one_by_one


@given(graphs())
def test_networkx_changes_nothing(graph: SceneGraph) -> None:
    def everything() -> object:
        units = [(unit, list(graph.edges(unit)), graph.minimal_centers(unit)) for unit in graph.units()]
        return graph.scenes(), graph.scene_units(), graph.root_scene(), units

    before = everything()
    assert graph.graph.number_of_nodes() == len(graph.tokens) + len(graph.units())
    assert everything() == before


@given(graphs())
def test_nodes_added_after_a_walk_count(graph: SceneGraph) -> None:
    before = len(graph.scenes())
    unit = graph.add_child(graph.root, "H")
    graph.add_child(unit, "P")
    assert len(graph.scenes()) == before + 1


def test_an_edge_that_repeats_a_category_leads_to_one_unit() -> None:
    graph = SceneGraph(["a", "b"])
    scene = graph.add_child(graph.root, "H")
    graph.add_edge(graph.add_child(scene, "P", "S"), 0)
    graph.add_edge(graph.add_child(scene, "A", "A"), 1)
    assert [(found.main_relation, found.participants) for found in graph.scenes()] == [(((0,),), (((1,),),))]
