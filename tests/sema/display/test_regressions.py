"""Scatter plots of scores against ratings show the given values."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sema.display.reports.regressions import DRAWN_POINTS, MOST_PANELS, Cloud, regression_figure, regression_line
from sema.errors import UsageError

NAN = float("nan")


def cloud(scores: Sequence[float], groups: Sequence[str] = (), ratings: Sequence[float] = (1, 2, 3, 5)) -> Cloud:
    return Cloud("sari", "simplicity", ratings, scores, 0.5, groups)


def test_the_line_is_that_of_least_squares() -> None:
    # Means 2 and 4; the ratings differ from theirs by -1, 0, 1, the scores by -2, 1, 1: slope (2 + 0 + 1) / 2.
    assert regression_line([1, 2, 3], [2, 5, 5]) == pytest.approx((1.5, 1.0))
    assert regression_line([1, 2, 3, 9, NAN], [2, 5, 5, NAN, 9]) == pytest.approx((1.5, 1.0))
    assert regression_line([2, 2], [1, 5]) is None and regression_line([2], [1]) is None


@given(st.integers(-50, 50), st.integers(-50, 50), st.sets(st.integers(-100, 100), min_size=2))
def test_points_on_a_line_have_that_line(slope: int, intercept: int, ratings: set[int]) -> None:
    points = sorted(ratings)
    assert regression_line(points, [slope * x + intercept for x in points]) == pytest.approx(
        (slope, intercept), abs=1e-8
    )


def test_every_group_has_its_points_and_a_place_in_the_legend() -> None:
    pytest.importorskip("matplotlib")
    figure = regression_figure([[cloud([2, 4, NAN, 10], ["new", "old", "old", "old"])]])
    axes = figure.axes[0]
    new, old, line = axes.get_lines()
    assert [list(zip(*drawn.get_data(), strict=True)) for drawn in (new, old)] == [[(1, 2)], [(2, 4), (5, 10)]]
    assert list(line.get_xdata()) == [1, 5] and list(line.get_ydata()) == pytest.approx([2, 10])
    assert axes.get_title(loc="left") == "r = 0.500 (N = 3)"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("simplicity", "sari")
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["new", "old"]


def test_long_rows_are_broken_and_too_many_panels_refused() -> None:
    pytest.importorskip("matplotlib")
    figure = regression_figure([[cloud([1, 2, 3, 4])] * 5, [cloud([4, 3, 2, 1])]])
    shown = [axes.get_visible() for axes in figure.axes]
    assert shown == [True] * 4 + [True, False, False, False] * 2 and not figure.legends
    with pytest.raises(UsageError, match="name fewer metrics"):
        regression_figure([[cloud([1, 2, 3, 4])] * (MOST_PANELS + 1)])


def test_no_line_without_a_slope_and_many_points_as_a_bitmap() -> None:
    pytest.importorskip("matplotlib")
    (points,) = regression_figure([[cloud([1, 2, 3, 4], ratings=[2] * 4)]]).axes[0].get_lines()
    assert not points.get_rasterized()
    many = [float(number) for number in range(DRAWN_POINTS + 1)]
    points, _ = regression_figure([[cloud(many, ratings=many)]]).axes[0].get_lines()
    assert points.get_rasterized()
