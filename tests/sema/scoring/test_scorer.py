"""The scorer: batches, caches, evidence and errors, with small parts whose answers can be worked out by hand."""

import re
from collections.abc import Sequence

import pytest

import sema
from sema.alignment import Link, Pair
from sema.alignment.exact import ExactAligner
from sema.errors import InputError, ResourceError
from sema.metrics.base import MeanMetric
from sema.model.item import Item, Need
from sema.model.language import Language
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


class Aligner(ExactAligner):
    """Notes how many pairs it is given at a time."""

    signature = "equal words"

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[int] = []

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        self.calls.append(len(pairs))
        return super().align(pairs)


@pytest.fixture
def parts() -> tuple[Extractor, Aligner]:
    return Extractor(), Aligner()


@pytest.fixture
def language(parts: tuple[Extractor, Aligner]) -> Language:
    extractor, aligner = parts
    return Language("xx", "Test", Segmenter, {"capitals": lambda: extractor}, {"equal": lambda: aligner})


@pytest.fixture
def scorer(language: Language) -> sema.Scorer:
    return sema.Scorer(language, level="passage")


@pytest.mark.parametrize(
    ("source", "output", "score"),
    [
        # the first sentence keeps both units, the second only its Participant
        ("ann SINGS . bob RUNS .", "ann SINGS . bob walks .", (100 + 50) / 2),
        # a sentence added raises no score
        ("ann SINGS and bob RUNS .", "ann SINGS and bob RUNS .", 100),
        ("ann SINGS and bob RUNS .", "ann SINGS and bob RUNS . x .", 100),
        ("ann SINGS .", " ", 0),
    ],
)
def test_a_passage_is_the_mean_over_its_source_sentences(
    scorer: sema.Scorer, source: str, output: str, score: float
) -> None:
    report = scorer.score([source], [output])
    assert report["output"]["sema"] == score
    assert "sema" in report.metrics and not {"samsa", "samsa_abl"} & set(report.metrics)


def test_a_source_without_a_scene(language: Language) -> None:
    scores = sema.Scorer(language).score(["a title"], ["a title"]).systems[0].scores
    assert (scores["samsa"], scores["sema"]) == (0, 75)


@pytest.mark.parametrize("metric", ["samsa", "samsa_abl", "gmean:sema,samsa"])
def test_samsa_is_refused_where_a_passage_is_scored_sentence_by_sentence(language: Language, metric: str) -> None:
    with pytest.raises(InputError, match=f"^{metric} cannot be scored .* segment=False$"):
        sema.Scorer(language, ["sema", metric], level="passage")
    assert sema.Scorer(language, [metric], level="passage", segment=False).metrics[0].name == metric
    assert sema.Scorer(language, [metric]).metrics[0].name == metric


def test_without_segmentation_all_scenes_are_matched_in_one_go(language: Language) -> None:
    whole = sema.Scorer(language, level="passage", segment=False)
    assert whole.score(["ann SINGS . bob RUNS ."], ["ann SINGS . bob RUNS ."])["output"]["samsa"] == 100
    assert "segment:no" in whole.signature and "match:v2" in whole.signature


def test_a_repeated_source_is_parsed_once_and_a_repeated_pair_aligned_once(
    language: Language, parts: tuple[Extractor, Aligner]
) -> None:
    scorer = sema.Scorer(language, ["sema"], level="passage")
    sources = ["ann SINGS .", "ann SINGS .", "bob RUNS ."]
    scorer.score(sources, {"a": sources, "b": list(reversed(sources))})
    scorer.score(sources, ["x", "y", "z"])
    assert parts[0].calls == [[("ann", "SINGS", "."), ("bob", "RUNS", ".")]]
    assert parts[1].calls == [2, 3, 3]


def test_evidence_says_where_a_scene_went_and_what_was_lost(scorer: sema.Scorer) -> None:
    evidence = scorer.score(["bob RUNS . ann SINGS songs ."], ["bob RUNS . ann SINGS ."]).evidence(0)["output"]
    assert evidence["source"] == ["bob", "RUNS", ".", "ann", "SINGS", "songs", "."]
    first, second = evidence["scenes"]
    assert (first["sentence"], second["sentence"]) == (0, 1)
    assert second["main_relation"] == [{"tokens": [4], "links": [[4, 1, "exact"]]}]
    assert second["participants"][1] == [{"tokens": [5], "links": [None]}]


