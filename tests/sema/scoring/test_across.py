"""Sources in one language and outputs in another: each side by its own language's parts, Scenes across the two."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import pytest

from sema import SceneGraph, Scorer
from sema.analysis.analyser import Analyser
from sema.errors import ResourceError, UsageError
from sema.model.item import Need
from sema.scoring.engine import Engine, Plan
from sema.scoring.runs import Run
from tests.bare_parts import Levels
from tests.esperanto import Extractor, esperanto
from tests.two_languages import Slashes, own_output, own_source, pair

SOURCE = "Hundo kuras kaj kato dormas."
SPLIT, HALF, OTHER = "DOG/RUNS//CAT/SLEEPS", "DOG/RUNS", "BIRD/FLIES"


class Sentences(Extractor):
    """A Scene for every verb."""

    signature = "verbs:1"

    def graph(self, words):
        graph = SceneGraph(words)
        for index, word in enumerate(words):
            if word.endswith("as"):
                scene = graph.add_child(graph.root, "H")
                graph.add_child(scene, "P", tokens=[index])
                graph.add_child(scene, "A", tokens=[index - 1])
        return graph


def scorer(metrics=None, **options) -> Scorer:
    return Scorer(pair(own_source(extractors={"verbs": Sentences})), metrics, **options)


def test_scenes_of_the_source_are_looked_up_in_an_output_of_another_language() -> None:
    found = scorer(["sema", "samsa"]).score([SOURCE] * 3, [SPLIT, HALF, OTHER]).systems[0].items
    assert [(item.scores["sema"], item.scores["samsa"]) for item in found] == [(100, 100), (50, 25), (0, 0)]


def test_each_side_is_cut_by_its_own_language_even_if_both_texts_are_one_string() -> None:
    first, same = Analyser(pair().parts(), {Need.LINKS}).items([SOURCE, "a/b"], [SPLIT, "a/b"])
    assert first.output.sentence_words == (("DOG", "RUNS"), ("CAT", "SLEEPS"))
    assert same.source.words == ("a", "/", "b") and same.output.words == ("a", "b")


FINE = ["meaning", "sema", "samsa", "bleu", "bertscore_f1", "cefr", "meteor", "ter", "wer", "splits", "deletions"]


@pytest.mark.parametrize(
    ("metrics", "options", "message"),
    [
        ([*FINE, "sari"], {}, r"^sari cannot be scored across languages: .*; give other metrics$"),
        (["copied", "mean:sari,bleu", "bleu"], {}, "^copied, mean:sari,bleu cannot be scored across languages"),
        (["wer"], {"options": {"wer.against": "source"}}, "^wer cannot be scored"),
        (["bleu"], {"select_references": (1, 1, 1)}, "across languages"),
        *(([name], {}, "across languages") for name in ("ibleu", "stem_recall", "fluency", "fkbleu", "compression")),
    ],
)
def test_metrics_that_compare_words_are_refused_in_one_line(metrics, options, message) -> None:
    with pytest.raises(UsageError, match=message):
        scorer(metrics, **options)


def test_the_signature_names_both_segmenters_and_the_parser_of_the_sources() -> None:
    signature = scorer(["sema"]).signature
    assert "lang:eo-to-sl|" in signature
    assert "|text:esperanto:1,outputs=slashes:1|scenes:verbs:1|" in signature
    assert "outputs=" not in Scorer(esperanto(), ["sema"]).signature


def test_options_reach_the_parts_of_both_sides() -> None:
    given = {}

    def extractor(*, deep: Annotated[bool, "how"] = False) -> Extractor:
        given["deep"] = deep
        return Extractor()

    def segmenter(*, doubled: Annotated[bool, "how"] = True) -> Slashes:
        given["doubled"] = doubled
        return Slashes()

    language = replace(pair(own_source(extractors={"cut": extractor})), segmenter=segmenter)
    options = {"cut.deep": True, "segmenter.doubled": False}
    Scorer(language, ["sema"], options=options).score([SOURCE], [SPLIT])
    assert given == {"deep": True, "doubled": False}
    with pytest.raises(UsageError, match="unknown option"):
        Scorer(language, ["sema"], options={"cut.broad": True})


def test_levels_are_read_by_the_language_of_each_side() -> None:
    difficult, easy = Levels(lambda text: 4.0, "difficult"), Levels(lambda text: 2.0, "easy")
    both = pair(own_source(levels=lambda: difficult), own_output(levels=lambda: easy))
    report = Scorer(both, ["cefr", "cefr_source", "cefr_drop"]).score([SOURCE], [SPLIT])
    assert report.systems[0].scores == {"cefr": 2.0, "cefr_source": 4.0, "cefr_drop": 2.0}
    outputs_alone = pair(own_source(), own_output(levels=lambda: easy))
    levels = Scorer(outputs_alone, ["cefr"]).score([SOURCE], [SPLIT]).evidence(0)["output"]["levels"]
    assert levels["output"]["label"] == "A2" and levels["source"]["label"] is None
    with pytest.raises(ResourceError, match="nothing reads CEFR levels in language 'eo'"):
        Scorer(outputs_alone, ["cefr_drop"]).score([SOURCE], [SPLIT])


def test_a_pair_is_rebuilt_in_another_process_and_its_run_read_again(tmp_path: Path) -> None:
    engine = Engine(Plan(pair(), scorer(["sema"]).metrics))
    make, arguments = engine.__reduce__()
    assert make(*arguments).signature() == engine.signature()
    scorer().score([SOURCE], [SPLIT], save=tmp_path / "run")
    run = Run(tmp_path / "run")
    assert run.lang == "eo-to-sl" and run.report().systems[0].scores["sema"] == 100.0
    assert run.evidence(0)["output"]["source"] == ["Hundo", "kuras", "kaj", "kato", "dormas", "."]


@pytest.mark.parametrize("level", ["sentence", "passage"])
def test_passages_are_looked_up_sentence_by_sentence(level: str) -> None:
    found = scorer(level=level).score(["Hundo kuras. Kato dormas."], [SPLIT]).systems[0].scores
    assert found["sema"] == 100.0 and ("samsa" in found) == (level == "sentence")
