"""Figures: names in any letters, scatter plots of scores against ratings, meaning against level, intervals."""

import warnings
from pathlib import Path
from typing import Any

import pytest

from sema.display.reports import figures
from sema.display.reports.figures import intervals_figure, trade_figure, write_figure
from sema.errors import SemaWarning
from sema.evaluation.significance import Estimate

pytest.importorskip("matplotlib", reason="figures need matplotlib (the extra `report`)")

CHINESE = "简化一"
NAN = float("nan")


def names_figure(*names: str) -> Any:
    return intervals_figure({name: {"score": Estimate(50, 40, 60)} for name in names}, ["score"])


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_letters_without_a_font_are_warned_of_in_one_line(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(figures, "EAST_ASIAN", ("no such font",))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        write_figure(names_figure(CHINESE, "ŝanĝo"), str(tmp_path / f"figure{suffix}"))
    ((category, said),) = {(warning.category, str(warning.message)) for warning in caught}
    assert category is SemaWarning
    assert said.startswith("no installed font has 一化简,") and "\n" not in said and "site-packages" not in said


def test_easier_systems_stand_to_the_left_and_faithful_ones_above() -> None:
    both = {
        name: {"cefr": Estimate(level, NAN, NAN), "meaning": Estimate(meaning, NAN, NAN)}
        for name, level, meaning in (("easy", 2.0, 50.0), ("unknown", 3.0, NAN), ("faithful", 4.0, 90.0))
    }
    parts = intervals_figure(both, ["cefr", "meaning"]).subfigs
    for figure in (trade_figure(both, "cefr"), parts[1]):
        (axes,) = figure.axes
        points = [(float(line.get_xdata()[0]), float(line.get_ydata()[0])) for line in axes.get_lines()]
        assert points == [(2, 50), (4, 90)]
        assert [text.get_text() for text in axes.texts] == ["1", "1 easy", "3", "3 faithful"]


def test_no_axis_leaves_its_range() -> None:
    best = {"a": {"sema": Estimate(100, 92, 100), "cefr": Estimate(1, 1, 1.4), "meaning": Estimate(100, 99, 100)}}
    ranges = {"sema": (0.0, 100.0), "cefr": (1.0, 6.0), "meaning": (0.0, 100.0)}
    axes = {one.get_title("left"): one for one in intervals_figure(best, [*ranges], ranges).get_axes()}
    trade = axes[min(axes)]
    assert axes["sema"].get_xlim()[1] == 100 and axes["cefr"].get_xlim()[0] == 1
    assert trade.get_ylim()[1] == 100 and trade.get_xlim()[0] == 1
