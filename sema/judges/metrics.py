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


def _wordless(item: Item) -> bool:
    return all(map(is_punctuation, item.output.words))


class JudgeMetric(MeanMetric):
    """The rating predicted by a judge; an output without words scores 0, a corpus the mean over its items."""

    one_language = True
    decimals = NETWORK_DECIMALS
    requires = frozenset(Need) - {Need.REFERENCES, Need.TARGET, Need.MEANING}
    """All needs that a judge may have; a bound metric has those of the features that its judge reads."""
    aspect: ClassVar[str]

    def __init__(
        self, *, judge: Annotated[Path | None, "folder of a judge of your own, as `sema judge train` writes it"] = None
    ) -> None:
        self._folder = judge
        self._bound: tuple[Judge, FeatureSet, list[int]] | None = None

    def bind(self, parts: Parts) -> JudgeMetric:
        """The metric with its judge for the language; an ``InputError`` if the judge does not fit."""
        judge = shipped_judge(parts.code, self.aspect) if self._folder is None else cached_judge(self._folder)
        if judge.aspect != self.aspect:
            raise InputError(f"is a judge of {judge.aspect}, not of {self.aspect}", file=self._folder)
        if base_code(judge.language) != base_code(parts.code):
            raise UsageError(f"the judge of {judge.aspect} is for {judge.language!r}, not for {parts.code!r}")
        features, shared = FeatureSet(parts, judge.groups), parts.once(_shared_groups)
        features.groups = tuple(shared.setdefault(group.name, group) for group in features.groups)
        if unknown := [name for name in judge.features if name not in features.names]:
            raise InputError(
                f"a judge reads the feature {unknown[0]!r}, which this version does not have; train it again"
            )
        places = {name: column for column, name in enumerate(features.names)}
        bound = copy(self)
        bound._bound = judge, features, [places[name] for name in judge.features]
        bound.requires = features.requires
        return bound

    def _read(self, items: Sequence[Item]) -> tuple[Judge, Array]:
        """The judge in use, and the features that it reads (items, features)."""
        if self._bound is None:
            raise InputError(f"{self.name} works in a scorer, or after bind(parts) for a language")
        judge, features, columns = self._bound
        return judge, features.table(list(map(unguarded, items)))[:, columns]  # every group has a guard of its own

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The score of every item."""
        judge, table = self._read(items)
        values: list[float] = judge.scores(table).tolist()
        return [WORDLESS.score if _wordless(item) else score for score, item in zip(values, items, strict=True)]

    def verdict(self, item: Item) -> Verdict:
        """The verdict on an item."""
        judge, table = self._read([item])
        return WORDLESS if _wordless(item) else judge.verdicts(table)[0]

    def explain(self, item: Item) -> dict[str, Any]:
        """The class, its probability, and the features that contribute most to the score, in points."""
        verdict = self.verdict(item)
        probability = round(verdict.probabilities[verdict.label], 4)
        drivers = {name: round(points, 2) for name, points in verdict.drivers(SHOWN_DRIVERS)}
        return {self.name: {"label": verdict.label, "probability": probability, "drivers": drivers}}

    @property
    def signature(self) -> str:
        """The judge's checksum and what decides the features."""
        if self._bound is None:
            return ""
        judge, features, _ = self._bound
        return f"judge={judge.digest},{features.signature.replace('|', '+')}"


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
