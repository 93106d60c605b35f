from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sema_ud.conventions import tree_rules
from sema_ud.extraction import ExtractionOptions, clause_heads, extract_scenes
from sema_ud.trees import DependencyTree

from tests.cases import as_tuple, cases
from tests.sema_ud.building import scenes, tree

ROOT = ExtractionOptions(heads="root")
RULES = tree_rules("zh-hans")
"""What installed packages know of Chinese trees; the trees made at random have words that they look at."""

CONFERENCE = tree("""2004年 NOUN 3 nmod
3月 NOUN 3 nmod
26日 NOUN 10 nmod:tmod
全法 ADJ 6 amod
汉语教学 NOUN 6 nmod
研讨会 NOUN 10 nsubj
在 ADP 9 case
巴黎国际 PROPN 9 nmod
大学生城 NOUN 10 obl
举行 VERB 0 root
。 PUNCT 10 punct""")


@cases("trees/scenes")
def test_trees_have_the_scenes_of_the_specification(
    what: str, words: str, heads: str, expected: tuple[Any, ...]
) -> None:
    graph = extract_scenes(tree(words), ExtractionOptions(heads=heads))  # type: ignore[arg-type]
    assert as_tuple(scenes(graph)) == expected, what


def test_a_time_is_in_the_scene_but_no_participant() -> None:
    graph = extract_scenes(CONFERENCE)
    (scene,) = graph.scenes()
    assert scene.leaves == tuple(range(10))
    assert [graph.tokens_below(unit) for unit in graph.children(graph.scene_units()[0], {"T"})] == [(0, 1, 2)]


def test_coordinate_clauses_share_a_subject() -> None:
    graph = extract_scenes(
        tree(
            """
            John PROPN 2 nsubj
            got VERB 0 root
            home ADV 2 advmod
            and CCONJ 5 cc
            gave VERB 2 conj
            Mary PROPN 5 iobj
            a DET 8 det
            call NOUN 5 obj
            . PUNCT 2 punct
            """
        )
    )
    assert scenes(graph) == [(["got"], [["John"]]), (["gave"], [["Mary"], ["call"], ["John"]])]
    second = graph.scenes()[1]
    assert second.leaves == (0, 4, 5, 6, 7)
    assert [graph.tokens_below(unit) for unit in graph.children(graph.root, {"L"})] == [(3,)]


def test_a_relative_clause_takes_its_noun() -> None:
    text = """
        I PRON 2 nsubj
        read VERB 0 root
        the DET 4 det
        book NOUN 2 obj
        that PRON 7 obj PronType=Rel
        John PROPN 7 nsubj
        wrote VERB 4 acl:relcl
    """
    graph = extract_scenes(tree(text))
    assert scenes(graph) == [(["read"], [["I"], ["book"]]), (["wrote"], [["John"], ["book"]])]
    assert graph.scenes()[1].leaves == (3, 4, 5, 6)


def test_a_relative_pronoun_makes_a_clause_relative_where_a_treebank_has_no_subtype() -> None:
    text = """
        Er PRON 2 nsubj
        kennt VERB 0 root
        Brücken NOUN 2 obj
        die PRON 5 nsubj PronType=Dem,Rel
        halten VERB 3 acl
    """
    graph = extract_scenes(tree(text))
    assert scenes(graph) == [(["kennt"], [["Er"], ["Brücken"]]), (["halten"], [["Brücken"]])]


def test_an_adverbial_clause_stands_beside_with_its_linker_outside() -> None:
    graph = extract_scenes(
        tree("Ann PROPN 2 nsubj\nsang VERB 0 root\nwhile SCONJ 4 mark\nwalking VERB 2 advcl\nhome ADV 4 advmod")
    )
    assert scenes(graph) == [(["sang"], [["Ann"]]), (["walking"], [["Ann"]])]
    assert 2 not in {leaf for scene in graph.scenes() for leaf in scene.leaves}


def test_copular_and_nominal_predicates_are_states() -> None:
    copular = extract_scenes(
        tree("Ann PROPN 5 nsubj\nis AUX 5 cop\na DET 5 det\ngood ADJ 5 amod\ndoctor NOUN 0 root\nhere ADV 5 advmod")
    )
    assert scenes(copular) == [(["doctor"], [["Ann"]])]
    scene = copular.scene_units()[0]
    assert copular.children(scene, {"S"}) and not copular.children(scene, {"P"})
    adjective = extract_scenes(tree("天气 NOUN 3 nsubj\n很 ADV 3 advmod\n好 ADJ 0 root"))
    assert scenes(adjective) == [(["好"], [["天气"]])]
    assert adjective.children(adjective.scene_units()[0], {"S"})


def test_a_title_is_no_scene_but_the_root_option_makes_it_one() -> None:
    title = tree("Central PROPN 3 compound\nPark PROPN 3 compound\nTower PROPN 0 root")
    assert extract_scenes(title).scenes() == []
    assert extract_scenes(title).root_scene().main_relation == ((2,),)
    assert scenes(extract_scenes(title, ROOT)) == [(["Tower"], [])]


def test_root_mode_makes_one_scene_of_everything() -> None:
    graph = extract_scenes(
        tree("Ann PROPN 2 nsubj\nsang VERB 0 root\nand CCONJ 4 cc\ndid VERB 2 conj\nfor ADP 6 case\nme PRON 4 obl"),
        ROOT,
    )
    assert scenes(graph) == [(["sang"], [["Ann"]])]
    assert graph.scenes()[0].leaves == tuple(range(6))


def test_unknown_heads_are_refused() -> None:
    with pytest.raises(ValueError, match="heads must be"):
        ExtractionOptions(heads="verbs")  # type: ignore[arg-type]


def test_punctuation_and_markers_are_not_participants() -> None:
    graph = extract_scenes(
        tree("他 PRON 4 nsubj\n， PUNCT 4 punct\n也 SCONJ 4 mark\n来 VERB 0 root\n了 PART 4 discourse")
    )
    assert scenes(graph) == [(["来"], [["他"]])]
    assert graph.scenes()[0].leaves == (0, 2, 3, 4)


def test_an_empty_sentence_has_an_empty_graph() -> None:
    assert extract_scenes(DependencyTree((), (), (), ())).scenes() == []


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
    graph = extract_scenes(given_tree, ExtractionOptions(heads=heads, rules=RULES))  # type: ignore[arg-type]
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
    (scene,) = extract_scenes(given_tree, ExtractionOptions(heads="root", rules=RULES)).scenes()
    assert any(given_tree.heads.index(-1) in center for center in scene.main_relation)


@given(trees())
def test_clause_heads_are_the_words_that_have_scenes(given_tree: DependencyTree) -> None:
    assert len(clause_heads(given_tree, RULES)) == len(
        extract_scenes(given_tree, ExtractionOptions(rules=RULES)).scenes()
    )
