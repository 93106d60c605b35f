"""Reads a pair again without what only one text has: so additions cost no recall, and omissions no precision.

A sentence that stands in the other text word for word is kept, whatever a reader says. A sentence without links that,
read alone, does not follow from the other text is unsupported there: it has nothing to say about what the rest keeps.
For recall the pair is read without the output's unsupported sentences, for precision without the source's; and none of
them makes an output better than it is without.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sema.meaning.pair import Apart
from sema.meaning.scores import Sides, WordSide
from sema.model.item import Item
from sema.model.reading import CrossEncoder, PairReading
from sema.model.text import Text

LINKED = 0.35
"""The share of a sentence's words with links below which it may be unsupported."""
FOLLOWS = 0.33
"""The probability, read alone, from which a sentence follows from the other text."""
LONGEST = 500
"""Words of both texts together up to which unsupported sentences are looked for; of longer texts a reader compares
parts that belong together, and unsupported sentences stand beside none."""
WHOLE = 0.999
"""The probability of a word whose sentence is in the other text word for word."""
_RECALL = "kept", "source_entailed", "source_judged"
_PRECISION = "supported", "output_entailed", "output_judged"
"""The attributes of a reading that are about the source, and about the output."""
Span = tuple[int, int]


class Focused(NamedTuple):
    """What a pair's reading is, and what it is without the output's unsupported sentences, if it has any."""

    reading: PairReading
    without: PairReading | None = None


class Unsupported(NamedTuple):
    """The sentences of the source and of the output that have no counterpart in the other text."""

    source: frozenset[Span] = frozenset()
    output: frozenset[Span] = frozenset()

    @property
    def tokens(self) -> Apart:
        """Their tokens in both texts."""
        first, second = (frozenset(token for span in spans for token in range(*span)) for spans in self)
        return first, second


ALL_SUPPORTED = Unsupported()


def unlinked(item: Item, unsupported: Unsupported) -> Item:
    """The item without the links of unsupported sentences, which are chance."""
    if not any(unsupported):
        return item
    source, _ = unsupported.tokens
    grids = []
    for span, grid in zip(item.output.sentences, item.link_weights, strict=False):
        weights = grid.weights.copy()
        if weights.size:
            weights[[row in source for row in grid.rows.tolist()]] = 0.0
            weights[:] = 0.0 if span in unsupported.output else weights
        grids.append(grid._replace(weights=weights))
    return replace(item, link_weights=tuple(grids))


def read_all(reader: CrossEncoder, items: Sequence[Item], unsupported: Sequence[Unsupported]) -> list[Focused]:
    """The readings of items whose texts differ; those with unsupported sentences are read again without."""
    found = reader.read([(item.source, item.output) for item in items])
    again: list[tuple[int, int, tuple[Text, Text]]] = []
    for index, (item, apart) in enumerate(zip(items, unsupported, strict=True)):
        if apart.output:
            again.append((index, 1, (item.source, _without(item.output, apart.output))))
        if apart.source:
            again.append((index, 0, (_without(item.source, apart.source), item.output)))
    readings = reader.read([pair for _, _, pair in again]) if again else []
    without: dict[int, PairReading] = {}
    for (index, side, _), reading in zip(again, readings, strict=True):
        names = _RECALL if side else _PRECISION
        found[index] = replace(found[index], **{name: getattr(reading, name) for name in names})
        if side:
            without[index] = reading
    return [
        Focused(_with_verbatim(item, reading), without.get(index))
        for index, (item, reading) in enumerate(zip(items, found, strict=True))
    ]


def find_unsupported(reader: CrossEncoder, items: Sequence[Item], sides: Sequence[Sides]) -> list[Unsupported]:
    """The unsupported sentences of both texts of each item; none in long items and where no other sentence is left."""
    asked: list[tuple[int, int, Span]] = []
    pairs = []
    for index, (item, both) in enumerate(zip(items, sides, strict=True)):
        if len(item.source.words) + len(item.output.words) > LONGEST:
            continue
        for side, (own, other) in enumerate([(item.source, item.output), (item.output, item.source)]):
            for span in _with_few_links(own, both[side]) if len(own.sentences) > 1 else ():
                asked.append((index, side, span))
                pairs.append((other, part(own, [span])) if side else (part(own, [span]), other))
    found: dict[tuple[int, int], set[Span]] = {}
    for (index, side, span), reading in zip(asked, reader.read(pairs) if pairs else (), strict=True):
        if (reading.output_entailed if side else reading.source_entailed)[0] < FOLLOWS:
            found.setdefault((index, side), set()).add(span)
    return [
        Unsupported(*(_not_all(text, found.get((index, side), set())) for side, text in enumerate(texts)))
        for index, texts in enumerate((item.source, item.output) for item in items)
    ]


def verbatim(text: Text, other: Text) -> NDArray[np.bool_]:
    """For each token whether its sentence stands in the other text word for word, case aside (tokens,)."""
    known = {" ".join(words).lower() for words in other.sentence_words}
    found = [[" ".join(words).lower() in known] * len(words) for words in text.sentence_words]
    return np.array([one for sentence in found for one in sentence], np.bool_)


def part(text: Text, sentences: Sequence[Span]) -> Text:
    """Some sentences of a text, by their tokens, in its raw text."""
    tokens = tuple(token for start, end in sentences for token in text.tokens[start:end])
    ends = np.cumsum([end - start for start, end in sentences]).tolist()
    return Text(text.raw, tokens, tuple(zip([0, *ends[:-1]], ends, strict=True)))


def _with_verbatim(item: Item, reading: PairReading) -> PairReading:
    kept = np.where(verbatim(item.source, item.output), WHOLE, reading.kept)
    supported = np.where(verbatim(item.output, item.source), WHOLE, reading.supported)
    return replace(reading, kept=tuple(kept.tolist()), supported=tuple(supported.tolist()))


def _without(text: Text, unsupported: frozenset[Span]) -> Text:
    return part(text, [span for span in text.sentences if span not in unsupported])


def _not_all(text: Text, spans: set[Span]) -> frozenset[Span]:
    return frozenset(spans) if len(spans) < len(text.sentences) else frozenset()


def _with_few_links(text: Text, side: WordSide) -> list[Span]:
    """The sentences with few links."""
    totals = ((start, end, side.weights[start:end].sum()) for start, end in text.sentences)
    return [
        (start, end)
        for start, end, total in totals
        if total and side.linked[start:end] @ side.weights[start:end] / total < LINKED
    ]
