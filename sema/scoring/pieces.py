"""Helpers for a stream of chunks: divide the first chunk, and keep a metric's rows to one length."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from sema.errors import InputError, SemaError
from sema.scoring.inputs import Chunk
from sema.scoring.item_scores import ItemScore


def first_in_pieces(chunks: Iterator[Chunk], least: int) -> Iterator[Chunk]:
    """The chunks, the first of them in pieces: two of ``least`` items, then each as large as all before it."""
    for first in islice(chunks, 1):
        start = 0
        while start < len(first):
            end = max(2 * start, least)
            yield first.part(start, end)
            start = end
    yield from chunks


def summable(item: ItemScore, widths: dict[str, int]) -> ItemScore:
    """The item without scores whose rows cannot be summed: they differ in length from earlier items' (``widths``)."""
    errors: dict[str, SemaError] = {}
    for name, row in item.rows.items():
        width = widths.setdefault(name, len(row))
        if len(row) != width:
            what = f"it returns {len(row)} numbers for this item and {width} for others"
            errors[name] = InputError(f"{name} cannot score this item ({what}); leave the metric or the item out")
    return item.without(errors)
