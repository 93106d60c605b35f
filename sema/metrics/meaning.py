"""Meaning: what was kept, lost and added, 0-100, from the evidence of each item.

A language with a learned reader of pairs (:class:`sema.model.reading.PairReader`) is scored by what it reads and by
conflicts between facts; every other language, and ``reader=none``, by links and conflicts alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self
from weakref import WeakKeyDictionary

from sema.meaning.evidence import Findings, find
from sema.metrics.base import NETWORK_DECIMALS, Item, MeanMetric, Need
from sema.model.fact import FactReader
from sema.model.meaning import Meaning
from sema.model.reading import PairReader

if TYPE_CHECKING:
    from sema.model.language import Parts

VERSION = 1
"""Of the scores without a reader."""


class MeaningMetric(MeanMetric):
    """One of the three; an empty output scores 0, a copy 100."""

    decimals = NETWORK_DECIMALS
    settings_name = "meaning"
    requires = frozenset({Need.LINK_WEIGHTS, Need.GRAPHS, Need.OUTPUT_SCENES})

    def __init__(
        self,
        *,
        reader: Annotated[
            Literal["best", "none"], "best: the learned reader where the language has one; none: links and facts alone"
        ] = "best",
    ) -> None:
        self._wanted = reader
        self._reader: PairReader | None = None
        self._fact_readers: Sequence[FactReader] = ()
        self._function_words: Collection[str] = ()
        self._owner: object = self

    def bind(self, parts: Parts) -> Self:
        bound = copy(self)
        bound._fact_readers = parts.fact_readers
        bound._function_words = parts.function_words
        bound._reader = parts.pair_reader if self._wanted == "best" else None
        bound._owner = bound._reader or parts
        return bound

    @property
    def signature(self) -> str:
        return self._reader.signature if self._reader else f"reader:none+shares-{VERSION}"

    def evidence(self, items: Sequence[Item]) -> list[Meaning]:
        """The evidence of every item."""
        return [found.evidence for found in self._findings(items)]

    def _findings(self, items: Sequence[Item]) -> list[Findings]:
        """What was found in every item; the three metrics share it."""
        known = _FOUND.setdefault(self._owner, {})
        missing = [item for item in items if id(item) not in known]
        fresh = find(missing, self._fact_readers, self._function_words, self._reader)
        known.update((id(item), found) for item, found in zip(missing, fresh, strict=True))
        if missing:  # an item that is requested again, to be explained, does not evict the rest of its chunk
            _FOUND[self._owner] = {id(item): known[id(item)] for item in items}
        return [known[id(item)] for item in items]

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        return [round(found.scores[self.name], 10) for found in self._findings(items)]

    def explain(self, item: Item) -> dict[str, Any]:
        """The words' probabilities and the Scenes' states, as ``sema explain`` prints them."""
        (meaning,) = self.evidence([item])
        return {"output": list(item.output.words), **meaning.to_dict()}


_FOUND: WeakKeyDictionary[object, dict[int, Findings]] = WeakKeyDictionary()
"""By reader or language, what was found in the last requested chunk of items."""


class MeaningScore(MeaningMetric, name="meaning"):
    """Whether the output says what the source says: 90 to 100 nothing lost, under 50 misleading."""

    default = True


class MeaningRecall(MeaningMetric, name="meaning_recall"):
    """What was lost: how far the output keeps what the source says."""


class MeaningPrecision(MeaningMetric, name="meaning_precision"):
    """What was added or changed: how far the source supports what the output says."""
