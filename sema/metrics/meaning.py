"""Meaning: what was kept, lost and added, 0-100, from the evidence of each item.

A language with a learned reader of pairs (:class:`sema.model.reading.PairReader`) is scored by what it reads and by
conflicts between facts; every other language, and ``reader=none``, by links and conflicts alone.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from copy import copy
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self
from weakref import WeakKeyDictionary

from sema.meaning.compare import conflicts
from sema.meaning.evidence import gather, word_sides
from sema.meaning.focus import read_all
from sema.meaning.unread import unread
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
        """A copy with the language's function words, fact readers and pair reader."""
        bound = copy(self)
        bound._fact_readers = parts.fact_readers
        bound._function_words = parts.function_words
        bound._reader = parts.pair_reader if self._wanted == "best" else None
        bound._owner = bound._reader or parts
        return bound

    @property
    def signature(self) -> str:
        """The reader, or that there is none."""
        return self._reader.signature if self._reader else f"reader:none+shares-{VERSION}"

    def evidence(self, items: Sequence[Item]) -> list[Meaning]:
        """The evidence of every item; the three metrics share it."""
        known = _GATHERED.setdefault(self._owner, {})
        missing = [item for item in items if id(item) not in known]
        fresh = {id(item): (item, meaning) for item, meaning in zip(missing, self._gather(missing), strict=True)}
        known.update(fresh)
        if missing:  # an item that is requested again, to be explained, does not evict the rest of its chunk
            _GATHERED[self._owner] = {id(item): known[id(item)] for item in items}
        return [known[id(item)][1] for item in items]

    def _gather(self, items: Sequence[Item]) -> list[Meaning]:
        sides = [word_sides(item, self._function_words) for item in items]
        if self._reader is None:
            return [unread(item, self._fact_readers, both) for item, both in zip(items, sides, strict=True)]
        to_read = [index for index, item in enumerate(items) if _differ(item)]
        found = read_all(self._reader, [items[index] for index in to_read], [sides[index] for index in to_read])
        readings = dict(zip(to_read, found, strict=True))
        return [
            gather(item, readings.get(index), conflicts(item, self._fact_readers), self._reader.scale, sides[index])
            for index, item in enumerate(items)
        ]

    def scores(self, items: Sequence[Item]) -> Sequence[float]:
        """The score of every item."""
        return [round(self.score(meaning), 10) for meaning in self.evidence(items)]

    def score(self, meaning: Meaning) -> float:
        """The score of one item's evidence, 0-100."""
        assert meaning.scores is not None
        return meaning.scores[self.name]

    def explain(self, item: Item) -> dict[str, Any]:
        """The words' probabilities and the Scenes' states, as ``sema explain`` prints them."""
        (meaning,) = self.evidence([item])
        return {"output": list(item.output.words), **meaning.to_dict()}


def _differ(item: Item) -> bool:
    """Whether there is something to read: two different texts with words."""
    return bool(item.source.words and item.output.words) and item.source.words != item.output.words


_GATHERED: WeakKeyDictionary[object, dict[int, tuple[Item, Meaning]]] = WeakKeyDictionary()
"""By reader or language, the evidence of the last requested chunk of items."""


class MeaningScore(MeaningMetric):
    """How much of the meaning is kept with nothing added."""

    name = "meaning"
    description = "whether the output says what the source says: 90 to 100 nothing lost, under 50 misleading"
    default = True


class MeaningRecall(MeaningMetric):
    """How much of the source is kept."""

    name = "meaning_recall"
    description = "what was lost: how far the output keeps what the source says"


class MeaningPrecision(MeaningMetric):
    """How much of the output the source supports."""

    name = "meaning_precision"
    description = "what was added or changed: how far the source supports what the output says"
