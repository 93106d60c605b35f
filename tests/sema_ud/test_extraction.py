from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sema_ud.conventions import tree_rules
from sema_ud.extraction import ExtractionOptions, clause_heads, extract_scenes
from sema_ud.trees import DependencyTree

from tests.sema_ud.building import scenes, tree

ROOT = ExtractionOptions(heads="root")
RULES = tree_rules("zh-hans")
"""What installed packages know of Chinese trees; the trees made at random have words that they look at."""

CONFERENCE = tree(
    """
    2004年 NOUN 3 nmod
    3月 NOUN 3 nmod
    26日 NOUN 10 nmod:tmod
    全法 ADJ 6 amod
    汉语教学 NOUN 6 nmod
    研讨会 NOUN 10 nsubj
    在 ADP 9 case
    巴黎国际 PROPN 9 nmod
    大学生城 NOUN 10 obl
    举行 VERB 0 root
    。 PUNCT 10 punct
    """
)


@pytest.mark.parametrize("options", [ROOT, ExtractionOptions()])
def test_the_example_of_the_paper(options: ExtractionOptions) -> None:
    assert scenes(extract_scenes(CONFERENCE, options)) == [(["举行"], [["研讨会"], ["大学生城"]])]


def test_a_time_is_in_the_scene_but_no_participant() -> None:
    graph = extract_scenes(CONFERENCE)
    (scene,) = graph.scenes()
    assert scene.leaves == tuple(range(10))
    assert [graph.tokens_below(unit) for unit in graph.children(graph.scene_units()[0], {"T"})] == [(0, 1, 2)]


def test_a_suffix_is_one_word_with_its_stem() -> None:
    graph = extract_scenes(tree("研讨 NOUN 2 compound\n会 PART 3 nsubj\n开始 VERB 0 root"))
    assert scenes(graph) == [(["开始"], [["研讨 会"]])]


def test_a_flat_name_is_one_center() -> None:
    graph = extract_scenes(tree("Ann PROPN 3 nsubj\nLee PROPN 1 flat\nslept VERB 0 root"))
    assert scenes(graph) == [(["slept"], [["Ann Lee"]])]


def test_coordinated_arguments_are_centers_of_one_participant() -> None:
    graph = extract_scenes(
        tree(
            """
            I PRON 2 nsubj
            like VERB 0 root
            banana NOUN 2 obj
            , PUNCT 5 punct
            ripe ADJ 6 amod
            apple NOUN 3 conj
            and CCONJ 8 cc
            orange NOUN 3 conj
            """
        )
    )
    assert scenes(graph) == [(["like"], [["I"], ["banana", "apple", "orange"]])]


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


def test_a_clause_with_its_own_subject_shares_none() -> None:
    graph = extract_scenes(tree("Ann PROPN 2 nsubj\nsang VERB 0 root\nBob PROPN 4 nsubj\ndanced VERB 2 conj"))
    assert scenes(graph) == [(["sang"], [["Ann"]]), (["danced"], [["Bob"]])]


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


def test_a_content_clause_does_not_take_its_noun() -> None:
    graph = extract_scenes(
        tree(
            """
            The DET 2 det
            fact NOUN 6 nsubj
            that SCONJ 5 mark
            he PRON 5 nsubj
            left VERB 2 acl
            hurts VERB 0 root
            """
        )
    )
    assert scenes(graph) == [(["hurts"], [["fact"]]), (["left"], [["he"]])]


def test_an_adverbial_clause_stands_beside_with_its_linker_outside() -> None:
    graph = extract_scenes(
        tree("Ann PROPN 2 nsubj\nsang VERB 0 root\nwhile SCONJ 4 mark\nwalking VERB 2 advcl\nhome ADV 4 advmod")
    )
    assert scenes(graph) == [(["sang"], [["Ann"]]), (["walking"], [["Ann"]])]
    assert 2 not in {leaf for scene in graph.scenes() for leaf in scene.leaves}


def test_a_subject_before_an_adverbial_clause_is_found_from_the_main_clause() -> None:
    graph = extract_scenes(tree("他 PRON 2 nsubj\n说 VERB 0 root\n坐 VERB 2 parataxis\n走 VERB 3 conj"))
    assert [participants for _, participants in scenes(graph)] == [[["他"]], [["他"]], [["他"]]]


def test_a_complement_clause_is_a_participant_and_a_scene() -> None:
    graph = extract_scenes(tree("Ann PROPN 2 nsubj\nsaid VERB 0 root\nBob PROPN 4 nsubj\nleft VERB 2 ccomp"))
    assert scenes(graph) == [(["said"], [["Ann"], ["left"]]), (["left"], [["Bob"]])]


def test_in_root_mode_a_complement_clause_is_a_participant_and_no_scene() -> None:
    graph = extract_scenes(tree("Ann PROPN 2 nsubj\nsaid VERB 0 root\nBob PROPN 4 nsubj\nleft VERB 2 ccomp"), ROOT)
    assert scenes(graph) == [(["said"], [["Ann"], ["left"]])]


def test_an_open_complement_is_controlled_by_the_object_before_the_subject() -> None:
    subject = tree("Ann PROPN 2 nsubj\nwants VERB 0 root\nto PART 4 mark\nleave VERB 2 xcomp")
    object_ = tree("Ann PROPN 2 nsubj\nasked VERB 0 root\nBob PROPN 2 obj\nto PART 5 mark\nleave VERB 2 xcomp")
    assert scenes(extract_scenes(subject))[1] == (["leave"], [["Ann"]])
    assert scenes(extract_scenes(object_))[1] == (["leave"], [["Bob"]])


def test_a_nominal_complement_is_a_participant_only() -> None:
    graph = extract_scenes(tree("It PRON 2 nsubj\nbecame VERB 0 root\na DET 4 det\nbuilding NOUN 2 xcomp"))
    assert scenes(graph) == [(["became"], [["It"], ["building"]])]


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


def test_coordinated_nominal_predicates_are_centers_of_one_state() -> None:
    graph = extract_scenes(
        tree("He PRON 4 nsubj\nis AUX 4 cop\na DET 4 det\ndoctor NOUN 0 root\nand CCONJ 6 cc\nwriter NOUN 4 conj")
    )
    assert scenes(graph) == [(["doctor", "writer"], [["He"]])]


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


def test_other_participants_can_be_asked_for() -> None:
    options = ExtractionOptions(participants=frozenset({"nsubj"}))
    assert scenes(extract_scenes(CONFERENCE, options)) == [(["举行"], [["研讨会"]])]
    assert "nsubj" in options.signature and ExtractionOptions().signature == "heads:clauses"


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
