"""Levels (CEFR, HSK): how many words of a text are at each, and which; meaning against level, as text."""

from __future__ import annotations

import math
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from typing import TYPE_CHECKING, Any

from sema.display.tables import Table
from sema.model.text import visible

if TYPE_CHECKING:
    from sema.evaluation.significance import Estimate

Estimates = Mapping[str, Mapping[str, "Estimate"]]
LEVELS = ("cefr", "hsk_level")
MEANING = "meaning"
SHOWN_WORDS = 10
LETTERS = string.ascii_uppercase + string.ascii_lowercase
COLUMNS, LINES = 60, 12  # of the plot


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


def level_metric(metrics: Sequence[str]) -> str | None:
    """The level metric among the metrics; ``None`` if there is none or meaning is not among them."""
    return next((name for name in LEVELS if name in metrics and MEANING in metrics), None)


def level_and_meaning(estimates: Estimates, level: str) -> dict[str, tuple[float, float]]:
    """Level and meaning of each system that has both."""
    pairs = {name: (scores[level].value, scores[MEANING].value) for name, scores in estimates.items()}
    return {name: pair for name, pair in pairs.items() if all(map(math.isfinite, pair))}


def trade_text(estimates: Estimates, level: str) -> str:
    """Meaning against level as a text plot, with a letter for each system and a legend below."""
    shown = level_and_meaning(estimates, level)
    if not shown:
        return ""
    letters = dict(zip(shown, cycle(LETTERS), strict=False))
    (left, right), (low, high) = (_limits([pair[axis] for pair in shown.values()]) for axis in (0, 1))
    grid = [[" "] * COLUMNS for _ in range(LINES)]
    for name, (x, y) in shown.items():
        column = round((x - left) / (right - left) * (COLUMNS - 1))
        line = round((high - y) / (high - low) * (LINES - 1))
        grid[line][column] = letters[name] if grid[line][column] == " " else "+"
    labels = [f"{high:.1f}", *[""] * (LINES - 2), f"{low:.1f}"]
    edge = max(map(len, labels))
    rows = [f"{label:>{edge}} |{''.join(cells).rstrip()}" for label, cells in zip(labels, grid, strict=True)]
    ends = f"{left:.2f}"
    axis = [f"{'':>{edge}} +{'-' * COLUMNS}", f"{'':>{edge}}  {ends}{f'{right:.2f}':>{COLUMNS - len(ends)}}"]
    legend = [f"{letters[name]}  {visible(name)}: {level} {x:.2f}, {MEANING} {y:.2f}" for name, (x, y) in shown.items()]
    return "\n".join([f"{MEANING} against {level} (easier to the left)", *rows, *axis, *legend])


def _limits(values: Sequence[float]) -> tuple[float, float]:
    """The ends of an axis that shows all values with some room."""
    room = max((max(values) - min(values)) * 0.1, 0.05)
    return min(values) - room, max(values) + room
