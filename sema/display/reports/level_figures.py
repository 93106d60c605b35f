"""The profile of texts by level as pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sema.display.reports.figures import BAR, SIZE, calm, figure_of, legend, plain, stacked
from sema.display.reports.levels import LevelProfile

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHADES = ("#2e8b6f", "#5aa469", "#b0a030", "#cf8a2d", "#c8603a", "#ad3f4b", "#7d2f56")
"""The colours of levels, from the easiest to the hardest."""


def levels_figure(profiles: Mapping[str, LevelProfile]) -> Figure:
    """A bar for each text, divided by the levels of its words; for a single text, one for each level with its words."""
    return _stacked(profiles) if len(profiles) > 1 else _with_words(next(iter(profiles.values())))


def _stacked(profiles: Mapping[str, LevelProfile]) -> Figure:
    figure = figure_of(0.9 + 0.34 * len(profiles))
    axes = figure.subplots()
    labels = sorted({label for profile in profiles.values() for label in profile.words})
    looks = {label: {"color": SHADES[place % len(SHADES)]} for place, label in enumerate(labels)}
    stacked(axes, {name: profile.shares for name, profile in profiles.items()}, looks)
    calm(axes, "% of words")
    legend(figure, ncols=8, handlelength=1.4)
    return figure


def _with_words(profile: LevelProfile) -> Figure:
    figure = figure_of(0.6 + 0.42 * max(1, len(profile.words)))
    axes = figure.subplots()
    for place, (label, share) in enumerate(profile.shares.items()):
        axes.barh([place], [100 * share], color=SHADES[place % len(SHADES)], height=BAR)
        words = plain(f"{100 * share:.0f} %  {profile.commonest(label, 8)}")
        axes.annotate(
            words, (100 * share, place), xytext=(5, 0), textcoords="offset points", va="center", fontsize=SIZE
        )
    calm(axes, "% of words, and the commonest")
    axes.set_yticks(range(len(profile.shares)), list(profile.shares))
    axes.set_xlim(0, 200)  # the right half is for the words
    axes.set_xticks(range(0, 101, 25))
    axes.invert_yaxis()
    return figure
