"""The meaning metrics with the parts that ship for English."""

from __future__ import annotations

import pytest

from sema import Scorer
from sema.datasets.folder import data_path
from sema.evaluation.significance import pearson

NAMES = ("meaning", "meaning_recall", "meaning_precision")
SOURCE = "The committee did not approve the budget of 13 million dollars in 2004."


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return Scorer("en", NAMES)


def score(scorer: Scorer, source: str, *outputs: str) -> list[dict[str, float]]:
    report = scorer.score([source] * len(outputs), list(outputs))
    return [item.scores for item in report.systems[0].items]


def test_a_copy_is_100(scorer: Scorer) -> None:
    assert score(scorer, SOURCE, SOURCE) == [dict.fromkeys(NAMES, 100.0)]


def test_a_stranger_is_nearly_0(scorer: Scorer) -> None:
    (found,) = score(scorer, SOURCE, "Cats like to sleep on warm roofs.")
    assert found["meaning"] < 10


@pytest.mark.parametrize(
    ("output", "lower"),
    [
        ("The committee approved the budget of 13 million dollars in 2004.", "meaning"),
        ("The committee did not approve the budget of 15 million dollars in 2004.", "meaning"),
        ("The committee did not approve the budget of 13 million dollars.", "meaning_recall"),
        ("The committee did not approve the budget of 13 million dollars in 2004 with Mary.", "meaning_precision"),
        ("The budget did not approve the committee of 13 million dollars in 2004.", "meaning"),
    ],
)
def test_what_is_lost_changed_or_added_costs(scorer: Scorer, output: str, lower: str) -> None:
    (found,) = score(scorer, SOURCE, output)
    assert found[lower] < 97
    assert found["meaning"] < 99


@pytest.mark.parametrize("text", ["word " * 300, "the the the", "No, no, no!", "A"])
def test_a_copy_of_anything_is_whole(scorer: Scorer, text: str) -> None:
    (found,) = score(scorer, text, text)
    assert found["meaning"] == 100


def test_evidence_gives_every_word_a_probability(scorer: Scorer) -> None:
    report = scorer.score([SOURCE], ["The committee approved the budget."], keep_items=True)
    shown = report.evidence(0)["output"]
    assert len(shown["source_words"]) == len(shown["source"])
    assert len(shown["output_words"]) == len(shown["output"])
    assert {scene["state"] for scene in shown["source_scenes"]} <= {"kept", "partly", "changed", "lost"}
    assert any("polarity" in reason for scene in shown["source_scenes"] for reason in scene["because"])


@pytest.mark.skipif(not data_path("ratings", "qats2016").exists(), reason="needs the public data (SEMA_DATA)")
def test_it_agrees_with_people(scorer: Scorer) -> None:
    from sema.datasets.ratings import qats

    pairs = qats("test")
    report = scorer.score([pair.source for pair in pairs], [pair.output for pair in pairs])
    found = [item.scores["meaning"] for item in report.systems[0].items]
    assert pearson([pair.rating for pair in pairs], found).value > 0.5
