"""N-best lists: several candidates for each source, and their form on disk, JSON lines.

A line is ``{"source": "…", "candidates": ["…", {"text": "…", "score": -1.2, "features": {"name": 0.5}}], "references":
["…"]}``: a candidate is a text, or an object with the system's own score and its features; references are optional.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sema import InputError
from sema.files.tables import json_rows


@dataclass(frozen=True)
class Candidate:
    """One candidate: its text and, where known, the system's own score (higher is better), its features, its steps."""

    text: str
    score: float | None = None
    features: Mapping[str, float] = field(default_factory=dict)
    steps: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The object of a line; what is not known is left out."""
        known = {
            "score": None if self.score is None else round(self.score, 6),
            "features": {name: round(value, 6) for name, value in self.features.items()},
            "steps": list(self.steps),
        }
        return {"text": self.text, **{name: value for name, value in known.items() if value not in (None, {}, [])}}


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

    @property
    def texts(self) -> list[str]:
        """The candidates' texts."""
        return [candidate.text for candidate in self.candidates]

    def to_dict(self) -> dict[str, Any]:
        """The object of a line."""
        row = {"source": self.source, "candidates": [candidate.to_dict() for candidate in self.candidates]}
        return {**row, "references": list(self.references)} if self.references else row


def read_nbest(path: str) -> list[NBest | InputError]:
    """The lists of a JSONL file (``-``: standard input); an invalid line is replaced by its error.

    Raises:
        InputError: the file cannot be read, or has no line.
    """
    if path != "-" and not path.lower().endswith(".jsonl"):
        raise InputError("is not a .jsonl file; write n-best lists as JSON lines", file=path)
    rows = list(json_rows(path))
    if not rows:
        raise InputError("has no n-best lists; write a JSON object a line", file=path)
    lists: list[NBest | InputError] = []
    for line, row in rows:
        try:
            lists.append(row if isinstance(row, InputError) else parse_nbest(row))
        except InputError as error:
            lists.append(InputError(error.message, file=path, line=line))
    return lists


def parse_nbest(row: Any) -> NBest:
    """A list from the object of a line.

    Raises:
        InputError: the object does not have the shape that the module describes, or there is no candidate.
    """
    match row:
        case {"source": str(source), "candidates": [*given]}:
            references = row.get("references", [])
            references = [references] if isinstance(references, str) else references
            candidates = [one for one in map(_candidate, given) if one is not None]
            texts = isinstance(references, list) and all(isinstance(text, str) for text in references)
            if texts and len(candidates) == len(given):
                return NBest(source, tuple(candidates), tuple(references))
    raise InputError(
        'is not an n-best list; write {"source": "…", "candidates": ["…", {"text": "…", "score": -1.2, "features": '
        '{"name": 0.5}}], "references": ["…"]}'
    )


def _candidate(entry: Any) -> Candidate | None:
    match entry:
        case str():
            return Candidate(entry)
        case {"text": str(text)}:
            score, features = entry.get("score"), entry.get("features", {})
            numeric = score is None or is_number(score)
            if numeric and isinstance(features, Mapping) and all(map(is_number, features.values())):
                numbers = {str(name): float(value) for name, value in features.items()}
                return Candidate(text, None if score is None else float(score), numbers)
    return None


def is_number(value: object) -> bool:
    """Whether a value from outside is a finite number; an integer too large for a float is not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
