"""Properties of the three scores for any reader, and the states of Scenes, which their findings decide."""

from dataclasses import replace

import pytest

from sema.meaning.evidence import find
from sema.metrics.meaning import MeaningPrecision, MeaningRecall, MeaningScore
from sema.model.meaning import Meaning
from sema.model.reading import PairReading
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from tests.marking_reader import FUNCTION, Marks, item


class Swayed(Marks):
    """A reader whose scores change with whatever stands beside the words that it knows."""

    def _one(self, source: Text, output: Text) -> PairReading:
        read = super()._one(source, output)
        rest = sum(word.startswith("z") for word in output.words) / 10
        return replace(read, meaning=min(1, read.meaning + rest), recall=max(0, read.recall - rest),
                       precision=min(1, read.precision + rest))  # fmt: skip


def scores(source: str, output: str, reader: Marks | None = None) -> dict[str, float]:
    (one,) = find([item(source, output)], FUNCTION, reader)
    return dict(one.scores)


def test_a_copy_has_100_and_is_not_read_and_an_empty_output_has_0() -> None:
    assert set(scores("shops open", "shops open", Marks(missing="shops", added="open")).values()) == {100.0}
    assert set(scores("shops open", "", Marks()).values()) == {0.0}


def test_an_unsupported_sentence_raises_no_score_and_lowers_no_recall() -> None:
    reader = Swayed(missing="May", added="z1 z2 z3")
    before = scores("shops open in May", "shops open", reader)
    after = scores("shops open in May", "shops open | z1 z2 z3", reader)
    assert after["meaning_recall"] == before["meaning_recall"]
    assert after["meaning"] <= before["meaning"] and after["meaning_precision"] <= before["meaning_precision"]


def test_a_sentence_left_out_lowers_no_precision() -> None:
    texts, reader = "shops open in May | the mayor left", Marks(missing="the mayor left")
    whole, alone = (scores(source, "shops open May", reader) for source in (texts, "shops open in May"))
    assert whole["meaning_precision"] == alone["meaning_precision"] > whole["meaning"]
    verbatim = scores(texts, "shops open in May", Marks(added="May", missing="mayor left"))
    assert verbatim["meaning_precision"] == 100 > verbatim["meaning_recall"], "supported whatever is read"


def test_metrics_read_the_scores_of_their_evidence() -> None:
    pair = item("John loves Mary", "John loves")
    with pytest.raises(ValueError, match="a Scorer prepares"):
        MeaningScore().scores([pair])
    pair = replace(pair, findings=find([pair], ((), ()))[0])
    for metric in (MeaningScore(), MeaningRecall(), MeaningPrecision()):
        assert metric.scores([pair]) == [pytest.approx(pair.findings.scores[metric.name])]
        shown = metric.explain(pair)
        assert len(shown["source_words"]) == 3 and len(shown["output_words"]) == len(shown["output"]) == 2


def evidence(source: str, output: str, reader: Marks) -> Meaning:
    """A Scene in the source: its second word is the main relation, the others are Participants."""
    graph = SceneGraph(source.split())
    scene = graph.add_child(graph.root, "H")
    for token, _ in enumerate(graph.tokens):
        graph.add_child(scene, "P" if token == 1 else "A", tokens=[token])
    (one,) = find([replace(item(source, output), graphs=(graph,))], FUNCTION, reader)
    return one.evidence


@pytest.mark.parametrize(
    ("output", "reader", "state", "reasons"),
    [
        ("John loves her", Marks(), "kept", []),
        ("John loves", Marks(missing="Mary"), "partly", ["missing: 'Mary'"]),
        ("he", Marks(missing="John loves Mary"), "lost", ["missing: 'John loves Mary'"]),
        ("John hates Mary", Marks(wrong="loves hates"), "changed", ["wrong: 'loves' became 'hates'"]),
    ],
)
def test_a_scene_has_the_state_of_its_findings(output: str, reader: Marks, state: str, reasons: list[str]) -> None:
    (scene,) = evidence("John loves Mary", output, reader).source_scenes
    assert (scene.state.value, [str(reason) for reason in scene.because]) == (state, reasons)
