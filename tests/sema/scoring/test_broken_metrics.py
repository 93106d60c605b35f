"""A metric that fails, or returns no score, is named for the items it fails on; its exception stays the cause."""

import math
import pickle
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from sema import InputError, Item, MeanMetric, Metric, Scorer
from sema.errors import RemoteTraceback, ResourceError, SemaError, UnknownNameError
from tests.esperanto import esperanto

GOOD, BAD = "La kato dormas.", "Jen malbona vorto."
SOURCES, OUTPUTS = [GOOD] * 4, [GOOD, GOOD, BAD, GOOD]


class OwnError(Exception):
    """Not of the classes that code usually fails with; two arguments, so that it does not pickle by itself."""

    def __init__(self, what: str, where: str) -> None:
        super().__init__(f"{what} in {where}")


class Plugged(MeanMetric):
    """Gives ``value()`` for bad outputs and 50 for others."""

    name = "plugged"

    def __init__(self, value: Callable[[], float]) -> None:
        self._value = value

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [self._value() if "malbona" in item.output.words else 50.0 for item in items]


def fails() -> float:
    raise OwnError("a bug", "my metric")


class Shorter(Plugged):
    """Leaves bad outputs out of its scores."""

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [50.0 for item in items if "malbona" not in item.output.words]


class Ragged(Metric):
    """Its rows have other lengths for bad outputs, and its value takes any."""

    name = "ragged"

    def rows(self, items: Sequence[Item]) -> Sequence[tuple[float, ...]]:
        return [(50.0,) if "malbona" in item.output.words else (50.0, 1.0) for item in items]

    def value(self, row: tuple[float, ...]) -> float:
        return row[0] / (*row, 1.0)[1]


class UndefinedValue(Ragged):
    """Finite rows, and a value that is no number."""

    def rows(self, items: Sequence[Item]) -> Sequence[tuple[float, ...]]:
        return [(0.0 if "malbona" in item.output.words else 50.0, 1.0) for item in items]

    def value(self, row: tuple[float, ...]) -> float:
        return row[0] / row[1] if row[0] else math.nan


CASES = [
    (Plugged(lambda: math.nan), "it returns nan, which is not a number"),
    (Plugged(lambda: math.inf), "it returns inf, which is not a number"),
    (Plugged(lambda: -math.inf), "it returns -inf, which is not a number"),
    (Plugged(lambda: None), "NoneType"),  # type: ignore[arg-type,return-value]
    (Plugged(fails), "a bug in my metric"),
    (Plugged(lambda: "1"), "it returns '1', which is not a number"),  # type: ignore[arg-type,return-value]
    (Ragged(), "it returns 1 numbers for this item and 2 for others"),
    (UndefinedValue(), "it returns nan, which is not a number"),
]
IDS = ["nan", "infinity", "minus infinity", "none", "exception", "text", "ragged", "undefined value"]


@pytest.mark.parametrize("keep_items", [True, False])
@pytest.mark.parametrize(("metric", "said"), CASES, ids=IDS)
def test_a_broken_metric_costs_its_own_cell_alone_and_is_named(metric: Metric, said: str, keep_items: bool) -> None:
    scorer = Scorer(esperanto(), [metric, "sema"])
    report = scorer.score(SOURCES, OUTPUTS, collect_errors=True, keep_items=keep_items)
    (system,) = report.systems
    assert [item.error is None for item in system.items] == [True, True, False, True]
    assert f"{metric.name} cannot score this item (" in (system.items[2].error or "")
    assert said in (system.items[2].error or "")
    assert system.scores == {metric.name: 50.0, "sema": 75.0}  # the bad output keeps nothing
    assert math.isnan(system.items[2].scores[metric.name]) and system.items[2].scores["sema"] == 0.0
    (failed,) = report.to_dict()["failed"]
    assert (failed["system"], failed["item"], failed["metric"]) == ("output", 2, metric.name)
    with pytest.raises(InputError, match=metric.name):
        scorer.score(SOURCES, OUTPUTS, keep_items=keep_items)


def test_fewer_scores_than_items_are_refused_however_items_are_grouped() -> None:
    with pytest.raises(ResourceError, match="plugged returns 3 rows for 4 items"):
        Scorer(esperanto(), [Shorter(fails), "sema"]).score(SOURCES, OUTPUTS, collect_errors=True)


@pytest.mark.parametrize(("metric", "said"), CASES, ids=IDS)
def test_a_saved_run_holds_the_same(metric: Metric, said: str, tmp_path: Path) -> None:
    run = Scorer(esperanto(), [metric]).write(tmp_path / "run", SOURCES, {"output": OUTPUTS})
    report = run.report([metric])
    assert report.systems[0].scores == {metric.name: 50.0}
    assert [item.index for _, item in report.failed] == [2]
    assert said in (report.failed[0][1].error or "")


def test_the_exception_is_the_cause_with_its_traceback() -> None:
    scorer = Scorer(esperanto(), [Plugged(fails)])
    with pytest.raises(InputError) as caught:
        scorer.score(SOURCES, OUTPUTS)
    assert isinstance(caught.value.__cause__, OwnError)
    shown = "".join(traceback.format_exception(caught.value))
    assert "in fails" in shown and "OwnError: a bug in my metric" in shown


def test_a_language_that_fails_is_the_cause_too() -> None:
    from dataclasses import replace

    from tests.esperanto import Segmenter

    class Fragile(Segmenter):  # type: ignore[misc]
        def split(self, text: str) -> object:
            raise OwnError("a bug", "my segmenter")

    with pytest.raises(InputError, match="cannot be analysed") as caught:
        Scorer(replace(esperanto(), segmenter=Fragile), ["compression"]).score([GOOD], [GOOD])
    assert isinstance(caught.value.__cause__, OwnError)


def test_worker_processes_pass_the_cause_on() -> None:
    scorer = Scorer(esperanto(), [Plugged(fails)], workers=2)
    with pytest.raises(InputError) as caught:
        scorer.score(SOURCES, OUTPUTS)
    assert "OwnError: a bug in my metric" in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("cause", [ValueError("plain"), OwnError("a bug", "mine"), None])
def test_errors_pickle_with_their_cause(cause: Exception | None) -> None:
    for error in (InputError("wrong", file="a.txt", line=3), UnknownNameError("metric", "semaa", ["sema"])):
        error.__cause__ = cause
        copied: SemaError = pickle.loads(pickle.dumps(error))
        assert (type(copied), str(copied)) == (type(error), str(error))
        if cause is None:
            assert copied.__cause__ is None
        elif isinstance(cause, OwnError):
            assert isinstance(copied.__cause__, RemoteTraceback) and "a bug in mine" in str(copied.__cause__)
        else:
            assert isinstance(copied.__cause__, ValueError) and isinstance(copied.__cause__.__cause__, RemoteTraceback)
