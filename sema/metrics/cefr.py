"""CEFR levels of output and source, and whether the output meets a target level.

``cefr_adjacent``, ``cefr_rmse`` and ``cefr_f1`` are computed from whole levels, as in the TSAR 2025 shared task. A text
without words has no level: its item has no score, is left out of means, and meets no target.
"""

from __future__ import annotations

import math
import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

import numpy as np

from sema.errors import InputError, ResourceError, UsageError
from sema.metrics.base import NETWORK_DECIMALS, Item, Metric, Need, Row, row_mean
from sema.model.levels import CEFR, LevelReader, TextLevel, level_evidence, parse_level, rounded, whole_level
from sema.model.text import Text
from sema.runtime.caching import Cache
from sema.runtime.hugging_face import LocalModel, by_length

if TYPE_CHECKING:
    from numpy import float32, float64
    from numpy.typing import NDArray

    from sema.model.language import Parts

BATCH = 32
Side = Literal["source", "output"]


class LevelMetric(Metric):
    """A metric of CEFR levels, read by the language's level reader or by ``model``.

    Raises:
        InputError: the target is not a CEFR level.
        ResourceError: the language has no level reader, the folder holds no such model, or torch or transformers is
            not installed.
    """

    settings_name = "cefr"
    requires = frozenset({Need.STATES})
    needs_target: ClassVar[bool] = False
    reads: ClassVar[tuple[Side, ...]] = ("output",)

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
        self._readers: Mapping[Side, LevelReader | None] = {}

    def bind(self, parts: Parts) -> Self:
        bound = copy(self)
        model = None if self._model is None else _level_model(str(self._model))
        sides: Mapping[Side, Parts] = {"output": parts, "source": parts.of_sources}
        bound._readers = {side: model or own.levels for side, own in sides.items()}
        for side in self.reads:
            if bound._readers[side] is None:
                raise ResourceError(
                    f"nothing reads CEFR levels in language {sides[side].code!r}; name a classifier with cefr.model, "
                    f"or leave {self.name} out"
                )
        return bound

    @property
    def signature(self) -> str:
        target = [] if self.target is None else [f"target={self.target:g}"]
        readers = [reader.signature for side in self.reads if (reader := self._readers.get(side))]
        return ",".join([*target, *dict.fromkeys(readers)])

    def levels(self, items: Sequence[Item], side: Side = "output") -> list[TextLevel]:
        """The level of every output or source, rounded so that it is the same on every processor."""
        if not self._readers:
            raise InputError(f"{self.name} works in a scorer, or after bind(parts) for a language")
        reader = self._readers[side]
        if reader is None:  # the language of a text that is only shown has no level reader
            return [TextLevel(math.nan)] * len(items)
        by_states = Need.STATES in self.requires
        texts = [(getattr(item, side), getattr(item, f"{side}_states") if by_states else None) for item in items]
        read = reader.read(texts)
        return [replace(level, value=round(level.value, NETWORK_DECIMALS)) for level in read]

    def _target_of(self, item: Item) -> float | None:
        return self.target if item.target is None else item.target

    def explain(self, item: Item) -> dict[str, Any]:
        """The levels of both texts (:meth:`~sema.model.levels.TextLevel.described`) and the target."""
        (output,), (source,) = self.levels([item]), self.levels([item], "source")
        return level_evidence(item, source, output, self._target_of(item))


def _checked_target(target: object) -> float:
    try:
        value = parse_level(target)
    except InputError:
        value = math.nan
    if not value <= len(CEFR):
        raise UsageError(f"cefr.target cannot be {target!r}; write A1 to C2, or a number from 1 to {len(CEFR)}")
    return value


class Cefr(LevelMetric, name="cefr"):
    """The output's CEFR level, 1 (A1) to 6 (C2)."""

    higher_is_better = False
    range = (1.0, 6.0)

    def numbers(self, items: Sequence[Item]) -> Sequence[float]:
        """A number for each item, NaN if it has none; the score is their mean."""
        return [level.value for level in self.levels(items, self.reads[0])]

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The rounded number and a count of 1; zeros for an item without a number."""
        numbers = self.numbers(items)
        return [(0.0, 0.0) if math.isnan(number) else (round(number, NETWORK_DECIMALS), 1.0) for number in numbers]

    def value(self, row: Row) -> float:
        """The mean; NaN if no item has a number."""
        return row_mean(row)


class CefrSource(Cefr, name="cefr_source"):
    """The source's CEFR level, 1 (A1) to 6 (C2)."""

    reads = ("source",)


class CefrDrop(Cefr, name="cefr_drop"):
    """How many CEFR levels the output is below the source."""

    reads = ("output", "source")
    higher_is_better = True
    range = (-5.0, 5.0)

    def numbers(self, items: Sequence[Item]) -> Sequence[float]:
        pairs = zip(self.levels(items, "source"), self.levels(items), strict=True)
        return [source.value - output.value for source, output in pairs]


