"""CEFR levels of output and source, and whether the output meets a target level.

``cefr`` is the level of the output as a number, 1 (A1) to 6 (C2). ``cefr_source`` is the source's, ``cefr_drop`` how
many levels the output is below it. Against a target level there are ``cefr_hit`` (at the target or below),
``cefr_adjacent`` (within one level of it), ``cefr_rmse`` and ``cefr_f1``, the last three as the shared task of TSAR
2025 computes them: from whole levels, F1 weighted by how often a level is the target.

A text without words has no level: it is left out of means (its item shows the least value) and meets no target.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

from sema.errors import InputError, ResourceError, UsageError
from sema.metrics.base import NETWORK_DECIMALS, Item, Metric, Need, Row
from sema.model.levels import CEFR, WORD, Hard, LevelReader, TextLevel, cefr_label, parse_level, rounded

if TYPE_CHECKING:
    from sema.model.language import Parts

SHOWN = 8
"""Words and constructions that the evidence lists."""


class LevelMetric(Metric):
    """A metric that reads levels; the language brings the reader, or ``model`` names another."""

    settings_name = "cefr"
    requires = frozenset({Need.STATES})
    needs_target: ClassVar[bool] = False

    def __init__(
        self,
        *,
        target: Annotated[str | None, "the level to reach, A1 to C2, for items that have none of their own"] = None,
        model: Annotated[Path | None, "folder of a Hugging Face classifier of CEFR levels to use instead"] = None,
    ) -> None:
        self.target = None if target is None else _checked_target(target)
        self._model = model
        if model is not None:
            self.requires = self.requires - {Need.STATES}
        if self.needs_target and target is None:
            self.requires = self.requires | {Need.TARGET}
        self._reader: LevelReader | None = None

    def bind(self, parts: Parts) -> Self:
        """A copy that reads levels in the language.

        Raises:
            ResourceError: nothing reads levels in the language, or the folder holds no such model.
        """
        bound = copy(self)
        if self._model is not None:
            from sema.metrics.level_model import level_model

            bound._reader = level_model(str(self._model))
        else:
            bound._reader = parts.levels
        if bound._reader is None:
            raise ResourceError(
                f"nothing reads CEFR levels in language {parts.code!r}; name a classifier with cefr.model, or leave "
                f"{self.name} out"
            )
        return bound

    @property
    def signature(self) -> str:
        """The target and the reader."""
        target = [] if self.target is None else [f"target={self.target:g}"]
        reader = [] if self._reader is None else [self._reader.signature]
        return ",".join([*target, *reader])

    def outputs(self, items: Sequence[Item]) -> Sequence[TextLevel]:
        """The level of every output."""
        return _rounded(self._bound.read([(item.output, item.output_states) for item in items]))

    def sources(self, items: Sequence[Item]) -> Sequence[TextLevel]:
        """The level of every source."""
        return _rounded(self._bound.read([(item.source, item.source_states) for item in items]))

    @property
    def _bound(self) -> LevelReader:
        if self._reader is None:
            raise InputError(f"{self.name} works in a scorer, or after bind(parts) for a language")
        return self._reader

    def target_of(self, item: Item) -> float | None:
        """The level that an item should reach."""
        return self.target if item.target is None else item.target

    def explain(self, item: Item) -> dict[str, Any]:
        """The levels of both texts and of every word, and what makes them hard, for ``sema explain``.

        A word is hard above the target level; without a target, from the text's own level on.
        """
        (output,), (source,) = self.outputs([item]), self.sources([item])
        target = self.target_of(item)
        return {
            "levels": {
                "output": _described(output, item.output.words, target),
                "source": _described(source, item.source.words, target),
                "target": None if target is None else cefr_label(target),
            }
        }


def _rounded(found: Sequence[TextLevel]) -> list[TextLevel]:
    """Levels rounded to the decimals that are the same on every processor."""
    return [replace(level, value=round(level.value, NETWORK_DECIMALS)) for level in found]


def _checked_target(target: object) -> float:
    try:
        value = parse_level(target)
    except InputError:
        value = math.nan
    if not value <= len(CEFR):
        raise UsageError(f"cefr.target cannot be {target!r}; write A1 to C2, or a number from 1 to {len(CEFR)}")
    return value


def _described(found: TextLevel, words: Sequence[str], target: float | None) -> dict[str, Any]:
    if math.isnan(found.value):
        return {"level": None, "label": None, "words": [None] * len(words), "above": [], "hard": []}
    hard = found.hard(rounded(found.value) - 1 if target is None else target)
    return {
        "level": round(found.value, 2),
        "label": cefr_label(found.value),
        "words": [None if level is None else cefr_label(level) for level in found.words or [None] * len(words)],
        "above": sorted(part.tokens[0] for part in hard if part.what == WORD and target is not None),
        "hard": [_shown(part, words) for part in _distinct(hard, words)[:SHOWN]],
    }


def _shown(part: Hard, words: Sequence[str]) -> dict[str, Any]:
    return {
        "what": part.what,
        "tokens": list(part.tokens),
        "text": " ".join(words[at] for at in part.tokens),
        "level": round(part.level, 1),
        "label": cefr_label(part.level),
    }


def _distinct(parts: Sequence[Hard], words: Sequence[str]) -> list[Hard]:
    """Each word and construction once, at its hardest occurrence."""
    found: dict[str, Hard] = {}
    for part in parts:
        key = words[part.tokens[0]].lower() if part.what == WORD else part.what
        found.setdefault(key, part)
    return list(found.values())


class _MeanLevel(LevelMetric):
    """The mean over the items that have a number.

    Attributes:
        nothing: the score of an item without a number.
    """

    nothing: ClassVar[float] = 1.0

    @abstractmethod
    def levels(self, items: Sequence[Item]) -> Sequence[float]:
        """A number for each item, NaN for none."""

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The number, rounded, and a count of 1; zeros for an item without."""
        return [
            (0.0, 0.0) if math.isnan(level) else (round(level, NETWORK_DECIMALS), 1.0) for level in self.levels(items)
        ]

    def value(self, row: Row) -> float:
        """The mean; :attr:`nothing` if no item has a number."""
        total, count = row
        return total / count if count else self.nothing


