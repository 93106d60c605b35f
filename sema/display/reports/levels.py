"""The profile of texts by CEFR or HSK level: how many of their words are at each level, and which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sema.display.reports.figures import BAR, SIZE, calm, figure_of, legend, plain, stacked
from sema.display.tables import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN_WORDS = 10
SHADES = ("#2e8b6f", "#5aa469", "#b0a030", "#cf8a2d", "#c8603a", "#ad3f4b", "#7d2f56")
"""The colours of levels, from the easiest to the hardest."""


@dataclass
class LevelProfile:
    """Counts of words by level; numbers, names and punctuation have no level."""

    words: dict[str, Counter[str]] = field(default_factory=dict)

    def add(self, words: Sequence[str], labels: Iterable[str | None]) -> None:
        """Count the words of a text, each with the name of its level."""
        for word, label in zip(words, labels, strict=True):
            if label is not None:
                self.words.setdefault(label, Counter())[word.casefold()] += 1

    @property
    def counts(self) -> dict[str, int]:
        """The number of words of each level, the easiest first."""
        return {label: self.words[label].total() for label in sorted(self.words)}

    @property
    def shares(self) -> dict[str, float]:
        """The share of each level, in [0, 1]."""
        total = sum(self.counts.values())
        return {label: count / total for label, count in self.counts.items()}

    def commonest(self, label: str, shown: int = SHOWN_WORDS) -> str:
        """The commonest words of a level, each with its count where that is not 1."""
        found = self.words.get(label, Counter()).most_common(shown)
        return ", ".join(word if count == 1 else f"{word} ({count})" for word, count in found)

    def to_list(self) -> list[dict[str, Any]]:
        """The levels with their words, as ``sema levels --json`` prints them."""
        return [
            {"level": label, "words": count, "share": self.shares[label], "list": dict(self.words[label].most_common())}
            for label, count in self.counts.items()
        ]


def levels_table(profiles: Mapping[str, LevelProfile]) -> Table:
    """For each text and level the share of its words, and the commonest."""
    rows = [
        [f"{name}, {label}", f"{share:.0%}", profile.commonest(label)]
        for name, profile in profiles.items()
        for label, share in profile.shares.items()
    ]
    return Table("Words by level", ["", "share", "commonest words"], rows)


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