class TargetMetric(LevelMetric):
    """A metric of levels against targets; an output without words is above every target, in ``cefr_rmse`` at C2."""

    needs_target = True

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """A row from each output's whole level and target; an item without a target is an error."""
        sums = []
        for item, level in zip(items, self.levels(items), strict=True):
            if Need.TARGET in item.invalid:  # the option's target is no substitute
                raise item.invalid[Need.TARGET]
            target = self._target_of(item)
            if target is None:
                raise InputError(f"{self.name} needs a target; set cefr.target=A2, say, or give the item one")
            if not 1 <= rounded(target) <= len(CEFR):
                raise InputError(f"{target:g} is no CEFR level; write A1 to C2, or a number from 1 to {len(CEFR)}")
            whole = math.inf if math.isnan(level.value) else whole_level(level.value)
            sums.append(self._row(whole, rounded(target)))
        return sums

    @abstractmethod
    def _row(self, level: float, target: int) -> Row:
        """The row of one item; the level of an output without words is infinite."""


class CefrHit(TargetMetric, name="cefr_hit"):
    """Percentage of outputs at the target level or below."""

    def _row(self, level: float, target: int) -> Row:
        return float(level <= target), 1.0

    def value(self, row: Row) -> float:
        return 100 * row[0] / row[1]


class CefrAdjacent(CefrHit, name="cefr_adjacent"):
    """Percentage of outputs within one level of the target."""

    def _row(self, level: float, target: int) -> Row:
        return float(abs(level - target) <= 1), 1.0


class CefrRmse(TargetMetric, name="cefr_rmse"):
    """Root mean squared distance of the output's level from the target."""

    higher_is_better = False
    range = (0.0, 5.0)

    def _row(self, level: float, target: int) -> Row:
        return float((min(level, len(CEFR)) - target) ** 2), 1.0

    def value(self, row: Row) -> float:
        return math.sqrt(row[0] / row[1])


class CefrF1(TargetMetric, name="cefr_f1"):
    """F1 of output levels against targets, weighted by how often a level is the target."""

    def _row(self, level: float, target: int) -> Row:
        """The confusion matrix (levels and none, targets), flattened; saved runs have this layout."""
        counts = np.zeros((len(CEFR) + 1, len(CEFR)))
        counts[-1 if math.isinf(level) else int(level) - 1, target - 1] = 1
        return tuple(counts.ravel().tolist())

    def value(self, row: Row) -> float:
        return float(weighted_f1(np.reshape(row, (-1, len(CEFR))).T))


def weighted_f1(counts: NDArray[float64]) -> NDArray[float64]:
    """F1 of levels weighted by the targets' frequencies, 0-100, of counts (…, targets, levels of outputs or none)."""
    targets, levels = counts.sum(-1), counts[..., :-1].sum(-2)
    hits = np.diagonal(counts[..., :-1], axis1=-2, axis2=-1)
    weighted = targets * 2 * hits / np.maximum(targets + levels, 1)
    return np.asarray(100 * weighted.sum(-1) / targets.sum(-1))


class LevelModel(LocalModel):
    """A level reader from a local Hugging Face folder with a sequence-classification model.

    Its labels must contain the names of levels (``A1`` … ``C2``), or be six unnamed ones (``LABEL_0`` …) from A1 up. A
    single output is taken as the level itself, a number from 1 to 6. A text's level is the most likely one. Texts are
    truncated to the model's maximum length.
    """

    def __init__(self, folder: str) -> None:
        super().__init__(folder, "AutoModelForSequenceClassification", "classifier")
        self._levels = _label_levels(self.model.config, folder)
        self.signature = f"model={self.name}"
        self._kept: Cache[str, float] = Cache()

    def read(self, texts: Iterable[tuple[Text, NDArray[float32] | None]]) -> Sequence[TextLevel]:
        """The level of each text; NaN for one without words. States are not used."""
        given = [text for text, _ in texts]
        known = self._kept.lookup((text.raw for text in given if text.words), self._classified)
        return [TextLevel(known[text.raw] if text.words else math.nan) for text in given]

    def _classified(self, texts: list[str]) -> list[float]:
        by_text: dict[str, float] = {}
        for batch in by_length(texts, BATCH):
            by_text.update(zip(batch, self._batch(batch), strict=True))
        return [by_text[text] for text in texts]

    def _batch(self, batch: list[str]) -> list[float]:
        import torch

        inputs = self.tokenizer(batch, padding=True, truncation=True, max_length=self.length, return_tensors="pt")
        with torch.inference_mode():
            logits = self.model(**inputs.to(self.device)).logits.float().cpu()
        if self._levels is None:
            return [min(max(float(value), 1.0), float(len(CEFR))) for value in logits[:, 0]]
        return [self._levels[int(best)] for best in logits.argmax(-1)]


def _label_levels(config: Any, folder: str) -> list[float] | None:
    """The level of each of the model's outputs; ``None`` where its only output is the level itself."""
    labels = [str(config.id2label[number]) for number in range(config.num_labels)]
    if len(labels) == 1:
        return None
    named = [re.search(r"(?<![A-Za-z0-9])([ABC][12])(?![0-9])", label.upper().replace("_", " ")) for label in labels]
    if all(named):
        return [float(CEFR.index(match[1]) + 1) for match in named if match]
    if len(labels) == len(CEFR) and all(re.fullmatch(r"LABEL_\d", label) for label in labels):
        return [float(number) for number in range(1, len(CEFR) + 1)]
    raise ResourceError(
        f"the labels of {folder} ({', '.join(labels[:8])}) are not CEFR levels; name them A1 to C2 in its config.json"
    )


_level_model = lru_cache(maxsize=2)(LevelModel)
