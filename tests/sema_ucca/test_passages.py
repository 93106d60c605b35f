from collections import Counter
from itertools import pairwise
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sema_ucca.trees import graph_of

from sema.model.scene_graph import SceneGraph
from tests.cases import cases
from tests.scene_graphs import layered_graphs, named_units, random_graphs, scene_graph
from training.ucca.corpus import annotated_sentences, sentence_spans, split_passage, tree_of


def test_units_over_a_boundary_stand_in_both_sentences() -> None:
    speech = ("A", ("H", ("A:she", 0), ("P", 1)), ("L", 3), ("H", ("P", 4), ("A", "she"), ("A",)))
    said = ("H", speech, ("A", 6), ("P", 7), ("D",))
    passage, _ = named_units("She came . And left , he said .", said, *[("U", token) for token in (2, 5, 8)])
    first, second = split_passage(passage, [(0, 3), (3, 9)])
    assert (first.tokens, second.tokens) == (passage.tokens[:3], passage.tokens[3:])
    (came,) = first.scenes()
    assert (came.main_relation, came.participants) == (((1,),), (((0,),),))
    # the subject of "left" is in the other sentence: implicit here, besides the one that the annotators left out
    assert [(scene.main_relation, scene.participants) for scene in second.scenes()] == [
        *[(((4,),), (((1,),), ((3,),))), (((1,),), ((), ()))]
    ]
    (unit,) = first.children(first.root, {"H"})
    assert second.children(second.root, {"H"}) == [unit], "units keep their names"
    assert second.children(unit, {"D"}) and not first.children(unit, {"D"}), "implicit units follow the main relation"


@cases("parser/sentences")
def test_final_marks_between_scenes_end_sentences(expected: str, units: tuple[tuple[Any, ...], ...]) -> None:
    graph = scene_graph(expected.replace(" | ", " "), *units)
    assert " | ".join(" ".join(graph.tokens[start:end]) for start, end in annotated_sentences(graph)) == expected


def test_sentence_spans_follow_other_tokenization() -> None:
    assert sentence_spans(["a", "b.c", "d"], [["a", "b", ".", "c"], ["d"]]) == [(0, 2), (2, 3)]
    assert sentence_spans(["a", "d"], [["a"], ["gone", "."], ["d"]]) == [(0, 1), (1, 1), (1, 2)]


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(random_graphs(), st.data())
def test_every_token_keeps_its_place(passage: SceneGraph, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(passage.tokens)))) | {0, len(passage.tokens)})
    spans, whole = list(pairwise(cuts)), passage.graph
    for (start, end), sentence in zip(spans, split_passage(passage, spans), strict=True):
        part = sentence.graph
        for unit in sentence.units():
            if unit in whole and unit not in sentence.implicit:
                before = passage.tokens_below(unit, remote=False, punctuation=True)
                after = sentence.tokens_below(unit, remote=False, punctuation=True)
                assert after == tuple(token - start for token in before if start <= token < end)
        for token in range(end - start):
            assert [*part.pred[token]] == [*whole.pred[token + start]]


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
