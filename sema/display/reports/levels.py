"""The profile of texts by CEFR or HSK level: how many of their words are at each level, and which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sema.display.tables import Table

SHOWN_WORDS = 10


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
