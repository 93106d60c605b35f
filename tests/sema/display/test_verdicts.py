"""The verdict: one sentence that agrees with the marks and never with the score alone."""

from typing import Any

import pytest

from sema.display.pictures.items import view_item
from sema.display.pictures.verdicts import verdict_of
from sema.model.reading import band

SOURCE = ["the", "school", "closed", "for", "two", "days", "in", "March"]


def verdict(output: str, score: float, kept: list[float], supported: list[float], *reasons: str) -> str:
    """The sentence of an item with these probabilities, and these contradictions in its first Scene."""
    words = output.split()
    because = [{"kind": "number", "text": text} for text in reasons]
    evidence: dict[str, Any] = {
        "source": SOURCE,
        "sentences": [words],
        "scenes": [],
        "band": band(score),
        "source_words": kept,
        "output_words": supported,
        "source_weights": [0.1 if word in ("the", "for", "in") else 1.0 for word in SOURCE],
        "output_weights": [0.1 if word in ("the", "for", "in") else 1.0 for word in words],
        "source_scenes": [{"tokens": [1, 2], "state": "changed", "because": because}],
        "output_scenes": [{"tokens": [1], "state": "added", "because": because}],
    }
    return verdict_of(evidence, {"sema": 3.0, "meaning": score}, view_item(evidence)).sentence


@pytest.mark.parametrize(
    ("output", "score", "kept", "supported", "reasons", "sentence"),
    [
        ("the school shut for two days in March", 95, [0.9] * 8, [0.9] * 8, [], "Everything that matters is kept."),
        (
            "the school closed for six days in March", 40, [0.9] * 4 + [0.1] + [0.9] * 3, [0.3] * 8,
            ["'two' became 'six'"], "Most of it is kept; one fact is wrong: 'two' became 'six'.",
        ),
        (
            "the school closed for six weeks in March", 10, [0.2] * 8, [0.1] * 8,
            ["'two' became 'six'", "'days' became 'weeks'", "a third", "a fourth"],
            "4 facts are wrong: 'two' became 'six', 'days' became 'weeks', and 2 more.",
        ),
        (
            "the school closed", 80, [0.9] * 6 + [0.2] * 2, [0.9] * 3, [],
            "Nearly all of it is kept; lost: 'March'.",
        ),
        ("the school", 20, [0.9] * 2 + [0.2] * 6, [0.9] * 2, [], "Most of it is lost: 'closed for two days in March'."),
        (
            "the school burned down in March", 30, [0.9] * 8, [0.9, 0.9, 0.1, 0.1, 0.9, 0.9], [],
            "It says something that is not in the source: 'burned down'.",
        ),
        ("", 0, [0.1] * 8, [], [], "Nothing is left: the output is empty."),
        (" ".join(SOURCE), 100, [1.0] * 8, [1.0] * 8, [], "Nothing is changed: the output is a copy."),
    ],
)  # fmt: skip
def test_the_verdict_says_what_became_of_the_source(
    output: str, score: float, kept: list[float], supported: list[float], reasons: list[str], sentence: str
) -> None:
    assert verdict(output, score, kept, supported, *reasons) == sentence


def test_a_long_phrase_is_cut_between_words() -> None:
    words = [f"word{number}" for number in range(30)]
    evidence = {
        "source": words, "sentences": [["word0", "new"]], "scenes": [], "band": band(10),
        "source_words": [0.9] + [0.1] * 29, "output_words": [0.9, 0.9],
    }  # fmt: skip
    verdict = verdict_of(evidence, {}, view_item(evidence))
    assert verdict.sentence.endswith(" word9…'.") and verdict.metric == "" and verdict.tone == "bad"


def test_without_a_reader_the_scenes_are_counted() -> None:
    center = {"tokens": [1], "links": [[1, 1, "exact"]]}
    scene = {"sentence": 0, "main_relation": [center], "participants": []}
    evidence = {"source": SOURCE, "sentences": [["the", "school"]], "scenes": [scene], "links": [[[1, 1, "exact"]]]}
    shown = verdict_of(evidence, {"sema": 75.0}, view_item(evidence))
    assert shown.sentence == "1 of 1 Scene kept whole; 7 words lost, 1 word added."
    assert (shown.tone, shown.metric, shown.score) == ("good", "sema", 75.0)
