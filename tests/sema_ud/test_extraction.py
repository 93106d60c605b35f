from typing import Any

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st
from sema_ud.extraction import extract_scenes
from sema_ud.trees import DependencyTree

from tests.cases import as_tuple, cases
from tests.sema_ud.building import scenes, tree


@cases("trees/scenes")
def test_trees_have_the_scenes_of_the_specification(
    what: str, words: str, heads: str, expected: tuple[Any, ...], leaves: tuple[tuple[int, ...], ...] | None
) -> None:
    graph = extract_scenes(tree(words), heads=heads)  # type: ignore[arg-type]
    assert as_tuple(scenes(graph)) == expected, what
    assert leaves is None or tuple(scene.leaves for scene in graph.scenes()) == leaves


@cases("trees/categories")
def test_units_have_their_category(words: str, category: str, tokens: tuple[int, ...]) -> None:
    graph = extract_scenes(tree(words))
    found = [unit for above in (graph.root, *graph.scene_units()) for unit in graph.children(above, {category})]
    assert [graph.tokens_below(unit) for unit in found] == [tokens]


RELATIONS = ["nsubj", "obj", "iobj", "obl", "obl:tmod", "ccomp", "xcomp", "csubj", "advcl", "acl", "acl:relcl"]
RELATIONS += ["parataxis", "conj", "cc", "mark", "case", "det", "amod", "nmod", "nummod", "clf", "punct", "aux", "cop"]
RELATIONS += ["advmod", "flat", "compound", "appos", "dislocated", "discourse", "dep", "orphan", "expl"]


@st.composite
def trees(draw: st.DrawFn) -> DependencyTree:
    size = draw(st.integers(1, 12))
    order = draw(st.permutations(range(size)))
    heads, relations = [-1] * size, ["root"] * size
    for rank in range(1, size):
        heads[order[rank]] = order[draw(st.integers(0, rank - 1))]
        relations[order[rank]] = draw(st.sampled_from(RELATIONS))
    upos = [draw(st.sampled_from(["VERB", "NOUN", "ADJ", "AUX", "PRON", "PART", "PUNCT"])) for _ in range(size)]
    features = [draw(st.sampled_from(["", "PronType=Rel"])) for _ in range(size)]
    return DependencyTree(tuple("在于cdefghijkl"[:size]), tuple(upos), tuple(heads), tuple(relations), tuple(features))


@given(trees(), st.sampled_from(["clauses", "root"]))
def test_every_token_stands_once_and_primary_edges_make_a_tree(given_tree: DependencyTree, heads: str) -> None:
    graph = extract_scenes(given_tree, heads=heads)  # type: ignore[arg-type]
    primary = nx.DiGraph([edge[:2] for edge in graph.graph.edges(data="remote") if not edge[2]])
    assert nx.is_arborescence(primary)
    assert graph.tokens_below(graph.root, remote=False, punctuation=True) == tuple(range(len(given_tree)))
    assert set(primary) == set(graph.graph)
    for scene in graph.scenes():
        assert scene.main_relation
        assert {token for center in scene.main_relation for token in center} <= set(scene.leaves)
        for participant in scene.participants:
            assert {token for center in participant for token in center} <= set(scene.leaves)


@given(trees())
def test_root_mode_has_one_scene_whose_relation_holds_the_root(given_tree: DependencyTree) -> None:
    (scene,) = extract_scenes(given_tree, heads="root").scenes()
    assert any(given_tree.heads.index(-1) in center for center in scene.main_relation)
