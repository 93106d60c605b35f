"""The findings about a pair: scores are computed at once, their evidence on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sema.meaning.evidence import gather, scored
from sema.meaning.signals import WordSide
from sema.model.fact import Conflict
from sema.model.item import Item
from sema.model.meaning import Meaning
from sema.model.reading import PairReading
from sema.model.scale import Scale


@dataclass(frozen=True)
class Findings:
    """An item with what was found in it.

    Attributes:
        item: the item.
        reading: what the reader made of it; ``None``: links stand for it.
        conflicts: between the facts of both texts.
        scale: the curves from signals to scores; ``None``: scores are shares of linked words.
        sides: what the words of both texts count, and how likely they are linked.
    """

    item: Item
    reading: PairReading | None
    conflicts: Sequence[Conflict]
    scale: Scale | None
    sides: tuple[WordSide, WordSide]

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """The three scores, 0-100."""
        return scored(self.item, self.reading, self.conflicts, self.scale, self.sides)

    @cached_property
    def evidence(self) -> Meaning:
        """What became of every word and Scene."""
        return gather(self.item, self.reading, self.conflicts, self.scale, self.sides)
