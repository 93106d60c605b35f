"""Chart decoding: the tree with the highest sum of span scores among those whose labels fit together.

A span's score is its label's less the null label's, so that a null span costs nothing and the binary tree stands for an
n-ary one (Stern, Andreas and Klein, ACL 2017, section 3). Here every cell holds, besides, for each kind of unit
(:mod:`sema_ucca.families`) the best row of children of that kind, with its head and without it. CKY by span length:
some NumPy operations fill all cells of a length in all sentences; ``O(n)`` operations, ``O(n^3)`` additions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sema_ucca.families import BARE, KINDS, LINKED, NEVER, SCENE

Floats = NDArray[np.float32]

HEADLESS = 2.0
"""What it costs a unit to have no head (tuned on dev)."""
ROOTLESS = 3.0
"""What it costs a sentence to be no row of parallel Scenes."""
HEAD, REST = range(2)
"""Rows of children with a head, and without."""


class Spans(NamedTuple):
    """The spans of a batch of sentences, those of one word first, then of two and so on, each length left to right.

    Attributes:
        scores: of each span's label choices (choices, sentences, spans).
        places: what each choice costs at each place (choices, 2, kinds, sentences, spans): with heads, without.
        insides: what it costs each choice to be of each kind (choices, kinds and bare, sentences, spans).
    """

    scores: Floats
    places: Floats
    insides: Floats


def first_cell(length: int, size: int) -> int:
    """The number of spans shorter than ``length`` in a sentence of ``size`` words: the place of the first so long."""
    return (length - 1) * size - (length - 1) * (length - 2) // 2


class Chart:
    """The filled chart of a batch of sentences of at most ``size`` words."""

    def __init__(self, spans: Spans, size: int) -> None:
        choices, batch, cells = spans.scores.shape
        self.size = size
        self._left = np.full((3, KINDS, batch, size, size + 1), NEVER, np.float32)
        """The left parts of a row of several, by first word, and by length as the last index: with the head, or without
        one where the head is on the right, or nowhere."""
        self._right = np.full_like(self._left, NEVER)
        """What may stand on their right, by last word, so that the parts of a span lie side by side: any row, one with
        the head, one without."""
        shape = (2, KINDS, batch, cells)
        self.choice = np.full(shape, -1, np.int8)
        """The choice that a row of one child is, or -1 for a row of several."""
        self.split = np.zeros(shape, np.int16)
        """Twice the length of the left part of a row of several; with a head, one more if it is in the right part."""
        self.headed = np.zeros((KINDS, batch, cells), np.bool_)
        """Whether the best row has a head."""
        self.kind = np.full((choices, batch, cells), BARE, np.int8)
        """The kind of a unit of each choice."""
        self.full = np.zeros((KINDS, batch, cells), np.bool_)
        """Whether the best unit of a kind has a head."""
        for length in range(1, size + 1):
            begin = first_cell(length, size)
            self._fill(spans, length, slice(begin, begin + size - length + 1))

    def _fill(self, spans: Spans, length: int, cells: slice) -> None:
        """Fill the cells of one length."""
        count = cells.stop - cells.start
        units = spans.scores[..., cells]
        if length > 1:
            several = self._joined(length, cells, count)
            contents = np.stack((several[HEAD], several[REST] - np.float32(HEADLESS)))
            self.full[..., cells] = contents[0] >= contents[1]
            costs = spans.insides[..., cells].copy()
            costs[:, :KINDS] += contents.max(0)
            self.kind[..., cells] = costs.argmax(1)
            units = units + costs.max(1)
        ones = units[:, None, None] + spans.places[..., cells]
        best = ones.max(0)
        self.choice[..., cells] = ones.argmax(0)
        if length > 1:
            longer = several > best
            self.choice[..., cells][longer] = -1
            best = np.where(longer, several, best)
        self.headed[..., cells] = best[HEAD] > best[REST]
        either = best.max(0)
        either[SCENE] = best[REST, SCENE]  # a Scene has one main relation: beside it there is room for the rest alone
        self.headed[SCENE, :, cells] = False
        ends = slice(length - 1, None)
        self._left[0, ..., :count, length], self._left[1:, ..., :count, length] = best[HEAD], best[REST]
        self._right[0, ..., ends, length], self._right[1:, ..., ends, length] = either, best

    def _joined(self, length: int, cells: slice, count: int) -> Floats:
        """The best rows of several children (2, kinds, sentences, cells)."""
        left = self._left[..., :count, 1:length]
        rows = left + self._right[..., length - 1 :, length - 1 : 0 : -1]
        best, widths = rows.max(4), 2 * rows.argmax(4) + 2
        later = best[1] > best[0]
        self.split[REST, :, :, cells] = widths[2]
        self.split[HEAD, :, :, cells] = np.where(later, widths[1] + 1, widths[0])
        return np.stack((np.where(later, best[1], best[0]), best[2]))

    def spans(self, sentence: int, words: int) -> Iterator[tuple[int, int, int]]:
        """The spans of a sentence's best tree with their choices (first word, length, choice), from the top down."""
        scores = self._left[:2, :, sentence, 0, words].copy()
        scores -= ROOTLESS
        scores[HEAD, LINKED] += ROOTLESS
        head, kind = divmod(int(scores.argmax()), KINDS)
        stack = [(head, kind, 0, words, False)]
        while stack:
            head, kind, first, length, split = stack.pop()
            cell = first_cell(length, self.size) + first
            choice = -1 if split else self.choice.item(head, kind, sentence, cell)
            if choice >= 0:
                yield first, length, choice
                inside = self.kind.item(choice, sentence, cell)
                if length > 1 and inside != BARE:
                    full = self.full.item(inside, sentence, cell)
                    stack.append((HEAD if full else REST, inside, first, length, True))
                continue
            width, later = divmod(self.split.item(head, kind, sentence, cell), 2)
            right = first_cell(length - width, self.size) + first + width
            if head == REST:
                sides = REST, REST
            elif later:
                sides = REST, HEAD
            else:
                sides = HEAD, HEAD if self.headed.item(kind, sentence, right) else REST
            stack.append((sides[1], kind, first + width, length - width, False))
            stack.append((sides[0], kind, first, width, False))
