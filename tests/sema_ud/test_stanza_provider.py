from collections.abc import Sequence

from sema_ud import generic
from sema_ud.onnx_inference.trees import Parse
from sema_ud.stanza_provider import DependencyExtractor, _cut, _join
from sema_ud.trees import ROOT, DependencyTree

from tests.sema_ud.building import scenes, tree


def test_languages_are_described_without_loading_anything() -> None:
    assert generic("fr").code == "ud:fr"
    assert generic().code == "ud:<code>"


def test_cutting_prefers_punctuation_and_keeps_every_word() -> None:
    words = ["字"] * 150 + ["，"] + ["字"] * 100
    assert [len(piece) for piece in _cut(words)] == [151, 100]
    assert [len(piece) for piece in _cut(["字"] * 450)] == [200, 200, 50]
    assert _cut([]) == []


def test_pieces_are_joined_under_the_first_root() -> None:
    first = Parse(("NOUN", "VERB"), ("", ""), (2, 0), ("nsubj", "root"))
    second = Parse(("VERB", ""), ("", "Number=Sing"), (0, 1), ("root", "obj"))
    joined = _join([["a", "b"], ["c", "d"]], [first, second])
    assert joined.heads == (1, ROOT, 1, 2)
    assert joined.relations == ("nsubj", "root", "parataxis", "obj")
    assert joined.upos == ("NOUN", "VERB", "VERB", "X")
    assert joined.features == ("", "", "", "Number=Sing")


class Fixed:
    signature = "fixed"

    def parse(self, sentences: Sequence[Sequence[str]]) -> list[DependencyTree]:
        return [tree("Ann PROPN 2 nsubj\nsang VERB 0 root") for _ in sentences]


def test_any_provider_of_trees_will_do() -> None:
    extractor = DependencyExtractor("en", provider=Fixed(), heads="root")
    (graph,) = extractor.extract([["Ann", "sang"]])
    assert scenes(graph) == [(["sang"], [["Ann"]])]
    assert extractor.signature == "ud(heads:root,fixed)"
