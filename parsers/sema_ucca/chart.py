"""Chart decoding: the tree with the highest sum of span scores among those with compatible labels.

A span's score is its label's minus the null label's, so that a null span costs nothing and a binary tree represents an
n-ary one (Stern, Andreas and Klein, ACL 2017, section 3). In addition, every cell holds for each kind of unit
(:mod:`sema_ucca.families`) the best row of children of that kind, with its head and without it. CKY by span length:
a few NumPy operations fill all cells of a length in all sentences; ``O(n)`` operations, ``O(n^3)`` additions.

The chart stores scores only: the best trees are traced back afterwards, length by length from the longest, in all
sentences at once. Sentences are the last axis of every array, so that operations run over contiguous memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sema_ucca.families import BARE, KINDS, LINKED, SCENE

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Length = TypeVar("Length", int, Ints)

HEADLESS = np.float32(2.0)
"""The cost of a unit without a head (tuned on dev)."""
ROOTLESS = np.float32(3.0)
"""The cost of a sentence that is not a row of parallel Scenes."""
HEAD, REST = range(2)
"""Rows of children with a head, and without."""
_ROWS = 2 * KINDS
"""The number of kinds of rows of children: each kind with a head, then each without."""


class Spans(NamedTuple):
    """The spans of a batch of sentences, those of one word first, then of two and so on, each length left to right.

    Attributes:
        scores: of each span's label choices (choices, spans, sentences); the chart adds the scores of the children.
        places: the cost of each choice at each place (2, kinds, choices, spans, sentences): with heads, without.
        insides: the cost of each kind for each choice (kinds and bare, choices, spans, sentences).
    """

    scores: Floats
    places: Floats
    insides: Floats


def first_cell(length: Length, size: int) -> Length:
    """The index of the first span of ``length`` words among the spans of a sentence of ``size`` words."""
    return (length - 1) * size - (length - 1) * (length - 2) // 2


class Chart:
    """The filled chart of a batch of sentences of at most ``size`` words."""

    def __init__(self, spans: Spans, size: int) -> None:
        self.spans = spans
        self.size = size
        self._batch = batch = spans.scores.shape[-1]
        shape = (size + 1, 3, KINDS, size, batch)
        self._left: Floats = np.empty(shape, np.float32)
        """Left parts of a row of several children, by length and first word: with the head; without it, for a head on
        the right; without it, for a row that has no head."""
        self._right: Floats = np.empty(shape, np.float32)
        """The right parts that match them, by length and last word, so that slices align the two parts of a span: any
        row, one with the head, one without."""
        self._several: list[Floats] = [np.empty(0, np.float32)] * (size + 1)
        """The best rows of several children, by length (2, kinds, first words, sentences)."""
        for length in range(1, size + 1):
            begin = first_cell(length, size)
            self._fill(length, slice(begin, begin + size - length + 1))

    def _fill(self, length: int, cells: slice) -> None:
        """Fill the cells of one length."""
        count = cells.stop - cells.start
        units = self.spans.scores[:, cells]
        if length > 1:
            left = self._left[1:length, :, :, :count]
            several = (left + self._right[length - 1 : 0 : -1, :, :, length - 1 :]).max(0)
            np.maximum(several[0], several[1], out=several[1])
            several = self._several[length] = several[1:]
            contents = several[REST] - HEADLESS
            np.maximum(contents, several[HEAD], out=contents)
            costs = self.spans.insides[:, :, cells]
            inside = (costs[:KINDS] + contents[:, None]).max(0)
            units += np.maximum(inside, costs[BARE], out=inside)
        best = (units + self.spans.places[:, :, :, cells]).max(2)
        if length > 1:
            np.maximum(best, several, out=best)
        self._left[length, 0, :, :count], self._left[length, 1:, :, :count] = best[HEAD], best[REST]
        right = self._right[length, :, :, length - 1 :]
        right[1:] = best
        np.maximum(best[HEAD], best[REST], out=right[0])
        right[0, SCENE] = best[REST, SCENE]  # a Scene has one main relation: only other children stand beside it

    def trees(self, words: Sequence[int]) -> Iterator[tuple[int, Ints, Ints, Ints]]:
        """The spans of the best trees of sentences of so many words, by length, the longest first.

        For each length: the spans' first words, their sentences, and the indexes of their labels among the choices.
        """
        waiting: list[list[int]] = [[] for _ in range(self.size + 1)]
        for length, row in zip(words, self._roots(words), strict=True):
            waiting[length].append(row)
        waiting[0] = []
        for length in range(self.size, 0, -1):
            if not waiting[length]:
                continue
            rows = np.array(waiting[length], np.int64)
            several, spots, choices = self._chosen(length, rows)
            yield length, *np.divmod(spots, self._batch), choices
            if length > 1:
                inside = self._inside(length, spots, choices)
                self._divide(length, np.concatenate((rows[several], inside)), waiting)

    def _roots(self, words: Sequence[int]) -> list[int]:
        """The rows of the best trees, each coded as a number: place (first word, then sentence) and kind of row."""
        sentences = np.arange(self._batch)
        scores = self._left[np.array(words, np.int64), :2, :, 0, sentences] - ROOTLESS
        scores[:, HEAD, LINKED] += ROOTLESS
        rows: list[int] = (sentences * _ROWS + scores.reshape(-1, _ROWS).argmax(1)).tolist()
        return rows

    def _chosen(self, length: int, rows: Ints) -> tuple[NDArray[np.bool_], Ints, Ints]:
        """Which rows have several children; for the others, the place and choice of their only child."""
        spots, sorts = np.divmod(rows, _ROWS)
        choices = len(self.spans.scores)
        cells = spots + first_cell(length, self.size) * self._batch
        units = self.spans.scores.reshape(choices, -1).take(cells, 1)
        places = self.spans.places.reshape(_ROWS, choices, -1)[sorts, :, cells].T
        ones = units + places
        chosen: Ints = ones.argmax(0)
        if length == 1:
            return np.zeros(len(rows), np.bool_), spots, chosen
        several = self._several[length].reshape(_ROWS, -1)[sorts, spots] > ones.max(0)
        alone = ~several
        return several, spots[alone], chosen[alone]

    def _inside(self, length: int, spots: Ints, choices: Ints) -> Ints:
        """The rows of children of the units at these places, for units that have children."""
        cells = spots + first_cell(length, self.size) * self._batch
        several = self._several[length].reshape(2, KINDS, -1).take(spots, 2)
        headless = several[REST] - HEADLESS
        full = several[HEAD] >= headless
        costs = self.spans.insides.reshape(KINDS + 1, len(self.spans.scores), -1)[:, choices, cells]
        costs[:KINDS] += np.maximum(several[HEAD], headless)
        kinds = costs.argmax(0)
        some = (kinds != BARE).nonzero()[0]
        kinds = kinds[some]
        rows: Ints = spots[some] * _ROWS + np.where(full[kinds, some], kinds, kinds + KINDS)
        return rows

    def _divide(self, length: int, rows: Ints, waiting: list[list[int]]) -> None:
        """Divide rows of several children in two, and queue the parts by their lengths."""
        batch, size = self._batch, self.size
        spots, sorts = np.divmod(rows, _ROWS)
        kinds = sorts % KINDS
        begin = kinds * (size * batch) + spots
        end = begin + (length - 1) * batch
        left = self._left.reshape(size + 1, 3, -1)[1:length].take(begin, 2)
        right = self._right.reshape(size + 1, 3, -1)
        sums = left + right[1:length].take(end, 2)[::-1]
        best, widths = sums.max(0), sums.argmax(0)
        ways = np.where(sorts >= KINDS, 2, best[1] > best[0])
        width = widths[ways, np.arange(len(rows))] + 1
        with_head, without = right[length - width, 1:, end].T
        headed = (ways == 1) | ((ways == 0) & (with_head > without) & (kinds != SCENE))
        lefts = spots * _ROWS + np.where(ways == 0, kinds, kinds + KINDS)
        rights = (spots + width * batch) * _ROWS + np.where(headed, kinds, kinds + KINDS)
        for wide, first, second in zip(width.tolist(), lefts.tolist(), rights.tolist(), strict=True):
            waiting[wide].append(first)
            waiting[length - wide].append(second)
