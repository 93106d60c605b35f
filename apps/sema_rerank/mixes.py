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
    def of(cls, by: str | Metric | Mapping[str, float] | Mix) -> Mix:
        """A mix from a text (``"sari"``, ``"meaning+simplicity"``, ``"0.7*meaning+0.3*samsa"``), a mapping or a metric.

        Raises:
            InputError: nothing is named, something is named twice, or a weight is not a number.
        """
        if isinstance(by, Mix):
            return by
        if isinstance(by, Metric):
            if not isinstance(getattr(by, "name", None), str):
                raise UsageError(f"the metric {type(by).__name__} has no name; give its class a name")
            return cls(((by, 1.0),))
        if not isinstance(by, str | Mapping):
            raise UsageError(f"a mix is a text, a mapping or a metric, not {by!r}; write '0.7*meaning+0.3*samsa'")
        pairs = [_part(text) for text in by.split("+")] if isinstance(by, str) else list(by.items())
        names = [name for name, _ in pairs]
        if not names or not all(isinstance(name, str) and name for name in names):
            raise UsageError(f"{by!r} names no metric; write 'sari', 'meaning+simplicity' or '0.7*meaning+0.3*samsa'")
        for name, weight in pairs:
            if names.count(name) > 1:
                raise UsageError(f"{name!r} is named twice in the mix; name each metric once")
            if not is_number(weight) or not weight:
                raise UsageError(f"the weight of {name!r} must be a number other than 0")
        return cls(tuple(pairs))

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
        return "+".join(f"{'' if weight == 1 else f'{weight:g}*'}{_name(part)}" for part, weight in self.parts)

    def value(self, scores: Mapping[str, float], metrics: Sequence[Metric]) -> float:
        """The sum for scores by name; minus infinity where one of them is not defined."""
        higher = {metric.name: metric.higher_is_better for metric in metrics}
        total = math.fsum(
            weight * scores[_name(part)] * (1 if higher.get(_name(part), True) else -1) for part, weight in self.parts
        )
        return -math.inf if math.isnan(total) else total


def _name(part: str | Metric) -> str:
    return part if isinstance(part, str) else part.name


def _part(text: str) -> tuple[str, float]:
    weight, star, name = text.rpartition("*")
    if not star:
        return text.strip(), 1.0
    try:
        return name.strip(), float(weight)
    except ValueError:
        raise UsageError(f"{weight.strip()!r} is no weight; write '0.7*meaning+0.3*samsa'") from None


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
