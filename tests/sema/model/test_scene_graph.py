"""The scene graph's views, one hand-built graph for every sentence of the definitions they follow."""

import pickle

import networkx as nx
import pytest

from sema.model.scene_graph import Scene, SceneGraph
from tests.scene_graphs import named_units, scene_graph


def graph_of(text: str) -> SceneGraph:
    return SceneGraph(text.split())


def scene_below(graph: SceneGraph, parent: str, *categories: str, **children: list[int]) -> str:
    """A Scene whose children are leaf units, ``A1=[0]`` being an A over token 0."""
    unit = graph.add_child(parent, *categories)
    for name, tokens in children.items():
        graph.add_child(unit, name.rstrip("0123456789"), tokens=tokens)
    return unit


def test_a_scene_is_a_unit_with_a_process_or_state_below_it() -> None:
    graph = graph_of("Birds sing loudly and sky blue")
    process = scene_below(graph, graph.root, "H", A=[0], P=[1], D=[2])
    linker = graph.add_child(graph.root, "L", tokens=[3])
    state = scene_below(graph, graph.root, "H", A=[4], S=[5])
    assert [graph.is_scene(unit) for unit in (process, state, linker, graph.root)] == [True, True, False, False]
    assert graph.scene_units() == [process, state]


def test_a_process_that_is_only_remote_or_that_has_two_categories_makes_a_scene_too() -> None:
    graph = graph_of("John ate apples and Mary pears")
    first = scene_below(graph, graph.root, "H", A1=[0], P=[1], A2=[2])
    second = scene_below(graph, graph.root, "H", A1=[4], A2=[5])
    graph.add_edge(second, graph.children(first, {"P"})[0], "P", remote=True)
    boss = graph_of("my boss")
    own = scene_below(boss, boss.root, "A", A=[0])
    boss.add_edge(own, relation := boss.add_unit(), "S", "A")
    boss.add_edge(relation, 1)
    assert graph.scene(second) == Scene(((1,),), (((4,),), ((5,),)), (1, 4, 5))
    assert boss.scene(own) == Scene(((1,),), (((0,),), ((1,),)), (0, 1))


def test_leaves_take_in_remote_tokens_and_leave_out_punctuation() -> None:
    graph = graph_of("John , tired , slept and snored .")
    first = scene_below(graph, graph.root, "H", A=[0], U1=[1], D=[2], U2=[3], P=[4])
    second = scene_below(graph, graph.root, "H", P=[6], U=[7])
    graph.add_edge(second, graph.children(first, {"A"})[0], "A", remote=True)
    assert graph.scene(first).leaves == (0, 2, 4)
    assert graph.scene(second).leaves == (0, 6)
    assert graph.tokens_below(second, remote=False, punctuation=True) == (6, 7)


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


def test_a_scene_as_participant_stands_for_its_relation() -> None:
    graph = graph_of("I know that she was away")
    outer = scene_below(graph, graph.root, "H", A=[0], P=[1])
    inner = scene_below(graph, outer, "A", F=[2], A=[3], S=[4, 5])
    relation = graph.children(inner, {"S"})[0]
    assert graph.minimal_centers(inner) == graph.minimal_centers(relation) == ((4, 5),)
    assert graph.scene(outer).participants == (((0,),), ((4, 5),))


def test_a_relation_with_a_center_is_followed_to_it() -> None:
    graph = scene_graph("I took a long shower", ("H", ("A", 0), ("P", ("F", 1, 2), ("E", 3), ("C", 4))))
    assert [scene.main_relation for scene in graph.scenes()] == [((4,),)]


def test_a_unit_of_parallel_scenes_stands_for_every_one() -> None:
    both = ("A:both", ("F", 2), ("H", ("A:he", 3), ("P", 4)), ("L", 5), ("H", ("P", 6), ("A", "he")))
    graph, units = named_units("He said that he came and saw", ("H:outer", ("A", 0), ("P", 1), both))
    assert graph.minimal_centers(units["both"]) == ((4,), (6,))
    assert graph.scene(units["outer"]).participants == (((0,),), ((4,), (6,)))
    assert graph.minimal_centers(graph.root) == ((1,),)


def test_participants_are_the_a_children_remote_ones_too_and_nothing_else() -> None:
    graph = graph_of("Yesterday John got home and gave Mary a call")
    got = scene_below(graph, graph.root, "H", T=[0], A1=[1], P=[2], A2=[3])
    graph.add_child(graph.root, "L", tokens=[4])
    gave = scene_below(graph, graph.root, "H", P=[5, 7, 8], A=[6])
    graph.add_edge(gave, graph.children(got, {"A"})[0], "A", remote=True)
    assert graph.scene(got) == Scene(((2,),), (((1,),), ((3,),)), (0, 1, 2, 3))
    assert graph.scene(gave) == Scene(((5, 7, 8),), (((6,),), ((1,),)), (1, 5, 6, 7, 8))


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


def test_an_implicit_unit_has_no_center() -> None:
    sold = ("H:sold", ("P", 0, 1), ("A",), ("A", ("C",)))
    graph, units = named_units("Sold out", sold, ("H:silent", ("S",)))
    scene, silent = units["sold"], units["silent"]
    assert graph.scene(scene) == Scene(((0, 1),), ((), ()), (0, 1))
    assert graph.scene(silent) == Scene((), (), ())
    assert graph.scene_units() == [scene, silent]


