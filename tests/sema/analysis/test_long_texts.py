"""Only what scores need is parsed, and for evidence what it shows; sentences of long texts are paired by rare words."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from sema import Scorer
from sema.analysis import pairs
from sema.errors import InputError
from sema.model.scene_graph import SceneGraph
from tests.esperanto import Extractor, esperanto

SOURCE, OUTPUT = "La kato dormas. Mi vidas la katon. Li iras.", "La kato dormas. Li iras."


class Counting(Extractor):
    """An extractor that counts sentences, and has no graph of some."""

    def __init__(self) -> None:
        self.parsed = 0

    def extract(self, sentences: Iterable[Sequence[str]]) -> list[SceneGraph]:
        given = list(sentences)
        self.parsed += len(given)
        if any("Li" in words for words in given):
            raise InputError("it has no tree")
        return [self.graph(words) for words in given]


@pytest.fixture
def scorer() -> Scorer:
    return Scorer(esperanto(), ["meaning"], extractor=Counting(), level="passage")


def scored(scorer: Scorer, *texts: str, **options: Any) -> tuple[float, Any, int]:
    """The score, the item if it is kept, and how many sentences were parsed."""
    found = scorer.score(*([text] for text in texts), collect_errors=True, **options).systems[0].items[0]
    extractor = scorer.engine.parts.extractor
    assert isinstance(extractor, Counting)
    return found.scores.get("meaning", -1), found.item, extractor.parsed


def test_texts_are_parsed_for_their_evidence_alone(scorer: Scorer) -> None:
    source, output = "La kato dormas. Mi vidas la katon.", "La kato dormas."
    score, item, parsed = scored(scorer, source, output, keep_items=False)
    assert (item, parsed) == (None, 0)
    again, item, parsed = scored(scorer, source, output, keep_items=True)
    assert (again, len(item.graphs), len(item.output_graphs), parsed > 0) == (score, 2, 1, True)


def test_what_only_evidence_reads_may_fail_to_parse_or_be_broken(scorer: Scorer) -> None:
    score, _, _ = scored(scorer, SOURCE, OUTPUT, keep_items=False)
    again, item, _ = scored(scorer, SOURCE, OUTPUT, keep_items=True)
    assert again == score > 0 and (item.graphs, item.output_graphs) == ((), ())
    broken = [InputError("this file is no tree")]
    again, item, _ = scored(scorer, SOURCE, OUTPUT, keep_items=True, scenes=broken)
    assert again == score and item.graphs == ()


def test_a_language_without_an_extractor_is_not_parsed() -> None:
    language = replace(esperanto(), extractors={})
    found = Scorer(language, ["meaning"]).score([SOURCE], [OUTPUT], keep_items=True).systems[0].items[0]
    assert found.scores["meaning"] > 0 and found.item is not None and found.item.graphs == ()


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


def test_the_scores_are_those_of_all_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    source, output = (" ".join(" ".join(words) for words in side) for side in passage(80, 2))

    def score() -> dict[str, float]:
        scorer = Scorer(esperanto(), ["sema", "sema_base"], level="passage")
        return scorer.score([source], [output]).systems[0].scores

    first = score()
    monkeypatch.setattr(pairs, "ALL_PAIRS", 10**9)
    assert first == score()
