"""Scenes read back from a file: unedited they score as parsed, to the last digit; the signature tells them apart."""

from pathlib import Path

import pytest
from sema_ucca.formats import ucca_xml

from sema import Scorer
from sema.analysis.placing import digest, divide, place_scenes
from sema.analysis.source import SourceAnalysis
from sema.errors import InputError
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema.scoring.scorer import Level
from tests.cases import cases
from tests.esperanto import Segmenter, esperanto

SOURCES = [
    "La kato dormas. Mi vidas la domon. Kaj li iras.",
    "Jes. Li manĝas pomon, mi ne. La!",
    "Li iras. Ho ve. Vi kuras.",
]
OUTPUTS = ["La kato dormas. Mi iras.", "Li manĝas. Mi ne.", "Vi kuras. Li iras domon."]


def through_files(scorer: Scorer, folder: Path) -> list[SourceAnalysis]:
    xml, sources = ucca_xml(), scorer.engine.analyser.sources
    texts = sources.segment(SOURCES)
    placed = []
    for index, (text, graphs) in enumerate(zip(texts, sources.graphs(texts), strict=True)):
        path = folder / f"{index}.xml"
        xml.write(graphs, path)  # type: ignore[misc, arg-type]
        placed.append(place_scenes(scorer.segmenter, xml.read(path), text, path.name))
    return placed


@pytest.mark.parametrize("level", ["sentence", "passage"])
@pytest.mark.parametrize("segment", [True, False])
def test_an_unedited_round_trip_changes_no_score(tmp_path: Path, level: Level, segment: bool) -> None:
    scorer = Scorer(esperanto(), ["sema", "sema_base"], level=level, segment=segment)
    read = scorer.score(SOURCES, OUTPUTS, scenes=through_files(scorer, tmp_path)).systems[0].items
    parsed = scorer.score(SOURCES, OUTPUTS).systems[0].items
    assert [(item.scores, item.evidence()) for item in read] == [(item.scores, item.evidence()) for item in parsed]


def test_the_signature_tells_scenes_apart(tmp_path: Path) -> None:
    scorer = Scorer(esperanto(), ["sema"])
    scenes = through_files(scorer, tmp_path)
    first = scorer.score(SOURCES, OUTPUTS, scenes=scenes).signature
    assert f"scenes:file,sha256={digest(scenes)}" in first
    assert scorer.score(SOURCES, OUTPUTS, scenes=scenes).signature == first
    scenes[1] = scenes[0]
    assert scorer.score(SOURCES, OUTPUTS, scenes=scenes).signature != first


def test_a_unit_over_several_sentences_keeps_the_passage_whole() -> None:
    graph = SceneGraph(["a", ".", "b", "."])
    for token in (0, 2):
        graph.add_child(graph.root, "H", tokens=[token])
    assert [part.tokens for part in divide(graph, [(0, 2), (2, 4)])] == [("a", "."), ("b", ".")]
    graph.add_child(graph.root, "H", tokens=[1, 3])
    assert divide(graph, [(0, 2), (2, 4)]) == [graph]


@cases("other_words")
def test_other_words_are_refused_and_named(tokens: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        place_scenes(Segmenter(), [SceneGraph(tokens.split())], Text('Mi vidas la "domon".', (), ()), "x.xml")
    assert str(caught.value).startswith("x.xml: these scenes are of another text than the source: ")
    assert said in str(caught.value)


@pytest.mark.parametrize("raw", ["Mi vidas la “domon”.", "Mi  vidas la``domon'' .", "Mi vidas la domon ."])
@pytest.mark.parametrize("tokens", ['Mi vidas la " domon " .', "Mi vi das la `` domon '' ."])
def test_whitespace_and_quotes_may_differ_and_escapes_stand_for_their_signs(raw: str, tokens: str) -> None:
    for words, text in ((tokens, raw), ("Mi -LRB- la &amp; -RRB-", "Mi (la &)")):
        graph = SceneGraph(words.split())
        assert place_scenes(Segmenter(), [graph], Text(text, (), ()), "x.xml").text.words == graph.tokens
