"""Meaning against level: one point a system, in text and drawn."""

import pytest

from sema.display.reports.charts import intervals_figure
from sema.display.reports.trade import level_metric, trade_text
from sema.evaluation.significance import Estimate


def estimates(**systems: tuple[float, float]) -> dict[str, dict[str, Estimate]]:
    nan = float("nan")
    return {
        name: {"cefr": Estimate(level, nan, nan), "meaning": Estimate(meaning, nan, nan)}
        for name, (level, meaning) in systems.items()
    }


def test_there_is_a_picture_only_of_both() -> None:
    assert level_metric(["sari", "meaning", "cefr"]) == "cefr"
    assert level_metric(["cefr"]) is None and level_metric(["meaning"]) is None


def test_easier_systems_stand_to_the_left_and_faithful_ones_above() -> None:
    lines = trade_text(estimates(easy=(2.0, 50.0), faithful=(4.0, 90.0)), "cefr").splitlines()
    (easy,) = (number for number, line in enumerate(lines) if "|" in line and "A" in line)
    (faithful,) = (number for number, line in enumerate(lines) if "|" in line and "B" in line)
    assert faithful < easy
    assert lines[easy].index("A") < lines[faithful].index("B")
    assert lines[-2:] == ["A  easy: cefr 2.00, meaning 50.00", "B  faithful: cefr 4.00, meaning 90.00"]


def test_systems_without_a_level_are_not_shown() -> None:
    assert "empty" not in trade_text(estimates(ours=(2.0, 50.0), empty=(float("nan"), 0.0)), "cefr")
    assert trade_text(estimates(empty=(float("nan"), 0.0)), "cefr") == ""


def test_the_figure_names_every_system() -> None:
    pytest.importorskip("matplotlib")
    figure = intervals_figure(estimates(easy=(2.0, 50.0), faithful=(4.0, 90.0)), ["cefr", "meaning"])
    texts = [text.get_text() for part in figure.subfigs for axes in part.axes for text in axes.texts]
    assert sorted(texts) == ["easy", "faithful"]
