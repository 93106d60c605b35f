"""Rated pairs that judges learn from."""

from __future__ import annotations

import pytest

from sema.judges.examples import RatedPair
from training.data import rated_aspects


def test_where_nobody_rated_the_quality_the_mean_aspect_stands_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = {"fluency": 0.2, "meaning": 0.5, "simplicity": 0.8, "overall": 0.9}

    def rated(aspect: str) -> list[RatedPair]:
        return [RatedPair("a", "b", ratings[aspect], "QATS train")]

    def aspects(aspect: str) -> list[RatedPair]:
        whole = [RatedPair("c", "d", ratings[aspect], "QuestEval")]
        return whole if aspect == "fluency" else [*whole, RatedPair("e", "f", ratings[aspect], "QuestEval")]

    monkeypatch.setattr(rated_aspects, "TRAINED", {"QATS train": rated, "QuestEval": aspects})
    assert rated_aspects.training_sets("overall") == [
        RatedPair("a", "b", 0.9, "QATS train"),
        RatedPair("c", "d", 0.5, "QuestEval"),
    ], "a pair without a rating of its fluency has no mean"
    assert len(rated_aspects.training_sets("simplicity")) == 3
