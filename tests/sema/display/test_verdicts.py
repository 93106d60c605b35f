"""The verdict: one sentence that agrees with the marks and never with the score alone."""

from typing import Any

import pytest

from sema.display.pictures.items import view_item
from sema.display.pictures.verdicts import problems_of, verdict_of
from sema.model.meaning import verdict

SOURCE = ["the", "school", "closed", "for", "two", "days", "in", "March"]


def evidence(output: str, score: float, *findings: tuple[str, list[int], list[int], float]) -> dict[str, Any]:
    """The evidence of an item with these findings: kind, tokens of both sides, weight."""
    words = output.split()
    return {
        "source": SOURCE,
        "sentences": [words],
        "scenes": [],
        "verdict": verdict(score, [kind for kind, *_ in findings]),
        "findings": [
            {
                "kind": kind, "weight": weight, "source_tokens": old, "output_tokens": new,
                "source_text": " ".join(SOURCE[token] for token in old),
                "output_text": " ".join(words[token] for token in new),
            }
            for kind, old, new, weight in findings
        ],
        "source_words": [0.9] * len(SOURCE),
        "output_words": [0.9] * len(words),
    }  # fmt: skip


WRONG = ("wrong", [4], [4], 0.5)
LOST = ("missing", [6, 7], [], 0.1)


@pytest.mark.parametrize(
    ("output", "score", "findings", "sentence", "tone"),
    [
        ("the school shut for two days in March", 95, [], "Everything that matters is kept.", "good"),
        ("the school was shut", 80, [], "Reworded; no single loss found.", "partly"),
        ("the school closed for six days in March", 45, [WRONG],
         "1 problem: 1 wrong; the meaning is not preserved.", "bad"),
        ("the school closed for six days", 60, [WRONG, LOST], "2 problems: 1 wrong · 1 missing.", "bad"),
        ("the school closed for two days", 92, [LOST], "1 problem: 1 missing; small ones.", "partly"),
        ("", 0, [], "Nothing is left: the output is empty.", "bad"),
        (" ".join(SOURCE), 100, [], "Nothing is changed: the output is a copy.", "good"),
    ],
)  # fmt: skip
def test_the_verdict_says_what_was_found(
    output: str, score: float, findings: list[tuple[str, list[int], list[int], float]], sentence: str, tone: str
) -> None:
    given = evidence(output, score, *findings)
    shown = verdict_of(given, {"sema": 3.0, "meaning": score}, view_item(given))
    assert (shown.sentence, shown.tone, shown.metric) == (sentence, tone, "meaning")


def test_a_long_problem_is_cut_between_words() -> None:
    words = [f"word{number}" for number in range(30)]
    given = {"findings": [{
        "kind": "missing", "weight": 0.4, "source_tokens": [*range(30)], "output_tokens": [],
        "source_text": " ".join(words), "output_text": "",
    }]}  # fmt: skip
    (problem,) = problems_of(given)
    assert str(problem).endswith("word11…") and problem.points == 40


def test_without_a_reader_the_scenes_are_counted() -> None:
    center = {"tokens": [1], "links": [[1, 1, "exact"]]}
    scene = {"sentence": 0, "main_relation": [center], "participants": []}
    evidence = {"source": SOURCE, "sentences": [["the", "school"]], "scenes": [scene], "links": [[[1, 1, "exact"]]]}
    shown = verdict_of(evidence, {"sema": 75.0}, view_item(evidence))
    assert shown.sentence == "1 of 1 Scene kept whole; 7 words lost, 1 word added."
    assert (shown.tone, shown.metric, shown.score) == ("good", "sema", 75.0)
