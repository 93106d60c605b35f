"""Meaning: what was kept, lost and added, 0-100, from the evidence of each item.

A language with a learned cross-encoder (:class:`sema.model.reading.CrossEncoder`) is scored by that model's readings;
every other language, and ``reader=none``, by links alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from sema.metrics.base import NETWORK_DECIMALS, Item, MeanMetric, Need
from sema.model.evidence import SharedEvidence
from sema.model.item import Findings
from sema.model.reading import CrossEncoder
from sema.options import LOCAL

if TYPE_CHECKING:
    from sema.model.language import Parts

VERSION = 2
"""The version of the scores without a reader."""
BY_LINKS = frozenset({Need.MEANING_BY_LINKS})
"""What the metrics require without a reader."""


class MeaningMetric(MeanMetric):
    """One of the three meaning metrics; an empty output scores 0, a copy 100."""

    decimals = NETWORK_DECIMALS
    settings_name = "meaning"
    requires = frozenset({Need.MEANING})
    shows = frozenset({Need.GRAPHS, Need.OUTPUT_SCENES, Need.LINK_WEIGHTS})

    def __init__(
        self,
        *,
        reader: Annotated[
            str, "best: the language's own reader; none: links alone; or a folder with a model of entailment", LOCAL
        ] = "best",
    ) -> None:
        self._chosen = reader
        self._reader: CrossEncoder | None = None
        if reader == "none":
            self.requires = BY_LINKS

    def bind(self, parts: Parts) -> Self:
        bound = copy(self)
        if self.requires != BY_LINKS:
            parts.choose_reader(self._chosen, self._make_reader)
            bound._reader = parts.reader
            if bound._reader is None:
                bound.requires = BY_LINKS
        return bound

    def _make_reader(self, parts: Parts) -> CrossEncoder | None:
        """The chosen reader; ``None``: the language's own."""
        if self._chosen == "best":
            return None
        from sema.meaning.entailment import EntailmentReader

        return EntailmentReader(Path(self._chosen))

    @property
    def signature(self) -> str:
        return self._reader.signature if self._reader else f"reader:none+shares-{VERSION}"

    def findings(self, item: Item) -> Findings:
        """The findings of an item; a ``ValueError`` if it was made without them."""
        by_reader = item.findings_by_links if self.requires == BY_LINKS else item.findings
        if by_reader is None:
            raise ValueError(f"{self.name} scores the items that a Scorer prepares for it")
        return by_reader

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [round(self.findings(item).scores[type(self).name], 10) for item in items]

    def explain(self, item: Item) -> dict[str, Any]:
        """The words' probabilities and the Scenes' states, as ``sema explain`` prints them."""
        return SharedEvidence(output=list(item.output.words), **self.findings(item).evidence.to_dict())


class MeaningScore(MeaningMetric, name="meaning"):
    """Whether the output says what the source says: from 90 on all that matters, under 50 the meaning is lost."""

    default = True


class MeaningRecall(MeaningMetric, name="meaning_recall"):
    """What was lost: how far the output keeps what the source says."""


class MeaningPrecision(MeaningMetric, name="meaning_precision"):
    """What was added or changed: how far the source supports what the output says."""
