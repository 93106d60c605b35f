"""The conflicts of a pair, and what is found in one that no reader has read: by links and conflicts alone."""

from __future__ import annotations

from collections.abc import Sequence

from sema.meaning.compare import conflicts
from sema.meaning.edits import near_copy
from sema.meaning.findings import Findings
from sema.meaning.signals import WordSide
from sema.model.fact import Conflict, FactReader
from sema.model.item import Item
from sema.model.reading import PairReader


def unread(item: Item, readers: Sequence[FactReader], sides: tuple[WordSide, WordSide]) -> Findings:
    """The findings of an item, whose ``sides`` are what its words count and how likely they are linked."""
    return Findings(item, None, all_conflicts(item, readers, sides), None, sides)


def all_conflicts(
    item: Item, readers: Sequence[FactReader], sides: tuple[WordSide, WordSide], reader: PairReader | None = None
) -> list[Conflict]:
    """The conflicts between facts, or else the one that a near copy shows, unless the reader of pairs sees those."""
    found = conflicts(item, readers)
    return found if found or (reader is not None and reader.sees_copies) else near_copy(item, sides)