class Cefr(_MeanLevel):
    """The level of the output."""

    name = "cefr"
    description = "the output's CEFR level, 1 (A1) to 6 (C2)"
    higher_is_better = False
    range = (1.0, 6.0)

    def levels(self, items: Sequence[Item]) -> Sequence[float]:
        """The level of every output."""
        return [found.value for found in self.outputs(items)]


class CefrSource(_MeanLevel):
    """The level of the source."""

    name = "cefr_source"
    description = "the source's CEFR level, 1 (A1) to 6 (C2)"
    higher_is_better = False
    range = (1.0, 6.0)

    def levels(self, items: Sequence[Item]) -> Sequence[float]:
        """The level of every source."""
        return [found.value for found in self.sources(items)]


class CefrDrop(_MeanLevel):
    """How many levels the output is below its source."""

    name = "cefr_drop"
    description = "how many CEFR levels the output is below the source"
    range = (-5.0, 5.0)
    nothing = 0.0

    def levels(self, items: Sequence[Item]) -> Sequence[float]:
        """The source's level less the output's."""
        pairs = zip(self.sources(items), self.outputs(items), strict=True)
        return [source.value - output.value for source, output in pairs]


class TargetMetric(LevelMetric):
    """A metric of levels against targets; an output without words counts as a miss of the highest level."""

    needs_target = True

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The row of each output's whole level and its target.

        Raises:
            InputError: an item has no target.
        """
        found = []
        for item, level in zip(items, self.outputs(items), strict=True):
            target = self.target_of(item)
            if target is None:
                raise InputError(f"{self.name} needs a target; set cefr.target=A2, say, or give the item one")
            if not 1 <= rounded(target) <= len(CEFR):
                raise InputError(f"{target:g} is no CEFR level; write A1 to C2, or a number from 1 to {len(CEFR)}")
            value = float(len(CEFR)) if math.isnan(level.value) else level.value
            missing = math.isnan(level.value)
            found.append(self.row(min(max(rounded(value), 1), len(CEFR)), rounded(target), missing=missing))
        return found

    @abstractmethod
    def row(self, level: int, target: int, *, missing: bool) -> Row:
        """The numbers of one item; ``missing``: the output has no words."""


class CefrHit(TargetMetric):
    """The percentage of outputs at the target level or below."""

    name = "cefr_hit"
    description = "percentage of outputs at the target level or below"

    def row(self, level: int, target: int, *, missing: bool) -> Row:
        """Whether it is, and a count of 1."""
        return float(level <= target and not missing), 1.0

    def value(self, row: Row) -> float:
        """The percentage."""
        return 100 * row[0] / row[1]


class CefrAdjacent(CefrHit):
    """The percentage of outputs within one level of the target."""

    name = "cefr_adjacent"
    description = "percentage of outputs within one level of the target"

    def row(self, level: int, target: int, *, missing: bool) -> Row:
        """Whether it is, and a count of 1."""
        return float(abs(level - target) <= 1 and not missing), 1.0


class CefrRmse(TargetMetric):
    """The root of the mean squared distance from the target, in levels."""

    name = "cefr_rmse"
    description = "root mean squared distance of the output's level from the target"
    higher_is_better = False
    range = (0.0, 5.0)

    def row(self, level: int, target: int, *, missing: bool) -> Row:
        """The squared distance and a count of 1."""
        return float((level - target) ** 2), 1.0

    def value(self, row: Row) -> float:
        """The root of the mean."""
        return math.sqrt(row[0] / row[1])


class CefrF1(TargetMetric):
    """F1 of the outputs' levels, taken as a classification of the targets and weighted by the targets' numbers."""

    name = "cefr_f1"
    description = "F1 of output levels against targets, weighted by how often a level is the target"

    def row(self, level: int, target: int, *, missing: bool) -> Row:
        """The confusion counts, target by target, and last those without words."""
        counts = [0.0] * (len(CEFR) ** 2 + len(CEFR))
        counts[len(CEFR) ** 2 + target - 1 if missing else (target - 1) * len(CEFR) + level - 1] = 1.0
        return tuple(counts)

    def value(self, row: Row) -> float:
        """The weighted F1, as a percentage."""
        size = len(CEFR)
        table = [row[start : start + size] for start in range(0, size * size, size)]
        found = weight = 0.0
        for level in range(size):
            targets = sum(table[level]) + row[size * size + level]
            read = sum(line[level] for line in table)
            weight += targets
            found += targets * 2 * table[level][level] / (targets + read) if targets else 0.0
        return 100 * found / weight
