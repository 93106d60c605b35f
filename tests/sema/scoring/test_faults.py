"""One bad item costs only itself, whatever part of the language it breaks; threads share a scorer."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sema import InputError, Scorer
from sema.errors import ResourceError, SemaWarning
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema.runtime.caching import BUDGET
from tests.esperanto import Extractor, Segmenter, WordCount, esperanto

GOOD, BAD = "La kato dormas.", "Jen malbona vorto."


class Fragile(Segmenter):
    """Fails on a word as a parser written in a hurry does."""

    def split(self, text: str) -> Text:
        if "malbona" in text:
            raise RecursionError("maximum recursion depth exceeded\nin comparison")
        return super().split(text)


class FragileExtractor(Extractor):
    def graph(self, words: Sequence[str]) -> SceneGraph:
        if "malbona" in words:
            raise RecursionError("maximum recursion depth exceeded")
        return super().graph(words)


@pytest.mark.parametrize(
    ("changes", "fine"),
    [
        ({"segmenter": Fragile}, [True, False, False, True]),
        ({"extractors": {"fragile": FragileExtractor}}, [True, False, True, True]),  # Scenes of the sources alone
    ],
    ids=["segmenter", "extractor"],
)
def test_a_part_that_fails_on_a_text_costs_no_other_item_its_scores(changes: dict[str, Any], fine: list[bool]) -> None:
    scorer = Scorer(replace(esperanto(), **changes), ["sema", WordCount()])
    given = [GOOD, BAD, GOOD, GOOD], {"a": [GOOD] * 4, "b": [GOOD, GOOD, BAD, GOOD]}
    report = scorer.score(*given, collect_errors=True)
    assert [item.error is None for item in report["a"].items] == [True, False, True, True]
    assert [item.error is None for item in report["b"].items] == fine
    assert report["a"]["sema"] == 100
    for system in report:
        error = system.items[1].error or ""
        assert "cannot be analysed (maximum recursion depth exceeded" in error and "\n" not in error
    with pytest.raises(InputError, match="cannot be analysed") as caught:
        scorer.score(*given)
    assert isinstance(caught.value.__cause__, RecursionError)


def test_a_missing_model_is_no_item_s_fault() -> None:
    class Missing(Segmenter):
        def segment(self, texts: Sequence[str]) -> list[Text]:
            raise ResourceError("the model is missing; reinstall it")

    with pytest.raises(ResourceError, match="the model is missing"):
        Scorer(replace(esperanto(), segmenter=Missing), [WordCount()]).score([GOOD], [GOOD], collect_errors=True)


MISSING = [None, "NA", float("nan")]
"""Values that stand for none; the second for that of pandas."""


def with_second(value: object, place: int) -> list[Any]:
    """Two sources, outputs and lists of references, with a value in place of one's second."""
    columns: list[Any] = [[GOOD, GOOD], [GOOD, GOOD], [[GOOD], [GOOD]]]
    columns[place][1] = pytest.importorskip("pandas").NA if value == "NA" else value
    return columns


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        *((place, 5, "(the|a) .*an int and no text") for place in (0, 1, 2)),
        *((0, value, "the source is missing") for value in MISSING),
        *((2, value, "bleu needs a reference") for value in MISSING),
        (2, ["vi \ud800"], "the reference holds half of a surrogate pair"),
    ],
)
def test_a_missing_or_impossible_text_names_its_item(place: int, value: object, message: str) -> None:
    columns, scorer = with_second(value, place), Scorer(esperanto(), ["bleu"])
    with pytest.raises(InputError, match=f"^item 1: {message}"):
        scorer.score(*columns)
    report = scorer.score(*columns, collect_errors=True)
    assert [item.error is None for item in report.systems[0].items] == [True, False]


@pytest.mark.parametrize("missing", MISSING)
def test_a_missing_output_is_left_out_counted_and_reported(missing: object, tmp_path: Path) -> None:
    columns, scorer = with_second(missing, 1), Scorer(esperanto(), ["bleu"])
    alone = scorer.score([GOOD], [GOOD], [[GOOD]]).systems[0].scores
    for save in (None, tmp_path / "run"):
        with pytest.warns(SemaWarning, match="missing: 1 of 2 outputs of 'output'; their items are left out"):
            report = scorer.score(*columns, save=save)
        assert report.systems[0].scores == alone
        (failure,) = report.summary.failed
        assert (failure.item, "the output is missing" in failure.error) == (1, True)


def test_a_missing_reference_among_others_is_left_out() -> None:
    scorer = Scorer(esperanto(), ["sari"])
    both = scorer.score([GOOD], ["Mi."], [["Vi.", None]]).systems[0].scores
    assert both == scorer.score([GOOD], ["Mi."], [["Vi."]]).systems[0].scores


def test_eight_threads_share_a_scorer_whose_caches_are_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BUDGET, "limit", 20_000)
    scorer = Scorer(esperanto(), ["sema", WordCount()])

    def score(seed: int) -> list[float]:
        texts = [f"La kato{(seed * 7 + number) % 40}o dormas." for number in range(40)]
        report = scorer.score(texts, texts)
        return [item.scores["sema"] for item in report.systems[0].items]

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(score, range(16))) == [[100.0] * 40] * 16
