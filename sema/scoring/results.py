"""Results: plain frozen dataclasses that know how to become dicts, each with what a person needs to see why."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from sema.errors import SemaError
from sema.metrics.base import Item, MetricScores


@dataclass(frozen=True)
class ItemScore:
    """One item of one system: its scores by metric, or the error that kept it from having any."""

    index: int
    scores: dict[str, float]
    item: Item | None = field(default=None, repr=False, compare=False)
    error: str | None = None
    cause: SemaError | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The row that ``--per-item`` writes, without the system's name; NaN becomes ``None``."""
        row: dict[str, Any] = {"item": self.index, "scores": plain_scores(self.scores)}
        if self.error is not None:
            row["error"] = self.error
        return row

    def evidence(self) -> dict[str, Any]:
        """Why the item scored as it did: tokens, and for each Scene its sentence and the fate of every center."""
        if self.item is None:
            return {"item": self.index, "error": self.error}
        return {
            "item": self.index,
            "source": list(self.item.source.words),
            "sentences": [list(words) for words in self.item.output.sentence_words],
            "scenes": [scene.to_dict() for evidence in self.item.evidence for scene in evidence.scenes],
        }


@dataclass(frozen=True)
class SystemScore:
    """One system: corpus scores by metric over the items that could be scored, and the items."""

    name: str
    scores: dict[str, float]
    items: tuple[ItemScore, ...] = field(repr=False)
    results: dict[str, MetricScores] = field(default_factory=dict, repr=False, compare=False)
    """What each metric returned for the items that could be scored, in their order."""

    @property
    def failed(self) -> list[ItemScore]:
        """The items that could not be scored."""
        return [item for item in self.items if item.error is not None]

    def to_dict(self) -> dict[str, Any]:
        """The entry of ``systems`` in the JSON that ``sema score`` prints."""
        return {"name": self.name, "scores": plain_scores(self.scores)}


@dataclass(frozen=True)
class Report:
    """Everything one run of a scorer found."""

    signature: str
    lang: str
    level: str
    metrics: tuple[str, ...]
    systems: tuple[SystemScore, ...]
    higher_is_better: dict[str, bool] = field(default_factory=dict, repr=False, compare=False)
    """For each metric, whether more is better."""

    @property
    def items(self) -> int:
        """The number of items a system has."""
        return len(self.systems[0].items) if self.systems else 0

    @property
    def failed(self) -> list[tuple[SystemScore, ItemScore]]:
        """The items that could not be scored, with their systems."""
        return [(system, item) for system in self.systems for item in system.failed]

    def to_dict(self) -> dict[str, Any]:
        """The object that ``sema score --json`` prints."""
        result: dict[str, Any] = {
            "signature": self.signature,
            "lang": self.lang,
            "level": self.level,
            "items": self.items,
            "systems": [system.to_dict() for system in self.systems],
        }
        failed = [{"system": system.name, "item": item.index, "error": item.error} for system, item in self.failed]
        if failed:
            result["failed"] = failed
        return result


def plain_scores(scores: dict[str, float]) -> dict[str, float | None]:
    """Scores as JSON has them: NaN (no item could be scored) becomes ``None``."""
    return {name: None if math.isnan(value) else value for name, value in scores.items()}
