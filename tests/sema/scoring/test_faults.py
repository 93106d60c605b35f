"""One bad item costs only itself, whatever part of the language or metric it breaks; the exception is the cause."""

import math
import pickle
import traceback
import warnings
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sema import InputError, Item, MeanMetric, Metric, Run, Scorer
from sema.errors import RemoteTraceback, ResourceError, SemaError, SemaWarning
from sema.model.item import Need
from sema.model.links import Link, LinkKind, Pair
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema.runtime.caching import BUDGET
from tests.esperanto import Extractor, Segmenter, WordCount, esperanto

GOOD, BAD = "La kato dormas.", "Jen malbona vorto."


class Fragile(Segmenter):
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
    none = scorer.score([""], [GOOD], collect_errors=True).to_dict()
    assert none["systems"][0]["scores"]["sema"] is None and "empty" in none["failed"][0]["error"]


class Linking:
    """An aligner of a plug-in that gives ``links`` for every pair, or for the first alone."""

    signature = "linking"

    def __init__(self, *links: Any, first: bool = False) -> None:
        self._links, self._first = list(links), first

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        return [self._links for _ in (pairs[:1] if self._first else pairs)]


class Unsure(Linking):
    """An aligner that gives the probabilities of other sentences."""

    def probabilities(self, pairs: Sequence[Pair]) -> list[Any]:
        return [np.zeros((99, 1), np.float32) for _ in pairs]


class Parsing(Extractor):
    """An extractor of a plug-in that gives ``made`` for every sentence."""

    def __init__(self, made: Any) -> None:
        self._made = made

    def extract(self, sentences: Iterable[Sequence[str]]) -> list[SceneGraph]:
        return [self._made for _ in sentences]


EXACT = LinkKind.EXACT


@pytest.mark.parametrize(
    ("part", "metric", "said"),
    [
        ({"aligner": Linking(Link(0, 99, EXACT))}, "sema", "links 0 and 99 of 4 source tokens and 4 output tokens"),
        ({"aligner": Linking(Link(-1, 0, EXACT))}, "deletions", "links -1 and 0 of"),
        ({"aligner": Linking((0, 0, "exact"))}, "sema", "is not a sema.Link"),
        ({"aligner": Linking(Link(0, 0, "exact"))}, "sema", "is not a sema.Link with a sema.LinkKind"),  # type: ignore
        ({"aligner": Linking(first=True)}, "sema", "the aligner linking returns 1 result for 2 pairs of sentences"),
        ({"aligner": Unsure()}, "deletions", r"probabilities of shape \(99, 1\) for 4 source and 4 output tokens"),
        ({"aligner": Linking}, "sema", "the aligner is a class; give its name, or an object with"),
        ({"aligner": 3}, "sema", "the aligner is an int without 'signature'"),
        ({"extractor": object()}, "sema", "the extractor is an object without 'signature'"),
        ({"extractor": Parsing(None)}, "sema", "in place of a sema.SceneGraph"),
        ({"extractor": Parsing(SceneGraph(["La", "kato"]))}, "sema", "a graph of 2 tokens for a sentence of 4"),
    ],
)
def test_what_a_part_gives_must_fit_the_texts(part: dict[str, Any], metric: str, said: str) -> None:
    with pytest.raises(SemaError, match=said):
        Scorer(esperanto(), [metric], **part).score([GOOD], [f"{GOOD} Li iras."])


def test_a_missing_model_is_no_item_s_fault() -> None:
    class Missing(Segmenter):
        def segment(self, texts: Sequence[str]) -> list[Text]:
            raise ResourceError("the model is missing; reinstall it")

    with pytest.raises(ResourceError, match="the model is missing"):
        Scorer(replace(esperanto(), segmenter=Missing), [WordCount()]).score([GOOD], [GOOD], collect_errors=True)


def test_an_extractor_that_cannot_be_made_costs_no_score_that_needs_no_scenes() -> None:
    class Missing(Extractor):
        def __init__(self) -> None:
            raise ResourceError("the model is missing; reinstall it")

    language = replace(esperanto(), extractors={"endings": Missing})
    item = Scorer(language, ["meaning"]).score([GOOD], [GOOD]).systems[0].items[0]
    assert item.scores == {"meaning": 100} and not item.errors


MISSING = [None, "NA", float("nan")]
"""Values that stand for none; the second for that of pandas."""