def test_scenes_come_in_the_order_of_their_first_primary_token() -> None:
    graph = graph_of("She left when John called her")
    later = scene_below(graph, graph.root, "H", A=[3], P=[4])
    earlier = scene_below(graph, graph.root, "H", A=[0], P=[1])
    graph.add_child(graph.root, "L", tokens=[2])
    graph.add_child(later, "A", tokens=[5])
    graph.add_edge(later, graph.children(earlier, {"A"})[0], "A", remote=True)  # token 0, but remote: no matter
    assert graph.scene_units() == [earlier, later]
    assert graph.scene(later).leaves == (0, 3, 4, 5)


def test_an_enclosing_scene_comes_before_one_inside_it() -> None:
    graph = graph_of("Swimming daily tires")
    outer = graph.add_child(graph.root, "H")
    inner = scene_below(graph, outer, "A", P=[0], D=[1])
    deepest = scene_below(graph, inner, "A", S=[])
    graph.add_edge(graph.children(deepest, {"S"})[0], 0)
    graph.add_child(outer, "P", tokens=[2])
    assert graph.scene_units() == [outer, inner, deepest]


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
    assert graph.minimal_centers(graph.root) == ((0,),)
    assert graph.scene_units() == []
    shared = graph_of("shared")
    above = [shared.root]
    for _ in range(40):  # two ways down from each of 40 floors
        left, right = shared.add_child(above[0], "C"), shared.add_child(above[0], "C")
        if len(above) > 1:
            shared.add_edge(above[1], left, "C", remote=True)
            shared.add_edge(above[1], right, "C", remote=True)
        above = [left, right]
    for unit in above:
        shared.add_edge(unit, 0)
    assert shared.minimal_centers(shared.root) == ((0,),)


def test_a_source_without_a_scene_stands_for_its_centers() -> None:
    graph = scene_graph("The old house .", ("H", ("E", 0, 1), ("C", 2)), ("U", 3))
    assert graph.scenes() == []
    assert graph.root_scene() == Scene(((2,),), (), (0, 1, 2))


def test_an_unannotated_sentence_is_one_center_without_its_punctuation() -> None:
    assert graph_of("Good morning !").root_scene() == Scene(((0, 1),), (), (0, 1))
    assert graph_of("! ?").root_scene() == Scene(((0, 1),), (), (0, 1))


def test_a_passage_moves_its_scenes_by_an_offset() -> None:
    scene = Scene(((1,),), (((0,), (2, 3)), ()), (0, 1, 2, 3))
    moved = Scene(((11,),), (((10,), (12, 13)), ()), (10, 11, 12, 13))
    assert scene.shifted(10) == moved
    assert scene.shifted(0) is scene
    assert moved.to_dict() == {
        "main_relation": [[11]],
        "participants": [[[10], [12, 13]], []],
        "leaves": [10, 11, 12, 13],
    }


def test_units_get_names_that_are_free() -> None:
    graph = SceneGraph(["a"], root="1.1")
    graph.add_unit("1.3")
    assert graph.add_unit() == "1.4"
    assert graph.add_unit("1.2") == "1.2"
    with pytest.raises(ValueError, match="already has a unit"):
        graph.add_unit("1.2")


def test_edges_that_break_the_schema_are_refused() -> None:
    graph = SceneGraph(["a"])
    unit = graph.add_child(graph.root, "H", tokens=[0])
    cases: list[tuple[str | int, tuple[str, ...], str]] = [
        (0, ("A",), "a token takes no category"),
        (unit, (), "needs a category"),
        ("none", ("A",), "names a node that the graph lacks"),
        (7, (), "names a node that the graph lacks"),
        (unit, ("A",), "already has an edge"),
    ]
    for child, categories, message in cases:
        with pytest.raises(ValueError, match=message):
            graph.add_edge(graph.root, child, *categories)


def test_the_networkx_graph_is_a_view_that_cannot_be_changed() -> None:
    graph = graph_of("John ate and slept")
    first = scene_below(graph, graph.root, "H", A=[0], P=[1])
    before = graph.scenes()
    assert set(graph.graph.nodes) == {0, 1, 2, 3, *graph.units()}
    assert graph.graph.edges[graph.root, first] == {"categories": ("H",), "remote": False}
    assert graph.scenes() == before
    second = scene_below(graph, graph.root, "H", P=[3])
    shared = graph.children(first, {"A"})[0]
    with pytest.raises(nx.NetworkXError, match="Frozen"):
        graph.graph.add_edge(second, shared, categories=("A",), remote=True)
    graph.add_edge(second, shared, "A", remote=True)
    assert graph.scene(second) == Scene(((3,),), (((0,),),), (0, 3))
    assert graph.graph.edges[second, shared] == {"categories": ("A",), "remote": True}
    assert graph.graph.has_edge(graph.root, second)
    copied = pickle.loads(pickle.dumps(graph))
    copied.add_child(copied.root, "L", tokens=[2])
    assert copied.scenes() == graph.scenes()
    assert copied.graph.number_of_nodes() == graph.graph.number_of_nodes() + 1
