"""The meaning metrics with the parts that ship for English."""

from __future__ import annotations

import pytest

from sema import Scorer
from sema.evaluation.significance import pearson
from tests.conftest import PublicData

NAMES = ("meaning", "meaning_recall", "meaning_precision")
SOURCE = "The committee did not approve the budget of 13 million dollars in 2004."


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer("en", NAMES)


def score(scorer: Scorer, source: str, *outputs: str) -> list[dict[str, float]]:
    report = scorer.score([source] * len(outputs), list(outputs))
    return [item.scores for item in report.systems[0].items]


@pytest.mark.parametrize("text", [SOURCE, "word " * 300, "the the the", "No, no, no!", "A"])
def test_a_copy_is_100(scorer: Scorer, text: str) -> None:
    assert score(scorer, text, text) == [dict.fromkeys(NAMES, 100.0)]


def test_a_stranger_is_nearly_0(scorer: Scorer) -> None:
    (found,) = score(scorer, SOURCE, "Cats like to sleep on warm roofs.")
    assert max(found.values()) < 20 and found["meaning"] < 10


@pytest.mark.parametrize(
    ("output", "lower"),
    [
        ("The committee approved the budget of 13 million dollars in 2004.", "meaning"),
        ("The committee did not approve the budget of 15 million dollars in 2004.", "meaning_precision"),
        ("The committee did not approve the budget.", "meaning_recall"),
        ("The committee did not approve the budget of 13 million dollars in 2004 with Mary.", "meaning_precision"),
        ("The budget did not approve the committee of 13 million dollars in 2004.", "meaning"),
    ],
)
def test_what_is_lost_changed_or_added_costs_more_than_rewording(scorer: Scorer, output: str, lower: str) -> None:
    wrong, reworded = score(scorer, SOURCE, output, "In 2004, the committee said no to the 13 million dollar budget.")
    assert wrong[lower] < 80 and wrong["meaning"] < reworded["meaning"]


def test_a_faithful_rewording_is_above_a_misleading_one(scorer: Scorer) -> None:
    source = "The game was postponed until the following Tuesday because of heavy rain."
    good, bad = score(
        scorer,
        source,
        "It rained a lot. So the game was moved to the next Tuesday.",
        "It rained a lot. But the game was played on the next Monday.",
    )
    assert good["meaning"] > 60 and good["meaning"] > bad["meaning"] + 15


def test_additions_cost_precision_and_not_recall(scorer: Scorer) -> None:
    alone, more = score(scorer, "The committee rejected the plan.", "The committee rejected the plan.",
                        "The committee rejected the plan. Its members will meet again in May.")  # fmt: skip
    assert more["meaning_recall"] >= alone["meaning_recall"] - 2
    assert more["meaning_precision"] < 90


def test_leaving_sentences_out_costs_recall_and_not_precision(scorer: Scorer) -> None:
    source = "The committee rejected the plan. Its members will meet again in May."
    (found,) = score(scorer, source, "The committee rejected the plan.")
    assert found["meaning_precision"] >= 98 and found["meaning_recall"] < 80


def test_evidence_agrees_with_the_scores(scorer: Scorer) -> None:
    report = scorer.score([SOURCE], ["The committee approved the budget of 13 million dollars."], keep_items=True)
    shown, scores = report.evidence(0)["output"], report.systems[0].items[0].scores
    for side, name in (("source", "meaning_recall"), ("output", "meaning_precision")):
        chances, weights = shown[f"{side}_words"], shown[f"{side}_weights"]
        mean = sum(p * w for p, w in zip(chances, weights, strict=True)) / sum(weights)
        assert 100 * mean == pytest.approx(scores[name], abs=0.5)
    assert {scene["state"] for scene in shown["source_scenes"]} <= {"kept", "partly", "changed", "lost"}
    assert all({"kind", "text"} == set(reason) for scene in shown["source_scenes"] for reason in scene["because"])


def test_without_the_reader_links_and_facts_decide() -> None:
    with_reader, without = (
        Scorer("en", ["meaning"], options={"meaning.reader": reader}).score([SOURCE], ["The group refused the money."])
        for reader in ("best", "none")
    )
    assert with_reader.signature != without.signature
    assert with_reader.systems[0].scores["meaning"] != without.systems[0].scores["meaning"]


def test_it_agrees_with_people(scorer: Scorer, public_data: PublicData) -> None:
    from sema_english.training.rated_meaning import qats

    public_data("ratings", "qats2016")
    pairs = qats("test")
    report = scorer.score([pair.source for pair in pairs], [pair.output for pair in pairs])
    found = [item.scores["meaning"] for item in report.systems[0].items]
    assert pearson([pair.rating for pair in pairs], found).value > 0.5
