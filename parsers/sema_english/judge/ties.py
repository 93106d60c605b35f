"""What ties every word of one text to the words of the other: links, likeness in context, likeness in sense."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.meaning.blocks import link_blocks
from sema.model.item import Item

Numbers = NDArray[np.float32]
Indexes = NDArray[np.int64]
Vectors = tuple[Numbers, Numbers, Numbers, Numbers]
"""Unit vectors of contexts, of the source and the output, then those of senses: (tokens, width)."""


@dataclass(frozen=True)
class Ties:
    """Of every word of a text, (words,) each.

    Attributes:
        best, second: the probabilities of its likeliest links.
        partner: the word of the other text that the likeliest goes to, by index.
        total: the sum of its links' probabilities.
        context, sense: the cosine of the context, and of the sense, that is most alike.
        context_of_partner, sense_of_partner: the cosines to the partner.
    """

    best: Numbers
    second: Numbers
    partner: Indexes
    total: Numbers
    context: Numbers
    context_of_partner: Numbers
    sense: Numbers
    sense_of_partner: Numbers

    @staticmethod
    def of(links: Numbers, alike: Numbers, senses: Numbers) -> Ties:
        """Those of rows, to at least one column."""
        rows, partner = np.arange(len(links)), links.argmax(1)
        others = links.copy()
        others[rows, partner] = 0
        return Ties(
            links[rows, partner],
            others.max(1),
            partner,
            links.sum(1),
            alike.max(1),
            alike[rows, partner],
            senses.max(1),
            senses[rows, partner],
        )

    @staticmethod
    def none(words: int) -> Ties:
        """Nothing, for so many words."""
        nothing = np.zeros(words, np.float32)
        return Ties(nothing, nothing, np.zeros(words, np.int64), *[nothing] * 5)

    def joined(self, other: Ties, rows: Indexes) -> Ties:
        """With the other's ties of some words, which are with other words; of equally likely partners the first."""
        mine = Ties(*(getattr(self, f.name)[rows] for f in fields(self)))
        more = other.best > mine.best
        found = Ties(
            np.maximum(mine.best, other.best),
            np.maximum(np.minimum(mine.best, other.best), np.where(more, other.second, mine.second)),
            np.where(more, other.partner, mine.partner),
            mine.total + other.total,
            np.maximum(mine.context, other.context),
            np.where(more, other.context_of_partner, mine.context_of_partner),
            np.maximum(mine.sense, other.sense),
            np.where(more, other.sense_of_partner, mine.sense_of_partner),
        )
        return Ties(*(_put(getattr(self, f.name), rows, getattr(found, f.name)) for f in fields(self)))


def _put(whole: NDArray[Any], rows: Indexes, part: NDArray[Any]) -> NDArray[Any]:
    changed = whole.copy()
    changed[rows] = part
    return changed


def ties(item: Item, vectors: Vectors | None) -> tuple[Ties, Ties]:
    """Those of the source's words and of the output's; without ``vectors`` nothing is alike."""
    sizes = len(item.source.words), len(item.output.words)
    found = Ties.none(sizes[0]), Ties.none(sizes[1])
    for block in link_blocks(item):
        links, rows, columns = block.links, block.rows, block.columns
        if not links.size:
            continue
        alike = senses = np.zeros(links.shape, np.float32)
        if vectors is not None:
            here, there, meant, others = vectors
            alike, senses = here[rows] @ there[columns].T, meant[rows] @ others[columns].T
        mine, theirs = Ties.of(links, alike, senses), Ties.of(links.T, alike.T, senses.T)
        if links.shape == sizes:
            return mine, theirs
        mine, theirs = replace(mine, partner=mine.partner + block.start), replace(theirs, partner=rows[theirs.partner])
        found = found[0].joined(mine, rows), found[1].joined(theirs, np.arange(columns.start, columns.stop))
    return found
