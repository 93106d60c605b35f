"""Results for all units at once equal those of a walk from each unit, whatever the edges."""

from hypothesis import given

from sema.model.scene_graph import SceneGraph
from tests.scene_graphs import random_graphs


@given(random_graphs(loops=True))
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


@given(random_graphs(loops=True))
def test_networkx_changes_nothing(graph: SceneGraph) -> None:
    def everything() -> object:
        units = [(unit, list(graph.edges(unit)), graph.minimal_centers(unit)) for unit in graph.units()]
        return graph.scenes(), graph.scene_units(), graph.root_scene(), units

    before = everything()
    assert graph.graph.number_of_nodes() == len(graph.tokens) + len(graph.units())
    assert everything() == before


@given(random_graphs(loops=True))
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
