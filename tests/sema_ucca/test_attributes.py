from __future__ import annotations

from collections.abc import Sequence

from sema_ucca.attributes import PlainAttributes

from sema.model.scene_graph import SceneGraph

TOKENS = ("the", "old", "bridge", "that", "fell", "was", "mine")


class Extractor:
    """*old* is a State Scene in the phrase, *that fell* a Scene of two words, *mine* the State of the whole."""

    signature = "by hand"

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        graph = SceneGraph(TOKENS)
        whole = graph.add_child(graph.root, "H")
        phrase = graph.add_child(whole, "A")
        graph.add_child(phrase, "F", tokens=[0])
        attribute = graph.add_child(phrase, "E")
        graph.add_child(attribute, "S", tokens=[1])
        center = graph.add_child(phrase, "C", tokens=[2])
        graph.add_edge(attribute, center, "A", remote=True)
        clause = graph.add_child(phrase, "E")
        graph.add_child(clause, "F", tokens=[3])
        graph.add_child(clause, "P", tokens=[4])
        graph.add_edge(clause, center, "A", remote=True)
        graph.add_child(whole, "F", tokens=[5])
        graph.add_child(whole, "S", tokens=[6])
        return [graph for _ in sentences]


def test_one_word_attributes_are_no_scenes_and_nothing_else_changes() -> None:
    (as_parsed,) = Extractor().extract([TOKENS])
    (plain,) = PlainAttributes(Extractor()).extract([TOKENS])
    assert [scene.main_relation for scene in as_parsed.scenes()] == [((6,),), ((1,),), ((4,),)]
    assert [scene.main_relation for scene in plain.scenes()] == [((6,),), ((4,),)]
    assert plain.scenes()[0] == as_parsed.scenes()[0]
    assert plain.scenes()[1] == as_parsed.scenes()[2]


def test_the_signature_says_so() -> None:
    assert PlainAttributes(Extractor()).signature == "by hand+plain-attributes"
