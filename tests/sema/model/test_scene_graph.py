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


SCENES = {
    "a Scene is a unit with a process or state below it, and a linker is none": (
        "Birds sing loudly and sky blue",
        [("H", ("A", 0), ("P", 1), ("D", 2)), ("L", 3), ("H", ("A", 4), ("S", 5))],
        [(((1,),), (((0,),),), (0, 1, 2)), (((5,),), (((4,),),), (4, 5))],
    ),
    "a process that is only remote makes a Scene too": (
        "John ate apples and Mary pears",
        [("H", ("A", 0), ("P:ate", 1), ("A", 2)), ("H", ("A", 4), ("A", 5), ("P", "ate"))],
        [(((1,),), (((0,),), ((2,),)), (0, 1, 2)), (((1,),), (((4,),), ((5,),)), (1, 4, 5))],
    ),
    "so does a relation that is a Participant": (
        "my boss", [("A", ("A", 0), ("S+A", 1))], [(((1,),), (((0,),), ((1,),)), (0, 1))],
    ),
    "a category that an edge repeats is one": (
        "a b", [("H", ("P+S", 0), ("A+A", 1))], [(((0,),), (((1,),),), (0, 1))],
    ),
    "leaves take in remote tokens and leave out punctuation": (
        "John , tired , slept and snored .",
        [("H", ("A:john", 0), ("U", 1), ("D", 2), ("U", 3), ("P", 4)), ("H", ("P", 6), ("U", 7), ("A", "john"))],
        [(((4,),), (((0,),),), (0, 2, 4)), (((6,),), (((0,),),), (0, 6))],
    ),
    "a Scene as a Participant stands for its relation": (
        "I know that she was away",
        [("H", ("A", 0), ("P", 1), ("A", ("F", 2), ("A", 3), ("S", 4, 5)))],
        [(((1,),), (((0,),), ((4, 5),)), (0, 1, 2, 3, 4, 5)), (((4, 5),), (((3,),),), (2, 3, 4, 5))],
    ),
    "a relation is its center": (
        "I took a long shower",
        [("H", ("A", 0), ("P", ("F", 1, 2), ("E", 3), ("C", 4)))],
        [(((4,),), (((0,),),), (0, 1, 2, 3, 4))],
    ),
    "a Participant of parallel Scenes stands for each of them": (
        "He said that he came and saw",
        [("H", ("A", 0), ("P", 1),
          ("A", ("F", 2), ("H", ("A:he", 3), ("P", 4)), ("L", 5), ("H", ("P", 6), ("A", "he"))))],
        [(((1,),), (((0,),), ((4,), (6,))), (0, 1, 2, 3, 4, 5, 6)), (((4,),), (((3,),),), (3, 4)),
         (((6,),), (((3,),),), (3, 6))],
    ),
    "an implicit unit has no center": (
        "Sold out",
        [("H", ("P", 0, 1), ("A",), ("A", ("C",))), ("H", ("S",))],
        [(((0, 1),), ((), ()), (0, 1)), ((), (), ())],
    ),
    "Scenes come in the order of their first token, an enclosing one first": (
        "Swimming daily tires when she left",
        [("H", ("A", 4), ("P", 5)), ("L", 3), ("H", ("A", ("P", 0), ("D", 1), ("A", ("S", 0))), ("P", 2))],
        [(((2,),), (((0,),),), (0, 1, 2)), (((0,),), (((0,),),), (0, 1)), (((0,),), (), (0,)),
         (((5,),), (((4,),),), (4, 5))],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "units", "scenes"), SCENES.values(), ids=SCENES)
def test_scenes_follow_the_specification(text: str, units: list[tuple[str]], scenes: list[tuple[object, ...]]) -> None:
    found = scene_graph(text, *units).scenes()
    assert [(scene.main_relation, scene.participants, scene.leaves) for scene in found] == scenes


def test_a_remote_token_does_not_change_the_order_of_scenes() -> None:
    later = ("H:later", ("A", 3), ("P", 4), ("A", 5))
    graph, units = named_units("She left when John called her", later, ("H:earlier", ("A:she", 0), ("P", 1)), ("L", 2))
    graph.add_edge(units["later"], units["she"], "A", remote=True)
    assert graph.scene_units() == [units["earlier"], units["later"]]
    assert graph.scene(units["later"]).leaves == (0, 3, 4, 5)


CENTERS = {
    "centers are followed down to the last": (
        "the very old book of the library",
        ("A", ("E", 0), ("C", ("E", 1, 2), ("C", 3)), ("E", ("R", 4), ("C", 6))),
        ((3,),),
    ),
    "so are all of several centers": (
        "banana , green apple and orange",
        ("A", ("C", 0), ("U", 1), ("C", ("E", 2), ("C", 3)), ("N", 4), ("C", 5)),
        ((0,), (3,), (5,)),
    ),
    "an unanalysable unit is one center of several tokens": ("took place", ("P", 0, 1), ((0, 1),)),
    "without its punctuation": ("New - York", ("A", 0, 2, ("U", 1)), ((0, 2),)),
    "a unit without a center stands for all its tokens": ("in 1990", ("T", ("R", 0), ("Q", 1)), ((0, 1),)),
}


@pytest.mark.parametrize("text, unit, centers", CENTERS.values(), ids=CENTERS)
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


def test_a_passage_moves_its_scenes_by_an_offset() -> None:
    scene = Scene(((1,),), (((0,), (2, 3)), ()), (0, 1, 2, 3))
    moved = Scene(((11,),), (((10,), (12, 13)), ()), (10, 11, 12, 13))
    assert scene.shifted(10) == moved and scene.shifted(0) is scene
    participants = [[[10], [12, 13]], []]
    assert moved.to_dict() == {"main_relation": [[11]], "participants": participants, "leaves": [10, 11, 12, 13]}


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
