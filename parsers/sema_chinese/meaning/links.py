"""Links that an aligner of tokens leaves out: numbers, listed words, characters that both texts have."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sema.meaning.blocks import link_blocks, with_cells
from sema.metrics.meaning.words import Side, both_sides
from sema.model.item import Item
from sema.model.links import LinkKind
from sema_chinese.meaning.numbers import match, numbers, unmatched
from sema_chinese.meaning.reading import Reading
from sema_chinese.meaning.spelling import Spelling
from sema_chinese.meaning.wording import groups, listed_places

if TYPE_CHECKING:
    from sema_chinese.facts import ChineseFacts


LISTED, SHORT = 0.9, 0.75
"""How sure a link between listed words is; where one of them is a single character."""
KINDS = {LinkKind.SYNONYM: 0.85, LinkKind.PARAPHRASE: 0.8, LinkKind.CONTEXTUAL: 0.62, LinkKind.HYPONYMY: 0.65}
"""How sure the aligner's links of these kinds are: plainer words for learned ones are what simplifying is."""
SURE = 0.9
"""From where a token needs no other link."""
SHARED = 0.8
"""How sure a word is whose characters all stand in words of the other text that have no counterpart either."""
EMPTY = frozenset("的地得了着过们之一个有是在不没无未非和与大小上中下为以其人年月日时可能会要这那来去")
"""Characters that say nothing by being shared."""


def read(item: Item, facts: ChineseFacts) -> tuple[Reading, Reading]:
    """Both sides with the probabilities that all these links give."""
    here = Spelling(item.source.words, tuple(item.source.sentences))
    there = Spelling(item.output.words, tuple(item.output.sentences))
    if item.source.words == item.output.words:
        source, output = both_sides(item, facts)
        return Reading(source, here, facts), Reading(output, there, facts)
    cells = _Cells(item)
    _link_listed(cells, here, there, facts)
    source, output = both_sides(item, facts, cells.said)
    for side, other in ((source, output), (output, source)):
        _share_characters(side, other, here if side is source else there, there if side is source else here)
    _link_numbers(source, output, here, there)
    return Reading(source, here, facts), Reading(output, there, facts)


class _Cells:
    """The aligner's links, each with how sure its kind is, and what is said of them beside that.

    Attributes:
        said: what counts in place of an aligner's likelihood, by output token and source token.
        taken, used: the source and output tokens that have a link as good as sure.
    """

    def __init__(self, item: Item) -> None:
        self._item = item
        self._sentence_of = [number for number, (a, b) in enumerate(item.output.sentences) for _ in range(a, b)]
        self.said: dict[int, dict[int, float]] = {}
        for found, (start, _) in zip(item.links, item.output.sentences, strict=False):
            for link in found:
                if link.kind in KINDS:
                    self.said.setdefault(start + link.output, {})[link.source] = KINDS[link.kind]
        rows = np.zeros(len(item.source.words), np.bool_)
        self.used: set[int] = set()
        for block in (with_cells(found, self.said) for found in link_blocks(item)):
            sure = block.links.astype(np.float64) >= SURE  # in single precision a word's other form would be
            rows[block.rows] |= sure.any(1)
            self.used.update((block.start + np.flatnonzero(sure.any(0))).tolist())
        self.taken: set[int] = set(np.flatnonzero(rows).tolist())

    def raise_to(self, source: int, output: int, sure: float) -> None:
        """Have a link be at least as sure."""
        known = self.said.setdefault(output, {})
        known[source] = max(known[source] if source in known else self._likelihood(source, output), sure)

    def _likelihood(self, source: int, output: int) -> float:
        number = self._sentence_of[output]
        if not self._item.link_weights:
            return 0.0
        return float(self._item.link_weights[number][source, output - self._item.output.sentences[number][0]])


def _link_listed(cells: _Cells, here: Spelling, there: Spelling, facts: ChineseFacts) -> None:
    """Link the tokens of listed words for each other, the longest and nearest first, each token once."""
    known = groups()
    waiting: dict[int, list[tuple[str, int, int]]] = {}
    for place in listed_places(there):
        for group in known[place.word]:
            waiting.setdefault(group, []).append((place.word, place.begin, place.end))
    found = []
    ratio = len(there.chars) / max(1, len(here.chars))
    for place in listed_places(here):
        for group in known[place.word]:
            for word, begin, end in waiting.get(group, ()):
                if word != place.word and not facts.opposed(word, place.word):
                    off = abs(place.begin * ratio - begin) / max(1, len(there.chars))
                    short = min(len(word), len(place.word)) == 1
                    found.append((short, off - 0.1 * (len(word) + len(place.word)), place.begin, place.end, begin, end))
    taken, used = cells.taken, cells.used
    for short, _, first, last, begin, end in sorted(set(found)):
        sources, outputs = here.tokens(first, last), there.tokens(begin, end)
        if all(t in taken for t in sources) or all(t in used for t in outputs):
            continue
        sure = SHORT if short else LISTED
        for t in sources:
            share = _covered(here, t, first, last)
            for o in outputs:
                if t not in taken or o not in used:
                    cells.raise_to(t, o, sure * min(share, _covered(there, o, begin, end)))
        taken.update(sources)
        used.update(outputs)


def _covered(spelling: Spelling, token: int, begin: int, end: int) -> float:
    """The share of a token's characters in a range of characters."""
    start, stop = spelling.starts[token], spelling.starts[token + 1]
    return (min(stop, end) - max(start, begin)) / max(1, stop - start)


def _share_characters(side: Side, other: Side, here: Spelling, there: Spelling) -> None:
    """Raise words without a counterpart whose characters stand in such words of the other text."""
    free = {
        char: o
        for o in range(len(other.words))
        if other.probabilities[o] < 0.95 and not other.weak[o]
        for char in there.plain[o]
        if char not in EMPTY
    }
    for t in range(len(side.words)):
        if side.weak[t] or side.probabilities[t] >= SHARED or not here.plain[t]:
            continue
        chars = [char for char in here.plain[t] if char in free]
        share = SHARED * len(chars) / len(here.plain[t])
        if share > side.probabilities[t]:
            side.probabilities[t] = share
            side.partners[t] = free[chars[0]] if side.partners[t] < 0 else side.partners[t]


def _link_numbers(source: Side, output: Side, here: Spelling, there: Spelling) -> None:
    """Numbers of several words are kept as wholes, or not at all."""
    mine, theirs = numbers(here), numbers(there)
    for side, found in zip((source, output), unmatched(mine, theirs), strict=True):
        for number in found:
            for t in number.tokens:
                side.probabilities[t] = 0.0
    for one, other in match(mine, theirs):
        for t in one.tokens:
            source.probabilities[t], source.partners[t] = 1.0, other.tokens[0]
        for t in other.tokens:
            output.probabilities[t], output.partners[t] = 1.0, one.tokens[0]