def with_second(value: object, place: int) -> list[Any]:
    """Two sources, outputs and lists of references; the value replaces the second of one column."""
    columns: list[Any] = [[GOOD, GOOD], [GOOD, GOOD], [[GOOD], [GOOD]]]
    columns[place][1] = pytest.importorskip("pandas").NA if value == "NA" else value
    return columns


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        *((place, 5, "(the|a) .* is an int; give") for place in (0, 1, 2)),
        (2, [5], "the reference is an int; give"),
        *((0, value, "the source is missing") for value in MISSING),
        *((2, value, "bleu needs a reference") for value in MISSING),
        (2, ["vi \ud800"], "the reference holds half of a surrogate pair"),
    ],
)
def test_a_missing_or_impossible_text_names_its_item(place: int, value: object, message: str, tmp_path: Path) -> None:
    columns, scorer = with_second(value, place), Scorer(esperanto(), ["bleu"])
    with pytest.raises(InputError, match=f"^item 1: {message}"):
        scorer.score(*columns)
    for save in (None, tmp_path / "run"):
        report = scorer.score(*columns, collect_errors=True, save=save)
        assert [item.error is None for item in report.systems[0].items] == [True, False]


class Aimed(WordCount):
    name = "aimed"
    requires = frozenset({Need.TARGET})


@pytest.mark.parametrize(
    ("given", "costs", "message"),
    [
        ({"references": [[GOOD], ["\0"]]}, {"bleu"}, "the reference holds a NUL byte"),
        ({"references": [[GOOD], 5]}, {"bleu"}, "the reference is an int; give"),
        ({"targets": ["A2", "n/a"]}, {"aimed"}, "the target 'n/a' is not a level"),
        ({"links": [[(0, 0)], [(99, 0)]]}, set(), ""),
        ({"links": [[(0, 0)], None]}, set(), ""),
    ],
)
def test_invalid_input_costs_only_the_metrics_that_need_it(
    given: dict[str, Any], costs: set[str], message: str, tmp_path: Path
) -> None:
    columns = {"references": [[GOOD]] * 2, "targets": ["A2"] * 2, **given}
    scorer = Scorer(esperanto(), ["bleu", Aimed(), WordCount()])
    for save in (None, tmp_path / "run"):
        failed = scorer.score([GOOD] * 2, [GOOD] * 2, **columns, collect_errors=True, save=save).summary.failed
        assert {failure.metric for failure in failed} == costs
        assert all(failure.error.startswith(f"item 1: {message}") for failure in failed)


@pytest.mark.parametrize("missing", MISSING)
def test_a_missing_output_is_left_out_counted_and_reported(missing: object, tmp_path: Path) -> None:
    scorer = Scorer(esperanto(), ["bleu"])
    alone = scorer.score([GOOD], [GOOD], [[GOOD]]).systems[0].scores
    for save in (None, tmp_path / "run"):
        with pytest.warns(SemaWarning, match="missing: 1 of 2 outputs of 'output'; their items are left out"):
            report = scorer.score(*with_second(missing, 1), save=save)
        assert report.systems[0].scores == alone
        (failure,) = report.summary.failed
        assert failure.item == 1 and "the output is missing" in failure.error


def test_threads_share_a_scorer_whose_caches_are_too_small_and_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BUDGET, "limit", 20_000)
    scorer = Scorer(esperanto(), ["sema", WordCount()])

    def score(seed: int) -> list[float]:
        texts = [f"La kato{(seed * 7 + number) % 40}o dormas." for number in range(40)]
        report = scorer.score(texts, texts)
        BUDGET.empty()
        return [item.scores["sema"] for item in report.systems[0].items]

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(score, range(16))) == [[100.0] * 40] * 16
    assert BUDGET.used == 0


# Metrics that fail or return no score

SOURCES, OUTPUTS = [GOOD] * 4, [GOOD, GOOD, BAD, GOOD]


class OwnError(Exception):
    """Its two arguments keep it from being pickled by itself."""

    def __init__(self, what: str, where: str) -> None:
        super().__init__(f"{what} in {where}")


def fails() -> float:
    raise OwnError("a bug", "my metric")


class Plugged(MeanMetric):
    """Gives ``value()`` for bad outputs and 50 for others."""

    name = "plugged"

    def __init__(self, value: Callable[[], object]) -> None:
        self._value = value

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [self._value() if "malbona" in item.output.words else 50.0 for item in items]


