"""N-best lists: several candidates for each source, and their form on disk, JSON lines.

A line is ``{"source": "…", "candidates": ["…", {"text": "…", "score": -1.2, "features": {"name": 0.5}}], "references":
["…"]}``: a candidate is a text, or an object with the system's own score and its features; references are optional.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
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
        raise InputError("is no .jsonl file; write n-best lists as JSON lines", file=path)
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


def parse_nbest(row: object) -> NBest:
    """A list from the object of a line.

    Raises:
        InputError: the object does not have the shape that the module describes.
    """
    if not isinstance(row, Mapping) or not isinstance(row.get("source"), str):
        raise InputError('has no \'source\'; write {"source": …, "candidates": […]}')
    candidates, references = row.get("candidates"), row.get("references", ())
    if not isinstance(candidates, list):
        raise InputError('has no list of \'candidates\'; write {"source": …, "candidates": […]}')
    if isinstance(references, str):
        references = [references]
    if not isinstance(references, Sequence) or not all(isinstance(text, str) for text in references):
        raise InputError('\'references\' is no list of texts; write ["…", "…"]')
    return NBest(row["source"], tuple(_candidate(entry) for entry in candidates), tuple(references))


def _candidate(entry: object) -> Candidate:
    if isinstance(entry, str):
        return Candidate(entry)
    if not isinstance(entry, Mapping) or not isinstance(entry.get("text"), str):
        raise InputError("a candidate is neither a text nor an object with 'text'; write one of them")
    score, features = entry.get("score"), entry.get("features", {})
    if score is not None and not is_number(score):
        raise InputError("a candidate's 'score' is not a number; leave it out where there is none")
    if not isinstance(features, Mapping) or not all(map(is_number, features.values())):
        raise InputError("a candidate's 'features' are no numbers by name; write {\"name\": 0.5}")
    numbers = {str(name): float(value) for name, value in features.items()}
    return Candidate(entry["text"], None if score is None else float(score), numbers)


def is_number(value: object) -> bool:
    """Whether a value from outside is a finite number; an integer too large for a float is not."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
