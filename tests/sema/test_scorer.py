"""The scorer: batches, caches, evidence and errors, with small parts whose answers can be worked out by hand."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence

import pytest

import sema
from sema.alignment import Link, LinkKind, Pair
from sema.analysis.analyser import Analyser, SourceAnalysis, join_sentences, place_scenes
from sema.errors import InputError, ResourceError
from sema.languages import Language
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text


class Segmenter:
    signature = "test"

    def segment(self, texts: Sequence[str]) -> list[Text]:
        return [Text.from_sentences(part.split() for part in re.split(r"(?<=\.) ", text)) for text in texts]


class Extractor:
    """A word in capitals is a main relation, every other word a Participant of its sentence's Scene."""

    signature = "capitals"

    def __init__(self) -> None:
        self.calls: list[list[tuple[str, ...]]] = []

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        self.calls.append([tuple(sentence) for sentence in sentences])
        if any("BOOM" in sentence for sentence in sentences):
            raise ResourceError("the parser broke down")
        return [self.graph(sentence) for sentence in sentences]

    def graph(self, words: Sequence[str]) -> SceneGraph:
        graph = SceneGraph(words)
        relations = [index for index, word in enumerate(words) if word.isupper()]
        scene = graph.add_child(graph.root, "H")
        for index, word in enumerate(words):
            if word != ".":
                graph.add_child(scene, "P" if index in relations else "A" if relations else "E", tokens=[index])
        return graph


class Aligner:
    signature = "equal words"

    def __init__(self) -> None:
        self.calls: list[int] = []
        self.collected = True

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        self.calls.append(len(pairs))
        self.collected = gc.isenabled()
        return [
            [Link(i, list(output).index(word), LinkKind.EXACT) for i, word in enumerate(source) if word in output]
            for source, output in pairs
        ]


@pytest.fixture
def parts() -> tuple[Extractor, Aligner]:
    return Extractor(), Aligner()


@pytest.fixture
def scorer(monkeypatch: pytest.MonkeyPatch, parts: tuple[Extractor, Aligner]) -> Iterator[sema.Scorer]:
    extractor, aligner = parts
    language = Language(
        "xx", "Test", lambda _: Segmenter(), {"capitals": lambda _: extractor}, {"equal": lambda _: aligner}
    )
    monkeypatch.setattr("sema.scoring.scorer.find_language", lambda code: language)
    yield sema.Scorer("xx", level="passage")


def test_a_passage_is_the_mean_over_its_source_sentences(scorer: sema.Scorer) -> None:
    report = scorer.score(["ann SINGS . bob RUNS ."], ["ann SINGS . bob walks ."])
    # The first sentence keeps both units, the second its Participant alone.
    assert report.systems[0].scores["sema"] == (100 + 50) / 2
    # One Scene against two sentences: the output has more sentences than either source sentence has Scenes.
    assert report.systems[0].scores["samsa"] == 0


def test_without_segmentation_all_scenes_are_matched_in_one_go(scorer: sema.Scorer) -> None:
    whole = sema.Scorer("xx", level="passage", segment=False)
    assert whole.score(["ann SINGS . bob RUNS ."], ["ann SINGS . bob RUNS ."]).systems[0].scores["samsa"] == 100
    assert "segment:no" in whole.signature


def test_a_repeated_source_is_parsed_once_and_a_repeated_pair_aligned_once(
    scorer: sema.Scorer, parts: tuple[Extractor, Aligner]
) -> None:
    sources = ["ann SINGS .", "ann SINGS .", "bob RUNS ."]
    scorer.score(sources, {"a": sources, "b": list(reversed(sources))})
    scorer.score(sources, ["x", "y", "z"])
    assert parts[0].calls == [[("ann", "SINGS", "."), ("bob", "RUNS", ".")]]
    assert parts[1].calls == [2, 3, 3]


def test_the_garbage_collector_rests_while_items_are_analysed(
    scorer: sema.Scorer, parts: tuple[Extractor, Aligner]
) -> None:
    scorer.score(["ann SINGS ."], ["ann SINGS ."])
    assert not parts[1].collected
    assert gc.isenabled()


def test_evidence_says_where_a_scene_went_and_what_was_lost(scorer: sema.Scorer) -> None:
    item = scorer.score(["ann SINGS songs ."], ["bob RUNS . ann SINGS ."]).systems[0].items[0]
    evidence = item.evidence()
    assert evidence["source"] == ["ann", "SINGS", "songs", "."]
    (scene,) = evidence["scenes"]
    assert scene["sentence"] == 1
    assert scene["main_relation"] == [{"tokens": [1], "links": [[1, 1, "exact"]]}]
    assert scene["participants"][1] == [{"tokens": [2], "links": [None]}]


