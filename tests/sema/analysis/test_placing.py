"""Scenes read back from a file: unedited they score as parsed, to the last digit; the signature tells them apart."""

from pathlib import Path

import pytest
from sema_ucca.formats import ucca_xml

from sema import Scorer
from sema.analysis.placing import digest, place_scenes
from sema.analysis.source import SourceAnalysis
from sema.errors import InputError
from sema.model.scene_graph import Scene, SceneGraph
from sema.model.text import Text
from sema.scoring.scorer import Level
from tests.cases import cases
from tests.esperanto import esperanto

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
        placed.append(place_scenes(xml.read(path), text, path.name))
    return placed


@pytest.mark.parametrize("level", ["sentence", "passage"])
@pytest.mark.parametrize("segment", [True, False])
def test_an_unedited_round_trip_changes_no_score(tmp_path: Path, level: Level, segment: bool) -> None:
    scorer = Scorer(esperanto(), ["sema", "sema_base"], level=level, segment=segment)
    read = scorer.score(SOURCES, OUTPUTS, scenes=through_files(scorer, tmp_path)).systems[0].items
    parsed = scorer.score(SOURCES, OUTPUTS).systems[0].items
    assert [(item.scores, item.evidence()) for item in read] == [(item.scores, item.evidence()) for item in parsed]


@cases("other_words")
def test_other_words_are_refused_and_named(tokens: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        place_scenes([SceneGraph(tokens.split())], Text('Mi vidas la "domon".', (), ()), "x.xml")
    assert str(caught.value).startswith("x.xml: these scenes are of another text than the source: ")
    assert said in str(caught.value)


@pytest.mark.parametrize("raw", ["Mi vidas la “domon”.", "Mi  vidas la``domon'' .", "Mi vidas la domon ."])
@pytest.mark.parametrize("tokens", ['Mi vidas la " domon " .', "Mi vi das la `` domon '' ."])
def test_whitespace_and_quotes_may_differ_and_escapes_stand_for_their_signs(raw: str, tokens: str) -> None:
    for words, text in ((tokens, raw), ("Mi -LRB- la &amp; -RRB-", "Mi (la &)")):
        graph = SceneGraph(words.split())
        assert place_scenes([graph], Text(text, (), ()), "x.xml").text.words == graph.tokens


def test_tokens_of_a_file_have_their_places_in_the_source() -> None:
    raw = "Li's “no”.<br>Vi (mi) ne , x’y &amp; ﬁe\u0301."
    read = ["Li", "'s", "``", "no", "''", ".", "Vi", "-LRB-", "mi", "-RRB-", '"', "ne,", "x'", "y", "&", "fié", "."]
    text = place_scenes([SceneGraph(read)], Text(raw, (), ()), "x.xml").text
    assert text.raw == raw and text.words == tuple(read)
    assert [raw[token.start : token.end] for token in text.tokens] == (
        ["Li", "'s", "“", "no", "”", ".", "Vi", "(", "mi", ")", "", "ne ,", "x", "y", "&amp;", "ﬁe\u0301", "."]
    )


def test_a_score_does_not_depend_on_the_other_metrics_where_scenes_are_given() -> None:
    """Only Scene metrics read the file's Scenes, and its tokens replaced the source's for all metrics beside them."""
    scorer, texts = Scorer("en", ["sema"]), ['He said "no". She left (early), didn\'t she?']
    read = "He said `` no '' . She left -LRB- early -RRB- , did n't she ?"
    graph = SceneGraph(read.split())
    graph.add_child(graph.add_child(graph.root, "H"), "P", tokens=[1])
    (text,) = scorer.engine.analyser.sources.segment(texts)
    given = {"references": [["He said no."]], "scenes": [place_scenes([graph], text, "x.xml")]}
    names = ["sema", "sari", "meaning", "compression", "deletions", "cosine"]
    for outputs in (texts, ["He said no."]):
        together = Scorer("en", names).score(texts, outputs, **given, keep_items=False)
        for name in names:
            alone = Scorer("en", [name]).score(texts, outputs, **given, keep_items=name == "sari")
            assert alone.systems[0][name] == together.systems[0][name], name
            assert f"scenes:file,sha256={digest(given['scenes'])}" in alone.signature
        without = Scorer("en", names[1:]).score(texts, outputs, given["references"]).systems[0]
        assert all(together.systems[0][name] == without[name] for name in ("sari", "compression", "cosine"))
        assert outputs != texts or together.systems[0]["meaning"] == 100


def test_a_scene_counts_in_the_sentence_of_its_own_tokens_and_a_stand_in_has_words_alone() -> None:
    """``John slept . He did and left . No !`` in one graph: *left* has *John* as a remote Participant."""
    text = Text.from_sentences([["John", "slept", "."], ["He", "did", "and", "left", "."], ["No", "!"]])
    graph = SceneGraph(text.words)
    first, second, third = (graph.add_child(graph.root, "H") for _ in range(3))
    john = graph.add_child(first, "A", tokens=[0])
    for scene, verb in ((first, 1), (second, 4), (third, 6)):
        graph.add_child(scene, "P", tokens=[verb])
    graph.add_child(second, "A", tokens=[3])
    graph.add_edge(third, john, "A", remote=True)
    found = SourceAnalysis.from_graphs(text, [graph])
    assert [scene.leaves[0] for scene in found.scenes] == [0, 3, 0] and found.sentence_of == (0, 1, 1)
    assert found.stand_ins == (None, None, Scene(((8,),), (), (8,)))
    signs = Text.from_sentences([["Jes"], ["!", "?"]])
    whole = SourceAnalysis.from_graphs(signs, [SceneGraph(signs.words)])
    assert whole.stand_ins[1] == Scene(((1, 2),), (), (1, 2))
