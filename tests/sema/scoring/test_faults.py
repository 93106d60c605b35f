"""One bad item costs only itself, whatever part of the language or metric it breaks; threads share a scorer."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sema import InputError, Item, MeanMetric, Scorer
from sema.errors import ResourceError, SemaWarning
from sema.files.texts import open_column
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema.runtime.caching import BUDGET
from tests.esperanto import Extractor, Segmenter, WordCount, esperanto

GOOD, BAD = "La kato dormas.", "Jen malbona vorto."


class Fragile(Segmenter):
    """Fails on a word as a parser written in a hurry does."""

    def __init__(self) -> None:
        self.failing: BaseException = RecursionError("maximum recursion depth exceeded\nin comparison")

    def split(self, text: str) -> Text:
        if "malbona" in text:
            raise self.failing
        return super().split(text)


def deep(words: Sequence[str]) -> SceneGraph:
    raise RecursionError("maximum recursion depth exceeded") if "malbona" in words else AssertionError


class FragileExtractor(Extractor):
    def graph(self, words: Sequence[str]) -> SceneGraph:
        return deep(words) if "malbona" in words else super().graph(words)


@pytest.mark.parametrize(
    "changes", [{"segmenter": Fragile}, {"extractors": {"fragile": FragileExtractor}}], ids=["segmenter", "extractor"]
)
def test_a_part_that_fails_on_an_item_costs_no_other_item_its_scores(changes: dict[str, Any]) -> None:
    scorer = Scorer(replace(esperanto(), **changes), ["sema", WordCount()])
    sources = [GOOD, BAD, GOOD, GOOD]
    report = scorer.score(sources, {"a": [GOOD] * 4, "b": [GOOD] * 4}, collect_errors=True)
    for system in report.systems:
        assert [item.error is None for item in system.items] == [True, False, True, True]
        error = system.items[1].error or ""
        assert "cannot be analysed (maximum recursion depth exceeded" in error and "\n" not in error
        assert system.scores["sema"] == 100


def test_one_systems_bad_output_does_not_affect_other_systems() -> None:
    scorer = Scorer(replace(esperanto(), segmenter=Fragile), [WordCount()])
    report = scorer.score([GOOD, GOOD], {"a": [GOOD, BAD], "b": [GOOD, GOOD]}, collect_errors=True)
    assert [[item.error is None for item in system.items] for system in report.systems] == [[True, False], [True, True]]


def test_a_missing_model_is_no_item_s_fault() -> None:
    class Missing(Segmenter):
        def segment(self, texts: Sequence[str]) -> list[Text]:
            raise ResourceError("the model is missing; reinstall it")

    with pytest.raises(ResourceError, match="the model is missing"):
        Scorer(replace(esperanto(), segmenter=Missing), [WordCount()]).score([GOOD], [GOOD], collect_errors=True)


class Exploding(MeanMetric):
    name = "exploding"
    description = "overflows, as a sigmoid of a thousand syllables does"

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [float(len(item.output.words)) for item in items]

    def item_value(self, row: tuple[float, ...]) -> float:
        return 10.0 ** (100 * row[0])  # OverflowError from four words on


class Infinite(Exploding):
    def item_value(self, row: tuple[float, ...]) -> float:
        return float("inf") if row[0] > 3 else row[0]


@pytest.mark.parametrize("metric", [Exploding(), Infinite()], ids=["overflow", "infinite"])
def test_an_overflow_in_a_score_costs_its_item_alone(metric: Exploding) -> None:
    report = Scorer(esperanto(), [metric]).score([GOOD] * 3, ["Mi.", GOOD, "Mi."], collect_errors=True)
    assert [item.error is None for item in report.systems[0].items] == [True, False, True]
    assert "exploding cannot score this item" in (report.systems[0].items[1].error or "")


def test_a_reference_that_is_no_text_is_named() -> None:
    with pytest.raises(InputError, match=r"item 1: the reference holds half of a surrogate pair"):
        Scorer(esperanto(), ["bleu"]).score([GOOD] * 2, [GOOD] * 2, [[GOOD], ["vi \ud800"]])


MISSING = [None, "NA", float("nan")]
"""Values that stand for none; the second for that of pandas."""


def with_second(value: object, place: int) -> list[Any]:
    """Two sources, outputs and lists of references, with a value in place of one's second."""
    columns: list[Any] = [[GOOD, GOOD], [GOOD, GOOD], [[GOOD], [GOOD]]]
    columns[place][1] = pytest.importorskip("pandas").NA if value == "NA" else value
    return columns


@pytest.mark.parametrize(("place", "message"), [(0, "the source is missing"), (2, "bleu needs a reference")])
@pytest.mark.parametrize("missing", MISSING)
def test_a_missing_source_or_reference_names_its_item(place: int, message: str, missing: object) -> None:
    columns, scorer = with_second(missing, place), Scorer(esperanto(), ["bleu"])
    with pytest.raises(InputError, match=f"^item 1: {message}"):
        scorer.score(*columns)
    report = scorer.score(*columns, collect_errors=True)
    assert [item.error is None for item in report.systems[0].items] == [True, False]


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_number_in_place_of_a_text_names_its_item(place: int) -> None:
    with pytest.raises(InputError, match=r"^item 1: (the|a) .*an int and no text"):
        Scorer(esperanto(), ["bleu"]).score(*with_second(5, place))


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


def test_missing_texts_of_a_file_that_is_read_lazily_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(f"source,output,reference\n{GOOD},{GOOD},{GOOD}\n{GOOD},,\n", encoding="utf-8")
    columns = [open_column(str(tmp_path / "x.csv"), role).values for role in ("source", "output", "reference")]
    for save in (None, tmp_path / "run"):
        with pytest.warns(SemaWarning, match="missing: 1 of 2 outputs"):
            report = Scorer(esperanto(), ["sema"]).score(*columns, save=save)
        assert [failure.item for failure in report.summary.failed] == [1]


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
