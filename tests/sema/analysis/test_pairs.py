"""Long passages: sentences are paired by their rare words, with the scores of all pairs."""

import random

import pytest

from sema import Scorer
from sema.analysis import analyser
from sema.analysis.pairs import ALL_PAIRS, KEPT, candidate_pairs
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


def test_few_sentences_are_aligned_each_with_each_and_of_many_the_partners_are_found() -> None:
    assert candidate_pairs(*passage(25, 0), ALL_PAIRS, KEPT) == [range(25)] * 50
    source, output = passage(400, 1)
    candidates = candidate_pairs(source, output, ALL_PAIRS, KEPT)
    assert all(index // 2 in partners for index, partners in enumerate(candidates))
    assert sum(map(len, candidates)) <= KEPT * (len(source) + len(output)), "their number is bounded"


def test_the_scores_are_those_of_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    source, output = (" ".join(" ".join(words) for words in side) for side in passage(80, 2))

    def score() -> dict[str, float]:
        scorer = Scorer(esperanto(), ["sema", "sema_base"], level="passage")
        return scorer.score([source], [output]).systems[0].scores

    first = score()
    monkeypatch.setattr(analyser, "ALL_PAIRS", 10**9)
    assert first == score()






