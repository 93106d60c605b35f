"""Judges as metrics: predicted ratings of an output, 0-100, without references. English."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from sema.errors import InputError
from sema.judges.bench import Bench, cached_judge, shared_bench, shipped_judge
from sema.metrics.base import NETWORK_DECIMALS, Item, MeanMetric, Need

if TYPE_CHECKING:
    from sema.model.language import Parts

SHOWN_DRIVERS = 5


class JudgeMetric(MeanMetric):
    """The rating predicted by a judge; the corpus score is the mean over the items."""

    decimals = NETWORK_DECIMALS

    requires = frozenset({Need.SCENES, Need.GRAPHS, Need.OUTPUT_SCENES, Need.LINKS, Need.LINK_WEIGHTS})
    aspect: ClassVar[str]

    def __init__(
        self, *, judge: Annotated[Path | None, "folder of a judge of your own, as `sema judge train` writes it"] = None
    ) -> None:
        self._folder = judge
        self._bench: Bench | None = None

    def bind(self, parts: Parts) -> JudgeMetric:
        """The metric with its judge for the language.

        Raises:
            ResourceError: there is no judge for the language.
            InputError: the folder holds no judge of this aspect.
        """
        bound = type(self)(judge=self._folder)
        judge = shipped_judge(parts.code, self.aspect) if self._folder is None else cached_judge(self._folder)
        if judge.aspect != self.aspect:
            raise InputError(f"is a judge of {judge.aspect}, not of {self.aspect}", file=self._folder)
        bound._bench = shared_bench(parts) if self._folder is None else Bench([judge], parts)
        return bound

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The score of every item.

        Raises:
            InputError: the metric is not bound to a language.
        """
        return self._bound.scores(self.aspect, items)

    def explain(self, item: Item) -> dict[str, Any]:
        """The class, its probability, and the features that contribute most to the score, in points."""
        verdict = self._bound.verdicts([item])[0][self.aspect]
        probability = round(verdict.probabilities[verdict.label], 4)
        drivers = {name: round(points, 2) for name, points in verdict.drivers(SHOWN_DRIVERS)}
        return {self.name: {"label": verdict.label, "probability": probability, "drivers": drivers}}

    @property
    def _bound(self) -> Bench:
        if self._bench is None:
            raise InputError(f"{self.name} works in a scorer, or after bind(parts) for a language")
        return self._bench

    @property
    def signature(self) -> str:
        """The judge's checksum and what decides the features."""
        if self._bench is None:
            return ""
        return f"judge={self._bench.judges[self.aspect].digest},{self._bench.features.signature.replace('|', '+')}"


class Fluency(JudgeMetric):
    """How fluent and grammatical the output is."""

    name = aspect = "fluency"
    description = "how fluent and grammatical a rater would find the output (English, learned, no references)"


class Simplicity(JudgeMetric):
    """How simple the output is."""

    name = aspect = "simplicity"
    description = "how simple a rater would find the output (English, learned, no references)"


class Overall(JudgeMetric):
    """How good the output is as a simplification."""

    name = aspect = "overall"
    description = "how good a simplification a rater would find the output (English, learned, no references)"