class Beyond(Plugged):
    """Finite rows, and ``value()`` of those of bad outputs."""

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [400.0 if "malbona" in item.output.words else 50.0 for item in items]

    def item_value(self, row: tuple[float, ...]) -> float:
        return self._value() if row[0] > 50 else row[0]


class Ragged(Metric):
    """Its rows have other lengths for bad outputs, and its value takes any."""

    name = "ragged"

    def rows(self, items: Sequence[Item]) -> Sequence[tuple[float, ...]]:
        return [(50.0,) if "malbona" in item.output.words else (50.0, 1.0) for item in items]

    def value(self, row: tuple[float, ...]) -> float:
        return row[0] / (*row, 1.0)[1]


CASES = {
    "nan": (Plugged(lambda: math.nan), "it returns nan, which is not a number"),
    "infinity": (Plugged(lambda: math.inf), "it returns inf, which is not a number"),
    "none": (Plugged(lambda: None), "NoneType"),
    "exception": (Plugged(fails), "a bug in my metric"),
    "text": (Plugged(lambda: "1"), "it returns '1', which is not a number"),
    "ragged": (Ragged(), "it returns 1 numbers for this item and 2 for others"),
    "undefined value": (Beyond(lambda: math.nan), "it returns nan, which is not a number"),
    "overflow": (Beyond(lambda: 10.0**400), "out of range"),  # as a sigmoid of a thousand syllables is
}


@pytest.mark.parametrize("kept", ["items", "rows", "run"])
@pytest.mark.parametrize("case", CASES)
def test_a_broken_metric_costs_its_own_cell_alone_and_is_named(case: str, kept: str, tmp_path: Path) -> None:
    metric, said = CASES[case]
    scorer, save = Scorer(esperanto(), [metric, "sema"]), tmp_path / "run" if kept == "run" else None
    report = scorer.score(SOURCES, OUTPUTS, collect_errors=True, keep_items=kept == "items", save=save)
    (system,) = Run(save).report([metric]).systems if save else report.systems
    assert [item.error is None for item in system.items] == [True, True, False, True]
    assert f"{metric.name} cannot score this item (" in (system.items[2].error or "")
    assert said in (system.items[2].error or "")
    assert system.scores == {metric.name: 50.0, "sema": 75.0}  # the bad output keeps nothing
    assert math.isnan(system.items[2].scores[metric.name]) and system.items[2].scores["sema"] == 0.0
    (failed,) = report.to_dict()["failed"]
    assert (failed["system"], failed["item"], failed["metric"]) == ("output", 2, metric.name)
    with pytest.raises(InputError, match=metric.name):
        scorer.score(SOURCES, OUTPUTS, keep_items=kept == "items")


def test_fewer_scores_than_items_are_refused_however_items_are_grouped() -> None:
    class Shorter(Plugged):
        def scores(self, items: Sequence[Item]) -> Sequence[float]:
            return [50.0 for item in items if "malbona" not in item.output.words]

    with pytest.raises(ResourceError, match="plugged returns 3 rows for 4 items"):
        Scorer(esperanto(), [Shorter(fails), "sema"]).score(SOURCES, OUTPUTS, collect_errors=True)


@pytest.mark.parametrize(("workers", "cause"), [(1, OwnError), (2, RemoteTraceback)])
def test_the_exception_is_the_cause_with_its_traceback(workers: int, cause: type[Exception]) -> None:
    with pytest.raises(InputError) as caught:
        Scorer(esperanto(), [Plugged(fails)], workers=workers).score(SOURCES, OUTPUTS)
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        shown = "".join(traceback.format_exception(error))
        assert "in fails" in shown and "OwnError: a bug in my metric" in shown
    assert isinstance(caught.value.__cause__, cause)


@pytest.mark.parametrize(("limits", "told"), [((0.0, 2.0), 1), ((0.0, 3.0), 0)])
def test_the_first_score_outside_the_range_of_its_metric_is_named(limits: tuple[float, float], told: int) -> None:
    counts = WordCount()
    counts.range = limits
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        report = Scorer(esperanto(), [counts]).score(["La kato."] * 3, ["Kato.", "La kato.", "La kato."])
    shown = [str(warning.message) for warning in caught if issubclass(warning.category, SemaWarning)]
    assert [item.scores["words"] for item in report.systems[0].items] == [2, 3, 3], "the scores stay"
    assert len(shown) == told and all("item 1 has words 3.00: it is outside the range" in line for line in shown)
