"""Objectives: a metric, or a weighted sum of several; the scores of candidates."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sema import ItemScore, Metric, Scorer, Text, UsageError
from sema_rerank.nbest import is_number

MODEL = "model"
"""In a mix, the system's own score of a candidate."""
Convert = Callable[[str], str | Text]
"""Converts a string to the scorer's input."""


@dataclass(frozen=True)
class Mix:
    """A weighted sum of scores; metrics for which lower is better (grades) are negated.

    Attributes:
        parts: metrics (names or objects, or ``"model"``) and their weights, none of them 0.
    """

    parts: tuple[tuple[str | Metric, float], ...]

    @classmethod
    def of(cls, by: str | Metric | Mix) -> Mix:
        """A mix from a text (``"sari"``, ``"meaning+simplicity"``, ``"0.7*meaning+0.3*samsa"``) or a metric.

        Raises:
            UsageError: nothing is named, something is named twice, or a weight is not a number other than 0.
        """
        if isinstance(by, Mix):
            return by
        if isinstance(by, Metric):
            return cls(((by, 1.0),))
        parts = []
        for text in by.split("+"):
            weight, star, name = (part.strip() for part in text.rpartition("*"))
            try:
                parts.append((name, float(weight) if star else 1.0))
            except ValueError:
                raise UsageError(f"{weight!r} is not a weight; write '0.7*meaning+0.3*samsa'") from None
        for name, value in parts:
            if not name:
                raise UsageError(f"{by!r} names no metric; write 'sari' or '0.7*meaning+0.3*samsa'")
            if [other for other, _ in parts].count(name) > 1:
                raise UsageError(f"{name!r} is named twice in the mix; name each metric once")
            if not is_number(value) or not value:
                raise UsageError(f"the weight of {name!r} must be a number other than 0")
        return cls(tuple(parts))

    @property
    def metrics(self) -> list[str | Metric]:
        """The metrics, without the system's own score."""
        return [part for part, _ in self.parts if part != MODEL]

    @property
    def uses_model(self) -> bool:
        """Whether the system's own score is a part."""
        return any(part == MODEL for part, _ in self.parts)

    @property
    def name(self) -> str:
        """The mix as a text."""
        return "+".join(f"{'' if weight == 1 else f'{weight:g}*'}{name_of(part)}" for part, weight in self.parts)

    def value(self, scores: Mapping[str, float], metrics: Sequence[Metric]) -> float:
        """The sum for scores by name; minus infinity where one of them is not defined."""
        lower = {metric.name for metric in metrics if not metric.higher_is_better}
        total = math.fsum(
            weight * scores[name] * (-1 if name in lower else 1)
            for name, weight in ((name_of(part), weight) for part, weight in self.parts)
        )
        return -math.inf if math.isnan(total) else total


def name_of(part: str | Metric) -> str:
    """The name of a part of a mix."""
    return part if isinstance(part, str) else part.name


def score_texts(scorer: Scorer, text: Convert, pairs: Sequence[tuple[str, str, Sequence[str]]]) -> Sequence[ItemScore]:
    """The scores of (source, output, references), or errors; references count if any output has some."""
    report = scorer.score(
        [text(source) for source, _, _ in pairs],
        [text(output) for _, output, _ in pairs],
        [list(references) for _, _, references in pairs] if any(references for _, _, references in pairs) else None,
        collect_errors=True,
        keep_items=False,
    )
    return report.systems[0].items
