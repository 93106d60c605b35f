"""Scatter plots of scores against ratings with a least-squares line, as papers on metrics draw them.

Examples: Figure 1 of Sulem, Abend and Rappoport (NAACL 2018), Figure 3 of Xu et al. (TACL 2016), and Figures 4 to 6 of
Alva-Manchego, Scarton and Specia (2021).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sema.display.reports.figures import DOTTED, INK, PALETTE, calm, figure_of, legend, look, plain
from sema.display.tables import number
from sema.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = 4
PANEL = 2.2  # the height of a panel, in inches
DRAWN_POINTS = 2000  # up to this many points of a panel are shapes in an SVG or PDF file; more become a bitmap in it
MOST_PANELS = 60


@dataclass(frozen=True)
class Cloud:
    """One panel: a metric's scores (up) against ratings (across) of the same items, or of systems by their means."""

    metric: str
    rating: str
    ratings: Sequence[float]  # points with a NaN, here or in the scores, are not drawn
    scores: Sequence[float]
    r: float  # Pearson's correlation of the points
    groups: Sequence[str] = ()  # each point's group, which gives it its colour; none: all alike


def regression_line(ratings: Sequence[float], scores: Sequence[float]) -> tuple[float, float] | None:
    """Slope and intercept of the least-squares line of scores on ratings; none unless the ratings differ."""
    from scipy.stats import linregress

    pairs = [pair for pair in zip(ratings, scores, strict=True) if all(map(math.isfinite, pair))]
    if len({rating for rating, _ in pairs}) < 2:
        return None
    fitted = linregress(*zip(*pairs, strict=True))
    return float(fitted.slope), float(fitted.intercept)


def regression_figure(rows: Sequence[Sequence[Cloud]]) -> Figure:
    """A panel for each cloud, with its points, its least-squares line and its correlation; long rows are broken.

    Raises:
        UsageError: there are too many panels for one figure.
    """
    clouds = [cloud for row in rows for cloud in row]
    if len(clouds) > MOST_PANELS:
        raise UsageError(
            f"{len(clouds)} pictures are too many for one figure; name fewer metrics or columns of ratings"
        )
    lines = [row[start : start + COLUMNS] for row in rows for start in range(0, len(row), COLUMNS)]
    looks = {
        group: look(at) for at, group in enumerate(dict.fromkeys(group for each in clouds for group in each.groups))
    }
    figure = figure_of(PANEL * len(lines) + (0.25 if looks else 0))
    panels = figure.subplots(len(lines), max(3, *map(len, lines)), squeeze=False)
    handles: dict[str, Any] = {}
    for line, line_panels in zip(lines, panels, strict=True):
        for place, axes in enumerate(line_panels):
            if place < len(line):
                handles |= _draw(axes, line[place], looks)
            else:
                axes.set_visible(False)
    if looks:
        legend(figure, [handles[group] for group in looks], list(map(plain, looks)), ncols=6, markerscale=1.8)
    return figure


def _draw(axes: Any, cloud: Cloud, looks: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """Draw one panel; returns the legend handle of each group."""
    known = [
        (rating, score, cloud.groups[place] if cloud.groups else "")
        for place, (rating, score) in enumerate(zip(cloud.ratings, cloud.scores, strict=True))
        if math.isfinite(rating) and math.isfinite(score)
    ]
    title = f"r = {number(cloud.r, 3)} (N = {len(known)})"
    calm(axes, title, grid="both", across=plain(cloud.rating), up=plain(cloud.metric))
    handles = {}
    for group in dict.fromkeys(cloud.groups or [""]):
        colour, marker = looks[group] if cloud.groups else (PALETTE[0], "o")
        points = [(rating, score) for rating, score, of in known if of == group]
        across, up = zip(*points, strict=True) if points else ((), ())
        (handles[group],) = axes.plot(across, up, marker, color=colour, rasterized=len(known) > DRAWN_POINTS, **DOTTED)
    line = regression_line(cloud.ratings, cloud.scores)
    if line is not None:
        slope, intercept = line
        ends = [extreme(rating for rating, _, _ in known) for extreme in (min, max)]
        axes.plot(ends, [intercept + slope * end for end in ends], color=INK, linewidth=1.2)
    return handles