def test_a_source_without_a_scene(scorer: sema.Scorer) -> None:
    scores = sema.Scorer("xx").score(["a title"], ["a title"]).systems[0].scores
    assert scores["samsa"] == 0
    assert scores["sema"] == 75


def test_an_empty_output_scores_nothing(scorer: sema.Scorer) -> None:
    assert set(scorer.score(["ann SINGS ."], [" "]).systems[0].scores.values()) == {0}


def test_broken_items_are_raised_or_collected(scorer: sema.Scorer) -> None:
    sources, outputs = ["ann SINGS .", "", "BOOM .", "a\0b"], ["ann SINGS ."] * 4
    with pytest.raises(InputError, match=r"line 2: .*empty"):
        scorer.score(sources, outputs)
    report = scorer.score(sources, outputs, collect_errors=True)
    system = report.systems[0]
    assert [item.error is None for item in system.items] == [True, False, False, False]
    assert "broke down" in (system.items[2].error or "")
    assert system.scores["sema"] == 100
    assert [entry["item"] for entry in report.to_dict()["failed"]] == [1, 2, 3]


def test_all_items_broken_gives_no_score(scorer: sema.Scorer) -> None:
    report = scorer.score([""], ["x"], collect_errors=True)
    assert report.to_dict()["systems"][0]["scores"]["sema"] is None


def test_lengths_must_agree(scorer: sema.Scorer) -> None:
    with pytest.raises(InputError, match="2 sources but 1 outputs"):
        scorer.score(["a B", "c D"], ["a B"])
    with pytest.raises(InputError, match="lists of texts"):
        scorer.score("a B", "a B")
    with pytest.raises(InputError, match="'sentence' or 'passage'"):
        sema.Scorer("xx", level="word")  # type: ignore[arg-type]


def test_sentences_given_as_such_keep_their_boundaries(scorer: sema.Scorer) -> None:
    item = scorer.score([["ann SINGS", "bob RUNS"]], [["ann SINGS . bob RUNS"]]).systems[0].items[0].item
    assert item is not None
    assert item.source.sentences == ((0, 2), (2, 4))
    assert len(item.output.sentences) == 1


def test_score_takes_one_pair_or_lists(scorer: sema.Scorer) -> None:
    one = sema.score("ann SINGS .", "ann SINGS .", lang="xx")
    assert one["sema"] == 100
    assert sema.score(["ann SINGS ."], ["ann SINGS ."], lang="xx") == one
    text = "ann SINGS very old songs ."
    assert sema.score(text, text, [text], lang="xx", metrics=["bleu"])["bleu"] == pytest.approx(100)


def test_joined_sentences_keep_offsets() -> None:
    text = join_sentences([Text.from_tokenized("a b"), Text.from_tokenized(""), Text.from_tokenized("c")])
    assert [text.raw[token.start : token.end] for token in text.tokens] == ["a", "b", "c"]
    assert text.sentences == ((0, 2), (2, 3))


def test_scenes_of_a_passage_file_are_divided_into_sentences() -> None:
    graph = SceneGraph(["ann", "SINGS", ".", "bob", "RUNS", "."])
    for offset in (0, 3):
        scene = graph.add_child(graph.root, "H")
        graph.add_child(scene, "A", tokens=[offset])
        graph.add_child(scene, "P", tokens=[offset + 1])
    analysis = place_scenes(Segmenter(), [graph], "ann SINGS . bob RUNS .", "x.xml")
    assert analysis.text.sentences == ((0, 3), (3, 6))
    assert analysis.sentence_of == (0, 1)
    with pytest.raises(InputError, match=r"x\.xml: .*another text"):
        place_scenes(Segmenter(), [graph], "something else entirely, which is much longer", "x.xml")


def test_analyser_shifts_links_and_scenes_to_the_whole_source(parts: tuple[Extractor, Aligner]) -> None:
    analyser = Analyser(Segmenter(), *parts)
    (text,) = analyser.segment(["ann SINGS . bob RUNS ."])
    (analysis,) = analyser.analyse([text])
    assert isinstance(analysis, SourceAnalysis)
    assert [scene.main_relation for scene in analysis.scenes] == [((1,),), ((4,),)]
    ((links,),) = analyser.align([(text, Text.from_tokenized("bob RUNS"))])
    assert [(link.source, link.output) for link in links] == [(3, 0), (4, 1)]
