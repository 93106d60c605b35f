"""How likely every link of an item is (:attr:`sema.model.item.Item.link_weights`), put together from its sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sema.alignment.context import STRENGTHS
from sema.model.links import Link, LinkGrid
from sema.model.text import Text

Sentences = tuple[tuple[str, ...], tuple[str, ...]]
"""A sentence of the source and one of the output, by their words."""


def joined_weights(
    known: Mapping[Sentences, NDArray[np.float32]], source: Text, output: Text, partners: Sequence[Sequence[int]]
) -> tuple[LinkGrid, ...]:
    """For each output sentence the likelihoods of links to the sentences that it is paired with.

    ``known`` has those of pairs of sentences (source tokens, output tokens); ``partners`` the source sentences of each
    output sentence, ascending.
    """
    found = []
    for words, indexes in zip(output.sentence_words, partners, strict=True):
        rows = [np.arange(*source.sentences[index]) for index in indexes]
        grids = [known[source.sentence_words[index], words] for index in indexes]
        empty = np.zeros((0, len(words)), np.float32)
        found.append(LinkGrid(np.concatenate([np.arange(0), *rows]), np.concatenate([empty, *grids])))
    return tuple(found)


def link_strengths(links: Sequence[Sequence[Link]], output: Text) -> tuple[LinkGrid, ...]:
    """The same where links are chosen and not weighed: how strong the kind of each is."""
    found = []
    for (start, end), sentence in zip(output.sentences, links, strict=True):
        rows = sorted({link.source for link in sentence})
        grid = np.zeros((len(rows), end - start), np.float32)
        for link in sentence:
            grid[rows.index(link.source), link.output] = STRENGTHS[link.kind] * link.weight
        found.append(LinkGrid(np.array(rows, np.int64), grid))
    return tuple(found)
