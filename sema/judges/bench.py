"""Applies judges to items; the features are computed once for all judges."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from sema.errors import InputError, ResourceError, UsageError
from sema.features.base import FeatureSet
from sema.judges.model import Array, Judge, Verdict
from sema.judges.storage import load_judge
from sema.languages import home_of
from sema.model.item import Item
from sema.model.language import base_code

if TYPE_CHECKING:
    from sema.model.language import Parts


cached_judge = lru_cache(maxsize=16)(load_judge)


def shipped(language: str) -> dict[str, Path]:
    """The folders of the judges shipped with a language, by aspect."""
    home = home_of(language)
    folders = home.judges.glob("*/judge.json") if home and home.judges else ()
    return {path.parent.name: path.parent for path in sorted(folders)}


def shipped_judge(language: str, aspect: str) -> Judge:
    """The shipped judge of an aspect.

    Raises:
        ResourceError: there is none for the language.
    """
    folder = shipped(language).get(aspect)
    if folder is None:
        raise ResourceError(
            f"there is no judge of {aspect} for language {language!r}: there are no ratings to train one; "
            "train one with `sema judge train`, or leave it out"
        )
    return cached_judge(folder)


class Bench:
    """Judges of one language by aspect, and the ``features`` that they read.

    Raises:
        InputError: a judge is for another language, or asks for features that this version has not.
    """

    def __init__(self, judges: Sequence[Judge], parts: Parts) -> None:
        for judge in judges:
            if base_code(judge.language) != base_code(parts.code):
                raise UsageError(f"the judge of {judge.aspect} is for {judge.language!r}, not for {parts.code!r}")
        self.judges = {judge.aspect: judge for judge in judges}
        self.features = FeatureSet(parts, list(dict.fromkeys(group for judge in judges for group in judge.groups)))
        places = {name: column for column, name in enumerate(self.features.names)}
        try:
            self._columns = {judge.aspect: [places[name] for name in judge.features] for judge in judges}
        except KeyError as error:
            raise InputError(
                f"a judge reads the feature {error}, which this version has not; train it again"
            ) from error
        self._last: tuple[Sequence[Item], Array] | None = None

    def _table(self, items: Sequence[Item]) -> Array:
        """The features of a batch; those of the last batch are cached, since each metric requests them."""
        if self._last is None or self._last[0] is not items:
            self._last = items, self.features.table(items)
        return self._last[1]

    def scores(self, aspect: str, items: Sequence[Item]) -> list[float]:
        """The scores of items by one judge, 0-100; an output without words scores 0."""
        table = self._table(items)[:, self._columns[aspect]]
        found: list[float] = self.judges[aspect].scores(table).tolist()
        return [score if item.output.tokens else 0.0 for score, item in zip(found, items, strict=True)]

    def verdicts(self, items: Sequence[Item]) -> list[dict[str, Verdict]]:
        """Every judge's verdict on every item."""
        table = self._table(items)
        columns = {aspect: judge.verdicts(table[:, self._columns[aspect]]) for aspect, judge in self.judges.items()}
        return [{aspect: column[index] for aspect, column in columns.items()} for index in range(len(items))]


@lru_cache(maxsize=4)
def shared_bench(parts: Parts) -> Bench:
    """All shipped judges of a language on one set of parts, so that several metrics share the features."""
    return Bench([shipped_judge(parts.code, aspect) for aspect in shipped(parts.code)], parts)
