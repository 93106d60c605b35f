"""N-best lists: several candidates for each source, with what a system says about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sema.errors import InputError


@dataclass(frozen=True)
class Candidate:
    """One candidate: its text and, where known, the system's own score (higher is better), its features, its steps."""

    text: str
    score: float | None = None
    features: Mapping[str, float] = field(default_factory=dict)
    steps: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The object of a line; what is not known is left out."""
        row: dict[str, Any] = {"text": self.text}
        if self.score is not None:
            row["score"] = round(self.score, 6)
        if self.features:
            row["features"] = {name: round(value, 6) for name, value in self.features.items()}
        if self.steps:
            row["steps"] = list(self.steps)
        return row


@dataclass(frozen=True)
class NBest:
    """The candidates for one source, and references where there are some.

    Raises:
        InputError: there is no candidate.
    """

    source: str
    candidates: tuple[Candidate, ...]
    references: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.candidates:
            raise InputError("there are no candidates; give every source one at least")

    @classmethod
    def of(cls, source: str, texts: Iterable[str], references: Iterable[str] = ()) -> NBest:
        """A list of plain texts."""
        return cls(source, tuple(map(Candidate, texts)), tuple(references))

    def to_dict(self) -> dict[str, Any]:
        """The object of a line."""
        row: dict[str, Any] = {"source": self.source, "candidates": [found.to_dict() for found in self.candidates]}
        if self.references:
            row["references"] = list(self.references)
        return row
