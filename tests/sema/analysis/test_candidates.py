"""Long passages: the sentences worth aligning are found by their words, and the scores are those of all pairs."""

from __future__ import annotations

import random

import pytest

from sema import Scorer
from sema.analysis import candidates
from sema.analysis.candidates import KEPT, candidate_pairs
from tests.esperanto import esperanto

STEMS = [f"{first}{middle}{last}" for first in "bdfgklmnpr" for middle in ("ad", "er", "il", "on") for last in "bdgmv"]


def passage(sentences: int, seed: int) -> tuple[list[list[str]], list[list[str]]]:
    """A source, and an output that splits each sentence in two, drops some words and inflects others."""
    rng = random.Random(seed)
    source, output = [], []
    for _ in range(sentences):
        first, second, verb, place = rng.choices(STEMS, k=4)
        source.append(["La", f"{first}o", f"{verb}as", "la", f"{second}on", "en", "la", f"{place}o", "."])
        output.append(["La", f"{first}o", f"{verb}is", f"{second}on", "."])
        output.append(["La", f"{first}o", f"{verb}is", "en", f"{place}oj", "."])
    return source, output


def test_few_sentences_are_aligned_each_with_each() -> None:
    source, output = passage(25, 0)
    assert candidate_pairs(source, output) is None


def test_of_many_the_partners_are_found_and_their_number_is_bounded() -> None:
    source, output = passage(400, 1)
    found = candidate_pairs(source, output)
    assert found is not None
    assert all(index // 2 in partners for index, partners in enumerate(found))
    assert sum(map(len, found)) <= KEPT * (len(source) + len(output))


def test_the_scores_are_those_of_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    source, output = passage(80, 2)
    texts = [" ".join(" ".join(words) for words in side) for side in (source, output)]

    def score() -> dict[str, float]:
        scorer = Scorer(esperanto(), ["sema", "sema_base"], level="passage")
        return scorer.score([texts[0]], [texts[1]]).systems[0].scores

    found = score()
    monkeypatch.setattr(candidates, "ALL_PAIRS", 10**9)
    assert found == score()
