"""CEFR levels of output and source, and whether the output meets a target level.

``cefr_hit`` and ``cefr_adjacent`` are computed from whole levels, as in the TSAR 2025 shared task. A text without words
has no level: its item has no score, is left out of means, and meets no target.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from sema.errors import InputError, ResourceError, UsageError
from sema.metrics.base import NETWORK_DECIMALS, Item, Metric, Need, Row, row_mean
from sema.model.levels import CEFR, LevelReader, TextLevel, level_evidence, parse_level, rounded, whole_level
from sema.model.text import Text
from sema.runtime.caching import Cache
from sema.runtime.hugging_face import LocalModel, by_length

if TYPE_CHECKING:
    from numpy import float32
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
        if Need.TARGET in item.invalid:  # the option's target is no substitute
            raise item.invalid[Need.TARGET]
        target = self.target if item.target is None else item.target
        if target is not None and not 1 <= rounded(target) <= len(CEFR):
            raise InputError(f"{target:g} is not a CEFR level; write A1 to C2, or a number from 1 to {len(CEFR)}")
        return target

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


class CefrHit(LevelMetric, name="cefr_hit"):
    """Percentage of outputs at the target level or below.

    An output without words is above every target.
    """

    needs_target = True

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """Whether each output meets its target, and a count of 1; an item without a target is an error."""
        found = []
        for item, level in zip(items, self.levels(items), strict=True):
            target = self._target_of(item)
            if target is None:
                raise InputError(f"{self.name} needs a target; set cefr.target=A2, say, or give the item one")
            whole = math.inf if math.isnan(level.value) else whole_level(level.value)
            found.append((float(self._meets(whole, rounded(target))), 1.0))
        return found

    def _meets(self, level: float, target: int) -> bool:
        return level <= target

    def value(self, row: Row) -> float:
        return 100 * row_mean(row)


class CefrAdjacent(CefrHit, name="cefr_adjacent"):
    """Percentage of outputs within one level of the target."""

    def _meets(self, level: float, target: int) -> bool:
        return abs(level - target) <= 1


class LevelModel(LocalModel):
    """A level reader from a local Hugging Face folder with a sequence-classification model.

    Its labels contain the names of levels (``A1`` … ``C2``); a text has the level of the most likely one. Texts are
    truncated to the model's maximum length.
    """

    def __init__(self, folder: str) -> None:
        super().__init__(folder, "AutoModelForSequenceClassification", "classifier")
        labels = [str(self.model.config.id2label[number]) for number in range(self.model.config.num_labels)]
        named = [re.search(r"(?<![A-Z0-9])[ABC][12](?![0-9])", label.upper().replace("_", " ")) for label in labels]
        self._levels = [float(CEFR.index(match[0]) + 1) for match in named if match]
        if len(self._levels) < len(labels):
            shown = ", ".join(labels[:8])
            raise ResourceError(
                f"the labels of {folder} ({shown}) are not CEFR levels; name them A1 to C2 in its config.json"
            )
        self.signature = f"model={self.name}"
        self._kept: Cache[str, float] = Cache()

    def read(self, texts: Iterable[tuple[Text, NDArray[float32] | None]]) -> Sequence[TextLevel]:
        """The level of each text; NaN for one without words. States are not used."""
        given = [text for text, _ in texts]
        known = self._kept.lookup((text.raw for text in given if text.words), self._classified)
        return [TextLevel(known[text.raw] if text.words else math.nan) for text in given]

    def _classified(self, texts: list[str]) -> list[float]:
        import torch

        by_text: dict[str, float] = {}
        for batch in by_length(texts, BATCH):
            inputs = self.tokenizer(batch, padding=True, truncation=True, max_length=self.length, return_tensors="pt")
            with torch.inference_mode():
                best = self.model(**inputs.to(self.device)).logits.argmax(-1).tolist()
            by_text.update((text, self._levels[label]) for text, label in zip(batch, best, strict=True))
        return [by_text[text] for text in texts]


_level_model = lru_cache(maxsize=2)(LevelModel)