def test_broken_items_are_raised_or_collected(scorer: sema.Scorer) -> None:
    sources, outputs = ["ann SINGS .", "", "BOOM .", "a\0b"], ["ann SINGS ."] * 4
    with pytest.raises(InputError, match=r"item 1: .*empty"):
        scorer.score(sources, outputs)
    report = scorer.score(sources, outputs, collect_errors=True)
    system = report.systems[0]
    assert [item.error is None for item in system.items] == [True, False, False, False]
    assert "broke down" in (system.items[2].error or "")
    assert system.scores["sema"] == 100
    assert [entry["item"] for entry in report.to_dict()["failed"]] == [1, 2, 3]
    none = scorer.score([""], ["x"], collect_errors=True)
    assert none.to_dict()["systems"][0]["scores"]["sema"] is None


def test_sentences_given_as_such_keep_their_boundaries_and_are_joined_by_spaces(scorer: sema.Scorer) -> None:
    item = scorer.score([["ann SINGS", "", "bob RUNS"]], [["ann SINGS . bob RUNS"]]).systems[0].items[0].item
    assert item is not None
    assert item.source.sentences == ((0, 2), (2, 4)) and len(item.output.sentences) == 1
    assert [item.source.raw[token.start : token.end] for token in item.source.tokens] == ["ann", "SINGS", "bob", "RUNS"]


class Shouted(MeanMetric, name="shouted"):
    """Percentage of the output's words in capitals."""

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [100 * sum(word.isupper() for word in item.output.words) / len(item.output.words) for item in items]


def test_objects_and_names_mix(language: Language) -> None:
    report = sema.Scorer(language, [Shouted(), "sema"]).score(["ann SINGS ."], ["ANN SINGS ."])
    assert report.metrics == ("shouted", "sema")
    assert report.systems[0].scores["shouted"] == pytest.approx(200 / 3)
    assert report.higher_is_better == {"shouted": True, "sema": True}


class Linked(Shouted, name="linked"):
    requires = frozenset({Need.LINKS})


@pytest.mark.parametrize(("metric", "pairs"), [(Shouted(), []), (Linked(), [1])])
def test_a_metric_that_needs_no_scenes_or_links_loads_no_parser_or_aligner(
    language: Language, parts: tuple[Extractor, Aligner], metric: Shouted, pairs: list[int]
) -> None:
    scorer = sema.Scorer(language, [metric])
    scorer.score(["ann SINGS ."], ["ann"])
    assert parts[0].calls == [] and parts[1].calls == pairs
    assert "scenes" not in scorer.signature and ("align:equal words" in scorer.signature) == bool(pairs)


class FirstReference(MeanMetric, name="first"):
    """How many references an item got, and in the thousands which comes first."""

    requires = frozenset({Need.REFERENCES})

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [1000.0 * "srg".index(item.references[0][0]) + len(item.references) for item in items]


def test_each_output_gets_the_references_that_fit_what_it_did(language: Language) -> None:
    scorer = sema.Scorer(language, [FirstReference()], select_references=(1, 2, 1))
    source = "ann SINGS and bob RUNS ."
    outputs = {"split": ["ann SINGS and . bob RUNS ."], "reworded": ["ann SINGS ."], "both": ["ann . SINGS ."]}
    report = scorer.score([source], outputs, [["s", "r1", "r2", "g"]])
    # the one that only splits; those that reword, and those that do anything; the latter
    assert [system["first"] for system in report] == [1, 1003, 2001]
    assert "references:selected" in report.signature
    with pytest.raises(InputError, match=r"item 0: has 2 references, but the sets have 1 \+ 2 \+ 1"):
        scorer.score(["ann SINGS ."], ["ann SINGS ."], [["a", "b"]])
    with pytest.raises(InputError, match="no references to select from"):
        sema.Scorer(language, ["sema"], select_references=(1, 1, 1)).score(["ann SINGS ."], ["ann SINGS ."])
