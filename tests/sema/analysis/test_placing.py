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
from tests.esperanto import Segmenter, esperanto

SOURCES = [
    "La kato dormas. Mi vidas la domon. Kaj li iras.",
    "Jes. Li manĝas pomon, mi ne. La!",
    "Li iras. Ho ve. Vi kuras.",
]
OUTPUTS = ["La kato dormas. Mi iras.", "Li manĝas. Mi ne.", "Vi kuras. Li iras domon."]


def through_files(scorer: Scorer, folder: Path) -> list[SourceAnalysis]:
    xml = ucca_xml()
    assert xml.write is not None
    texts = scorer.engine.analyser.sources.segment(SOURCES)
    placed = []
    for index, (text, graphs) in enumerate(zip(texts, scorer.engine.analyser.sources.graphs(texts), strict=True)):
        assert not isinstance(graphs, Exception)
        path = folder / f"{index}.xml"
        xml.write(graphs, path)
        placed.append(place_scenes(scorer.segmenter, xml.read(path), text, path.name))
    return placed


@pytest.mark.parametrize("level", ["sentence", "passage"])
@pytest.mark.parametrize("segment", [True, False])
def test_an_unedited_round_trip_changes_no_score(tmp_path: Path, level: Level, segment: bool) -> None:
    scorer = Scorer(esperanto(), ["sema", "sema_base"], level=level, segment=segment)
    parsed = scorer.score(SOURCES, OUTPUTS)
    read = scorer.score(SOURCES, OUTPUTS, scenes=through_files(scorer, tmp_path))
    assert [item.scores for item in read.systems[0].items] == [item.scores for item in parsed.systems[0].items]
    assert [item.evidence() for item in read.systems[0].items] == [item.evidence() for item in parsed.systems[0].items]


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


def test_another_text_is_refused() -> None:
    (text,) = Segmenter().segment(["Mi vidas la domon."])
    with pytest.raises(InputError, match=r"x\.xml: these scenes are of another text"):
        place_scenes(Segmenter(), [SceneGraph(["Vespere", "ĉiuj", "kantis"])], text, "x.xml")


@pytest.mark.parametrize(
    ("tokens", "said"),
    [
        (["Mi", "vidas", "domon", "."], "token 2 reads 'domon .' where the source has 'la"),
        (["Mi", "vidas", "la", "domo", "."], "token 4 reads '.' where the source has"),
        (["Mi", "vidas", "la", "domon"], "token 4 reads nothing where the source has"),
        (["Mi", "vidas", "la", "domon", ".", "!"], "token 5 reads '!' where the source has nothing"),
        (["mi", "vidas", "la", "domon", "."], "token 0 reads 'mi vidas la' where the source has 'Mi vidas la'"),
    ],
)
def test_a_single_other_word_is_refused_and_named(tokens: list[str], said: str) -> None:
    with pytest.raises(InputError) as caught:
        place_scenes(Segmenter(), [SceneGraph(tokens)], Text('Mi vidas la "domon".', (), ()), "x.xml")
    assert str(caught.value).startswith("x.xml: these scenes are of another text than the source: ")
    assert said in str(caught.value)


@pytest.mark.parametrize("raw", ["Mi vidas la “domon”.", "Mi  vidas la``domon'' .", "Mi vidas la domon ."])
def test_whitespace_and_quotes_may_differ(raw: str) -> None:
    for tokens in (["Mi", "vidas", "la", '"', "domon", '"', "."], ["Mi", "vi", "das", "la", "``", "domon", "''", "."]):
        assert place_scenes(Segmenter(), [SceneGraph(tokens)], Text(raw, (), ()), "x.xml").text.words == tuple(tokens)


def test_escapes_of_treebanks_stand_for_their_signs() -> None:
    graph = SceneGraph(["Mi", "-LRB-", "la", "&amp;", "-RRB-"])
    assert place_scenes(Segmenter(), [graph], Text("Mi (la &)", (), ()), "x.xml").text.words == graph.tokens
