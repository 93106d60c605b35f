"""The links of two texts in blocks that fit into memory: one block, or one for each output sentence of long texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sema.model.item import Item

Grid = NDArray[np.floating]
Indexes = NDArray[np.int64]

WHOLE = 2_000_000
"""The largest product of the numbers of words of texts that are one block."""


@dataclass(frozen=True)
class Block:
    """Links of some source tokens with consecutive output tokens.

    Attributes:
        rows: the source tokens, ascending; others have no links in this block.
        start: the first output token.
        links: a copy of their probabilities (rows, output tokens).
    """

    rows: Indexes
    start: int
    links: NDArray[np.float32]

    @property
    def columns(self) -> slice:
        """The output tokens."""
        return slice(self.start, self.start + self.links.shape[1])


def link_blocks(item: Item) -> Iterator[Block]:
    """The links of an item; in a copy every word is linked to itself, whatever the aligner says."""
    rows, columns = len(item.source.words), len(item.output.words)
    if rows * columns > WHOLE:
        yield from _by_sentence(item)
    elif item.source.words == item.output.words:
        yield Block(np.arange(rows), 0, np.eye(rows, dtype=np.float32))
    else:
        links = np.zeros((rows, columns), np.float32)
        for (start, end), grid in zip(item.output.sentences, item.link_weights, strict=False):
            links[grid.rows, start:end] = grid.weights
        yield Block(np.arange(rows), 0, links)


def _by_sentence(item: Item) -> Iterator[Block]:
    copied = item.source.words == item.output.words
    for number, (start, end) in enumerate(item.output.sentences):
        if copied:
            yield Block(np.arange(start, end), start, np.eye(end - start, dtype=np.float32))
        elif item.link_weights:
            grid = item.link_weights[number]
            linked = grid.weights.any(1)
            yield Block(grid.rows[linked], start, grid.weights[linked])


class Peaks:
    """The likeliest link of every word of a text, (words,) each: its probability and the other text's token.

    A word without links has 0 and -1.
    """

    def __init__(self, words: int) -> None:
        self.values: Grid = np.zeros(words)
        self.partners: Indexes = np.full(words, -1)

    def take(self, rows: Indexes, columns: Indexes, links: Grid) -> None:
        """Add links of some words (rows) with words of the other text (columns); of equal links the first counts."""
        if not links.size:
            return
        likeliest = links.argmax(1)
        values = links[np.arange(len(rows)), likeliest]
        more = values > self.values[rows]
        self.values[rows[more]] = values[more]
        self.partners[rows[more]] = columns[likeliest[more]]
