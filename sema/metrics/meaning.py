"""Meaning: what was kept, lost and added, 0-100, from the evidence of each item.

A language with a learned cross-encoder (:class:`sema.model.reading.CrossEncoder`) is scored by what it reads and by
conflicts between facts; every other language, and ``reader=none``, by links and conflicts alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from sema.metrics.base import NETWORK_DECIMALS, Item, MeanMetric, Need
from sema.model.item import Findings
from sema.model.reading import CrossEncoder

if TYPE_CHECKING:
    from sema.model.language import Parts

VERSION = 1
"""Of the scores without a reader."""


class MeaningMetric(MeanMetric):
    """One of the three; an empty output scores 0, a copy 100."""

    decimals = NETWORK_DECIMALS
    settings_name = "meaning"
    requires = frozenset({Need.MEANING})
    shows = frozenset({Need.GRAPHS, Need.OUTPUT_SCENES})

    def __init__(
        self,
        *,
        reader: Annotated[
            Literal["best", "none"], "best: the learned reader where the language has one; none: links and facts alone"
        ] = "best",
    ) -> None:
        self._by_links = reader == "none"
        self._reader: CrossEncoder | None = None
        if self._by_links:
            self.requires = self.requires - {Need.MEANING} | {Need.MEANING_BY_LINKS}

    def bind(self, parts: Parts) -> Self:
        bound = copy(self)
        bound._reader = None if self._by_links else parts.cross_encoder
        return bound

    @property
    def signature(self) -> str:
        return self._reader.signature if self._reader else f"reader:none+shares-{VERSION}"

    def findings(self, item: Item) -> Findings:
        """What was read in an item.

        Raises:
            ValueError: the item was made without it.
        """
        by_reader = item.findings_by_links if self._by_links else item.findings
        if by_reader is None:
            raise ValueError(f"{self.name} scores the items that a Scorer prepares for it")
        return by_reader

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [round(self.findings(item).scores[self.name], 10) for item in items]

    def explain(self, item: Item) -> dict[str, Any]:
        """The words' probabilities and the Scenes' states, as ``sema explain`` prints them."""
        return {"output": list(item.output.words), **self.findings(item).evidence.to_dict()}


class MeaningScore(MeaningMetric, name="meaning"):
    """Whether the output says what the source says: 90 to 100 all that matters is kept, under 50 misleading."""

    default = True


class MeaningRecall(MeaningMetric, name="meaning_recall"):
    """What was lost: how far the output keeps what the source says."""


class MeaningPrecision(MeaningMetric, name="meaning_precision"):
    """What was added or changed: how far the source supports what the output says."""
