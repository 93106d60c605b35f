"""Judges applied to items, and as metrics: predicted ratings of an output, 0-100, without references."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import is_
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from sema.errors import InputError, ResourceError, UsageError
from sema.features.base import FeatureSet, group_table
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


class Bench:
    """Judges of one language by aspect, which share their ``features``; an ``InputError`` if one does not fit."""

    def __init__(self, judges: Sequence[Judge], parts: Parts) -> None:
        for judge in judges:
            if base_code(judge.language) != base_code(parts.code):
                raise UsageError(f"the judge of {judge.aspect} is for {judge.language!r}, not for {parts.code!r}")
        self.judges = {judge.aspect: judge for judge in judges}
        self.features = FeatureSet(parts, list(dict.fromkeys(group for judge in judges for group in judge.groups)))
        self._groups = {group.name: group for group in self.features.groups}
        known = set(self.features.names)
        for judge in judges:
            if unknown := [name for name in judge.features if name not in known]:
                message = f"a judge reads the feature {unknown[0]!r}, which this version has not; train it again"
                raise InputError(message)
        self._last: tuple[Sequence[Item], dict[str, Array]] = (), {}

    def requires(self, aspect: str) -> frozenset[Need]:
        """What items must carry for one judge."""
        return frozenset[Need]().union(*(self._groups[name].requires for name in self.judges[aspect].groups))

    def _table(self, aspect: str, items: Sequence[Item]) -> Array:
        """A judge's features of a batch; those of the last batch are kept, since other judges read them too."""
        batch = list(map(unguarded, items))  # every group has a guard of its own
        known, tables = self._last  # other threads may replace it
        if len(batch) != len(known) or not all(map(is_, batch, known)):
            _, tables = self._last = batch, {}
        judge = self.judges[aspect]
        for name in judge.groups:
            if name not in tables:
                tables[name] = group_table(self._groups[name], batch)
        names = [f"{name}.{feature}" for name in judge.groups for feature in self._groups[name].features]
        places = {name: column for column, name in enumerate(names)}
        whole = np.concatenate([tables[name] for name in judge.groups], 1)
        return whole[:, [places[name] for name in judge.features]]

    def scores(self, aspect: str, items: Sequence[Item]) -> list[float]:
        """The scores of items by one judge, 0-100; an output without words scores 0."""
        values: list[float] = self.judges[aspect].scores(self._table(aspect, items)).tolist()
        return [WORDLESS.score if _wordless(item) else score for score, item in zip(values, items, strict=True)]

    def verdicts(self, items: Sequence[Item], aspects: Sequence[str] | None = None) -> list[dict[str, Verdict]]:
        """Every judge's verdict on every item, or those of some aspects."""
        chosen = self.judges if aspects is None else aspects
        columns = {aspect: self.judges[aspect].verdicts(self._table(aspect, items)) for aspect in chosen}
        return [
            {aspect: WORDLESS if _wordless(item) else column[index] for aspect, column in columns.items()}
            for index, item in enumerate(items)
        ]


def _wordless(item: Item) -> bool:
    return all(map(is_punctuation, item.output.words))


def shared_bench(parts: Parts) -> Bench:
    """All shipped judges of a language on one set of parts, so that several metrics share the features."""
    return Bench([shipped_judge(parts.code, aspect) for aspect in shipped(parts.code)], parts)


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
        self._bench: Bench | None = None

    def bind(self, parts: Parts) -> JudgeMetric:
        """The metric with its judge for the language."""
        bound = type(self)(judge=self._folder)
        judge = shipped_judge(parts.code, self.aspect) if self._folder is None else cached_judge(self._folder)
        if judge.aspect != self.aspect:
            raise InputError(f"is a judge of {judge.aspect}, not of {self.aspect}", file=self._folder)
        bound._bench = parts.once(shared_bench) if self._folder is None else Bench([judge], parts)
        bound.requires = bound._bench.requires(self.aspect)
        return bound

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The score of every item."""
        return self._bound.scores(self.aspect, items)

    def explain(self, item: Item) -> dict[str, Any]:
        """The class, its probability, and the features that contribute most to the score, in points."""
        verdict = self._bound.verdicts([item], [self.aspect])[0][self.aspect]
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
