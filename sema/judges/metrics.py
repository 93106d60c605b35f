"""Judges applied to items, and as metrics: predicted ratings of an output, 0-100, without references."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from sema.errors import InputError, ResourceError, UsageError
from sema.features.base import FeatureGroup, FeatureSet
from sema.judges.model import Array, Judge, Verdict
from sema.judges.storage import load_judge
from sema.languages import home_of
from sema.metrics.base import NETWORK_DECIMALS, Item, MeanMetric, Need
from sema.model.item import unguarded
from sema.model.language import base_code
from sema.model.text import is_punctuation

if TYPE_CHECKING:
    from sema.model.language import Parts

SHOWN_DRIVERS = 5
WORDLESS = Verdict(0.0, "bad", {"bad": 1.0, "ok": 0.0, "good": 0.0}, {})
"""The verdict on an output without words: nothing, or punctuation alone."""
cached_judge = lru_cache(maxsize=16)(load_judge)


def shipped(language: str) -> dict[str, Path]:
    """The folders of the judges shipped with a language, by aspect."""
    home = home_of(language)
    folders = home.judges.glob("*/judge.json") if home and home.judges else ()
    return {path.parent.name: path.parent for path in sorted(folders)}


def shipped_judge(language: str, aspect: str) -> Judge:
    """The shipped judge of an aspect; a ``ResourceError`` if the language has none."""
    folder = shipped(language).get(aspect)
    if folder is None:
        raise ResourceError(
            f"there is no judge of {aspect} for language {language!r}: there are no ratings to train one; "
            "train one with `sema judge train`, or leave it out"
        )
    return cached_judge(folder)


def _shared_groups(parts: Parts) -> dict[str, FeatureGroup]:
    """The feature groups that the judges of a language have bound: those that several read remember their results."""
    return {}


class BoundJudge:
    """A judge with the features that it reads, of a language's parts; an ``InputError`` if it does not fit.

    An output without words scores 0.
    """

    def __init__(self, judge: Judge, parts: Parts) -> None:
        if base_code(judge.language) != base_code(parts.code):
            raise UsageError(f"the judge of {judge.aspect} is for {judge.language!r}, not for {parts.code!r}")
        self.judge = judge
        self.features, shared = FeatureSet(parts, judge.groups), parts.once(_shared_groups)
        self.features.groups = tuple(shared.setdefault(group.name, group) for group in self.features.groups)
        places = {name: column for column, name in enumerate(self.features.names)}
        if unknown := [name for name in judge.features if name not in places]:
            raise InputError(f"a judge reads the feature {unknown[0]!r}, which this version has not; train it again")
        self._columns = [places[name] for name in judge.features]

    def _table(self, items: Sequence[Item]) -> Array:
        return self.features.table(list(map(unguarded, items)))[:, self._columns]  # every group has a guard of its own

    def scores(self, items: Sequence[Item]) -> list[float]:
        """The scores of items, 0-100."""
        values: list[float] = self.judge.scores(self._table(items)).tolist()
        return [WORDLESS.score if _wordless(item) else score for score, item in zip(values, items, strict=True)]

    def verdicts(self, items: Sequence[Item]) -> list[Verdict]:
        """The verdicts on items."""
        found = self.judge.verdicts(self._table(items))
        return [WORDLESS if _wordless(item) else verdict for verdict, item in zip(found, items, strict=True)]


def _wordless(item: Item) -> bool:
    return all(map(is_punctuation, item.output.words))


class JudgeMetric(MeanMetric):
    """The rating predicted by a judge; the corpus score is the mean over the items."""

    one_language = True
    decimals = NETWORK_DECIMALS
    requires = frozenset(Need) - {Need.REFERENCES, Need.TARGET, Need.MEANING}
    """All needs that a judge may have; a bound metric has those of the features that its judge reads."""
    aspect: ClassVar[str]

    def __init__(
        self, *, judge: Annotated[Path | None, "folder of a judge of your own, as `sema judge train` writes it"] = None
    ) -> None:
        self._folder = judge
        self._bound: BoundJudge | None = None

    def bind(self, parts: Parts) -> JudgeMetric:
        """The metric with its judge for the language."""
        bound = copy(self)
        judge = shipped_judge(parts.code, self.aspect) if self._folder is None else cached_judge(self._folder)
        if judge.aspect != self.aspect:
            raise InputError(f"is a judge of {judge.aspect}, not of {self.aspect}", file=self._folder)
        bound._bound = BoundJudge(judge, parts)
        bound.requires = bound._bound.features.requires
        return bound

    @property
    def bound(self) -> BoundJudge:
        """The judge in use."""
        if self._bound is None:
            raise InputError(f"{self.name} works in a scorer, or after bind(parts) for a language")
        return self._bound

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The score of every item."""
        return self.bound.scores(items)

    def explain(self, item: Item) -> dict[str, Any]:
        """The class, its probability, and the features that contribute most to the score, in points."""
        (verdict,) = self.bound.verdicts([item])
        probability = round(verdict.probabilities[verdict.label], 4)
        drivers = {name: round(points, 2) for name, points in verdict.drivers(SHOWN_DRIVERS)}
        return {self.name: {"label": verdict.label, "probability": probability, "drivers": drivers}}

    @property
    def signature(self) -> str:
        """The judge's checksum and what decides the features."""
        if self._bound is None:
            return ""
        return f"judge={self._bound.judge.digest},{self._bound.features.signature.replace('|', '+')}"


class OwnJudge(JudgeMetric):
    """A judge of any aspect from a folder, under the aspect's name."""

    def __init__(self, judge: Path) -> None:
        super().__init__(judge=judge)
        aspect = cached_judge(judge).aspect
        vars(self).update(aspect=aspect, name=aspect)


class Fluency(JudgeMetric, name="fluency"):
    """How fluent and grammatical a rater would find the output (English, learned, no references)."""

    aspect = "fluency"


class Simplicity(JudgeMetric, name="simplicity"):
    """How simple a rater would find the output (English, learned, no references)."""

    aspect = "simplicity"


class Overall(JudgeMetric, name="overall"):
    """How good a simplification a rater would find the output (English, learned, no references)."""

    aspect = "overall"
