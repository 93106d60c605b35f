"""Facts about words for a language that brings none of its own."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from sema.model.text import is_punctuation


class PlainFacts:
    """Numbers by their digits, punctuation, and nothing else."""

    signature = "plain"

    def is_weak(self, word: str) -> bool:
        """Punctuation alone."""
        return is_punctuation(word)

    def value(self, word: str) -> Hashable | None:
        """The number that digits spell."""
        if not any(map(str.isdecimal, word)):
            return None
        try:
            return float(word.replace(",", ""))
        except ValueError:
            return None

    def unlisted(self, word: str) -> bool:
        """Unknown."""
        return False

    def negates(self, word: str) -> bool:
        """Unknown."""
        return False

    def force(self, word: str) -> str | None:
        """Unknown."""
        return None

    def denies(self, word: str) -> bool:
        """Unknown."""
        return False

    def opposed(self, first: str, second: str) -> bool:
        """Unknown."""
        return False

    def strength(self, word: str) -> tuple[str, int] | None:
        """Unknown."""
        return None

    def bears_negation(self, word: str) -> bool:
        """Unknown."""
        return False

    def distinct(self, first: str, second: str, *, alone: bool = False) -> bool:
        """Unknown."""
        return False

    def plainer(self, first: Sequence[str], second: Sequence[str]) -> bool:
        """Unknown."""
        return False

    def implies_negation(self, word: str) -> bool:
        """Unknown."""
        return False

    def contrasts(self, word: str) -> bool:
        """Unknown."""
        return False

    def converse(self, first: str, second: str) -> bool:
        """Unknown."""
        return False

    def coordinates(self, word: str) -> bool:
        """Unknown."""
        return False

    def sets_condition(self, word: str) -> bool:
        """Unknown."""
        return False

    def person(self, word: str) -> str | None:
        """Unknown."""
        return None

    def owns(self, word: str) -> bool:
        """Unknown."""
        return False

    def joins(self, word: str) -> frozenset[str]:
        """Unknown."""
        return frozenset()

    def unit(self, word: str) -> str | None:
        """Unknown."""
        return None

    def bound(self, before: Sequence[str], after: Sequence[str]) -> int:
        """Unknown."""
        return 0

    def order(self, word: str) -> int:
        """Unknown."""
        return 0

    def sequel(self, word: str) -> int:
        """Unknown."""
        return 0

    def points_back(self, word: str, following: str) -> bool:
        """Unknown."""
        return False

    def is_pronoun(self, word: str) -> bool:
        """Unknown."""
        return False

    def marks_agent(self, word: str) -> bool:
        """Unknown."""
        return False

    def likeness(self, source: str, output: str) -> float:
        """Unknown: what the aligner says stands."""
        return 1.0
