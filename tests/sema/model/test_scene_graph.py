"""The scene graph's views, one hand-built graph for every sentence of the definitions they follow."""

import pickle

import networkx as nx
import pytest
from hypothesis import given

from sema.model.scene_graph import Scene, SceneGraph
from tests.cases import cases
from tests.scene_graphs import named_units, random_graphs, scene_graph


def scene_below(graph: SceneGraph, parent: str, *categories: str, **children: list[int]) -> str:
    """A Scene whose children are leaf units, ``A1=[0]`` being an A over token 0."""
    unit = graph.add_child(parent, *categories)
    for name, tokens in children.items():
        graph.add_child(unit, name.rstrip("0123456789"), tokens=tokens)
    return unit


def graph_of(text: str) -> SceneGraph:
    return SceneGraph(text.split())


@cases("scenes")
def test_scenes_follow_the_specification(text: str, units: list[tuple[str]], scenes: list[tuple[object, ...]]) -> None:
    found = scene_graph(text, *units).scenes()
    assert tuple((scene.main_relation, scene.participants, scene.leaves) for scene in found) == scenes


def test_a_remote_token_does_not_change_the_order_of_scenes() -> None:
    later = ("H:later", ("A", 3), ("P", 4), ("A", 5))
    graph, units = named_units("She left when John called her", later, ("H:earlier", ("A:she", 0), ("P", 1)), ("L", 2))
    graph.add_edge(units["later"], units["she"], "A", remote=True)
    assert graph.scene_units() == [units["earlier"], units["later"]]
    assert graph.scene(units["later"]).leaves == (0, 3, 4, 5)


@cases("minimal_centers")
def test_minimal_centers_follow_the_specification(
    text: str, unit: tuple[str], centers: tuple[tuple[int, ...], ...]
) -> None:
    graph = scene_graph(text, unit)
    ((child, _, _),) = graph.edges(graph.root)
    assert isinstance(child, str)
    assert graph.minimal_centers(child) == centers


def test_a_participant_that_several_edges_lead_to_counts_once() -> None:
    """Remote edges to *The wave* and to its center, to coordinated Participants and to one; a word reached twice."""
    pair = ("A:pair", ("C:wave", ("E", 0), ("C:center", 1)), ("C:wind", 3))
    second = ("H:organized", ("P", 6), ("A", "center"), ("A", "wave"))
    graph, units = named_units("The wave and wind traveled and organized", ("H", ("P", 4), pair), second)
    organized = units["organized"]
    assert graph.scene(organized).participants == (((1,),),)
    graph.add_edge(organized, units["pair"], "A", remote=True)
    assert graph.scene(organized).participants == (((1,), (3,)),)
    graph.add_edge(organized, units["wind"], "A", remote=True)
    graph.add_child(organized, "A", implicit=True)
    graph.add_child(organized, "A", implicit=True)
    assert graph.scene(organized).participants == (((1,), (3,)), (), ())
    again = scene_below(graph, graph.root, "H", P=[6], A1=[1], A2=[1], A3=[3])
    assert graph.scene(again).participants == (((1,),), ((3,),))


def test_a_remote_edge_back_up_ends_where_it_began() -> None:
    graph, units = named_units("the man who came", ("A:man", ("E", 0), ("C", 1), ("E:clause", ("R", 2), ("P", 3))))
    clause = units["clause"]
    graph.add_edge(clause, units["man"], "A", remote=True)
    looped = graph.add_child(graph.root, "C")
    graph.add_edge(looped, graph.root, "C", remote=True)
    assert graph.scene(clause) == Scene(((3,),), (((1,),),), (0, 1, 2, 3))
    assert graph.minimal_centers(looped) == ()
    assert graph.scene_units() == [clause]


def test_depth_and_sharing_cost_no_more_than_the_graph() -> None:
    graph = graph_of("deep")
    unit = graph.root
    for _ in range(3000):
        unit = graph.add_child(unit, "C")
    graph.add_edge(unit, 0)
    assert graph.minimal_centers(graph.root) == ((0,),) and graph.scene_units() == []
    graph = graph_of("shared")
    above = [graph.root]
    for _ in range(40):  # two ways down from each unit of 40 floors
        below = [graph.add_child(above[0], "C"), graph.add_child(above[0], "C")]
        for unit in below if len(above) > 1 else ():
            graph.add_edge(above[1], unit, "C", remote=True)
        above = below
    for unit in above:
        graph.add_edge(unit, 0)
    assert graph.minimal_centers(graph.root) == ((0,),)


def test_a_source_without_a_scene_stands_for_its_centers() -> None:
    graph = scene_graph("The old house .", ("H", ("E", 0, 1), ("C", 2)), ("U", 3))
    assert graph.scenes() == [] and graph.root_scene() == Scene(((2,),), (), (0, 1, 2))
    for unannotated in ("Good morning !", "! ?"):  # one center, without its punctuation if it has more
        assert graph_of(unannotated).root_scene() == Scene(((0, 1),), (), (0, 1))


@cases("refused_edges")
def test_edges_that_break_the_schema_are_refused(child: str | int, categories: tuple[str, ...], message: str) -> None:
    graph, units = named_units("a", ("H:unit", 0))
    with pytest.raises(ValueError, match=message):
        graph.add_edge(graph.root, units.get(str(child), child), *categories)


def test_the_networkx_graph_is_a_view_that_cannot_be_changed() -> None:
    graph, units = named_units("John ate and slept", ("H:first", ("A:john", 0), ("P", 1)))
    assert set(graph.graph.nodes) == {0, 1, 2, 3, *graph.units()}
    assert graph.graph.edges[graph.root, units["first"]] == {"categories": ("H",), "remote": False}
    second = scene_below(graph, graph.root, "H", P=[3])
    with pytest.raises(nx.NetworkXError, match="Frozen"):
        graph.graph.add_edge(second, units["john"], categories=("A",), remote=True)
    graph.add_edge(second, units["john"], "A", remote=True)
    assert graph.graph.edges[second, units["john"]] == {"categories": ("A",), "remote": True}
    copied = pickle.loads(pickle.dumps(graph))
    copied.add_child(copied.root, "L", tokens=[2])
    assert copied.scenes() == graph.scenes()
    assert copied.graph.number_of_nodes() == graph.graph.number_of_nodes() + 1


@given(random_graphs(loops=True))
def test_tokens_of_all_units_at_once_are_those_of_each_and_nodes_added_later_count(graph: SceneGraph) -> None:
    keys = [(unit, remote) for unit in graph.units() for remote in (True, False)]
    one_by_one = [(graph.tokens_below(unit, remote=remote), graph.is_scene(unit)) for unit, remote in keys]
    scenes = set(graph.scene_units())  # from here on the graph has been walked
    assert [(graph.tokens_below(unit, remote=remote), unit in scenes) for unit, remote in keys] == one_by_one
    graph.add_child(graph.add_child(graph.root, "H"), "P")
    assert len(graph.scenes()) == len(scenes) + 1
