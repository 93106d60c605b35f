"""How likely every link of an item is (:attr:`sema.model.item.Item.link_weights`), put together from its sentences."""

from __future__ import annotations

import mmap
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sema.alignment.context import STRENGTHS
from sema.model.links import Link
from sema.model.text import Text

Grid = NDArray[np.float32]
Sentences = tuple[tuple[str, ...], tuple[str, ...]]
"""A sentence of the source and one of the output, by their words."""
MANY = 1_000_000
"""Cells from which on most are zeros."""


def joined_weights(
    known: Mapping[Sentences, Grid],
    source: Text,
    output: Text,
    partners: Sequence[Sequence[int]],
) -> tuple[Grid, ...]:
    """For each output sentence the likelihoods (source tokens, its tokens): 0 but for the sentences it is paired with.

    ``known`` has those of pairs of sentences (source tokens, output tokens); ``partners`` the source sentences of each
    output sentence.
    """
    found = _blank(source, output)
    for grid, words, indexes in zip(found, output.sentence_words, partners, strict=True):
        for index in indexes:
            start, end = source.sentences[index]
            grid[start:end] = known[source.sentence_words[index], words]
    return found


def link_strengths(links: Sequence[Sequence[Link]], source: Text, output: Text) -> tuple[Grid, ...]:
    """The same where links are chosen and not weighed: how strong the kind of each is."""
    found = _blank(source, output)
    for grid, sentence in zip(found, links, strict=True):
        for link in sentence:
            grid[link.source, link.output] = STRENGTHS[link.kind] * link.weight
    return found


def _blank(source: Text, output: Text) -> tuple[Grid, ...]:
    """Zeros, of which only what is written to takes memory where they are many."""
    rows = len(source.words)
    size = rows * len(output.words)
    if size > MANY and hasattr(mmap, "MAP_PRIVATE"):
        # NumPy has the system lay large arrays out in pages of megabytes: a cell that is written to takes a whole one.
        private = mmap.mmap(-1, size * 4, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        whole = np.frombuffer(private, np.float32)
    else:
        whole = np.zeros(size, np.float32)
    return tuple(whole[rows * start : rows * end].reshape(rows, end - start) for start, end in output.sentences)
