"""Figures: names in any letters, scatter plots of scores against ratings, meaning against level, intervals."""

import os
import re
import sys
import tempfile
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema.display.reports import fonts
from sema.display.reports.charts import MOST_PANELS, Cloud, intervals_figure, regression_figure, regression_line
from sema.display.reports.figures import page_svg, write_figure
from sema.display.reports.levels import trade_text
from sema.errors import SemaWarning, UsageError
from sema.evaluation.significance import Estimate

CHINESE = "简化一"
NAN = float("nan")


def names_figure(*names: str) -> Any:
    return intervals_figure({name: {"score": Estimate(50, 40, 60)} for name in names}, ["score"])


@pytest.fixture
def no_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pytest.importorskip("matplotlib.font_manager"), "findSystemFonts", list)
    fonts._families.cache_clear()


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_names_without_a_font_are_warned_of_in_one_line(no_fonts: None, suffix: str, tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        write_figure(names_figure(CHINESE), str(tmp_path / f"figure{suffix}"))
        page_svg(names_figure(CHINESE), "title", "key")
    ((category, said),) = {(warning.category, str(warning.message)) for warning in caught}
    assert category is SemaWarning
    assert said.startswith("no installed font has 一化简") and "\n" not in said and "site-packages" not in said


def test_labels_of_a_page_stay_as_they_are() -> None:
    """They were cut like coordinates (lr0.00.txt), and coloured."""
    names = ["lr0.0001.txt", "#0e7c86", 'id="x']
    svg = page_svg(names_figure(*names), "title", "key")
    labels = re.findall(r">([^<>\n]+)</text>", svg)
    assert [label for label in labels if label in names] == names
    assert not re.search(r"<[^>]*(\d\.\d{3}|#0e7c86)", svg) and 'id="key-figure_1"' in svg


def test_a_font_that_has_the_letters_draws_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from matplotlib.font_manager import fontManager

    serif = next(font for font in fontManager.ttflist if font.name == "DejaVu Serif").fname
    plain = fonts._has
    monkeypatch.setattr(fonts, "_has", lambda path: plain(path) | frozenset(CHINESE if path == serif else ""))
    monkeypatch.setattr("matplotlib.font_manager.findSystemFonts", lambda: [serif])
    fonts._families.cache_clear()
    write_figure(names_figure(CHINESE), str(tmp_path / "figure.svg"))
    fonts._families.cache_clear()
    assert "DejaVu Serif" in (tmp_path / "figure.svg").read_text("utf-8")


def test_letters_of_its_own_font_change_nothing(no_fonts: None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        page_svg(names_figure("système", "ŝanĝo"), "title", "key")


def test_the_list_of_fonts_stays_out_of_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "matplotlib", raising=False)
    monkeypatch.setenv(fonts.CACHE, "set by the user")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    fonts.cache_outside_home()
    assert os.environ[fonts.CACHE] == "set by the user" and not list(tmp_path.iterdir())
    monkeypatch.delenv(fonts.CACHE)
    fonts.cache_outside_home()
    (folder,) = tmp_path.iterdir()
    assert os.environ.pop(fonts.CACHE) == str(folder) and folder.stat().st_mode & 0o077 == 0
    folder.rename(tmp_path / "other")
    folder.symlink_to(tmp_path / "other")
    fonts.cache_outside_home()
    assert fonts.CACHE not in os.environ


def cloud(scores: Sequence[float], groups: Sequence[str] = (), ratings: Sequence[float] = (1, 2, 3, 5)) -> Cloud:
    return Cloud("sari", "simplicity", ratings, scores, 0.5, groups)


@given(st.integers(-50, 50), st.integers(-50, 50), st.sets(st.integers(-100, 100), min_size=2))
def test_points_on_a_line_have_that_line(slope: int, intercept: int, ratings: set[int]) -> None:
    assert regression_line([2, 2], [slope, intercept]) is None
    line = regression_line(sorted(ratings), [slope * x + intercept for x in sorted(ratings)])
    assert line == pytest.approx((slope, intercept), abs=1e-8)


def test_every_group_has_its_points_and_a_place_in_the_legend() -> None:
    figure = regression_figure([[cloud([2, 4, NAN, 10], ["new", "old", "old", "old"])]])
    axes = figure.axes[0]
    new, old, line = axes.get_lines()
    assert [list(zip(*drawn.get_data(), strict=True)) for drawn in (new, old)] == [[(1, 2)], [(2, 4), (5, 10)]]
    assert list(line.get_xdata()) == [1, 5] and list(line.get_ydata()) == pytest.approx([2, 10])
    assert axes.get_title(loc="left") == "r = 0.500 (N = 3)"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("simplicity", "sari")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["new", "old"]


def test_long_rows_are_broken_and_too_many_panels_refused() -> None:
    figure = regression_figure([[cloud([1, 2, 3, 4])] * 5, [cloud([4, 3, 2, 1])]])
    shown = [axes.get_visible() for axes in figure.axes]
    assert shown == [True] * 4 + [True, False, False, False] * 2 and not figure.legends
    with pytest.raises(UsageError, match="name fewer metrics"):
        regression_figure([[cloud([1, 2, 3, 4])] * (MOST_PANELS + 1)])


def estimates(**systems: tuple[float, float]) -> dict[str, dict[str, Estimate]]:
    """Systems with their level and meaning."""
    return {
        name: {"cefr": Estimate(level, NAN, NAN), "meaning": Estimate(meaning, NAN, NAN)}
        for name, (level, meaning) in systems.items()
    }


BOTH = estimates(easy=(2.0, 50.0), faithful=(4.0, 90.0))


def test_easier_systems_stand_to_the_left_and_faithful_ones_above() -> None:
    lines = trade_text(BOTH, "cefr").splitlines()
    easy, faithful = (next(at for at, line in enumerate(lines) if "|" in line and mark in line) for mark in "AB")
    assert faithful < easy and lines[easy].index("A") < lines[faithful].index("B")
    assert lines[-2:] == ["A  easy: cefr 2.00, meaning 50.00", "B  faithful: cefr 4.00, meaning 90.00"]
    figure = intervals_figure(BOTH, ["cefr", "meaning"])
    texts = [text.get_text() for part in figure.subfigs for axes in part.axes for text in axes.texts]
    assert sorted(texts) == ["easy", "faithful"]


def test_no_axis_leaves_its_range() -> None:
    best = {"a": {"sema": Estimate(100, 92, 100), "cefr": Estimate(1, 1, 1.4), "meaning": Estimate(100, 99, 100)}}
    ranges = {"sema": (0.0, 100.0), "cefr": (1.0, 6.0), "meaning": (0.0, 100.0)}
    axes = {one.get_title("left"): one for one in intervals_figure(best, [*ranges], ranges).get_axes()}
    trade = axes[min(axes)]
    assert axes["sema"].get_xlim()[1] == 100 and axes["cefr"].get_xlim()[0] == 1
    assert trade.get_ylim()[1] == 100 and trade.get_xlim()[0] == 1
