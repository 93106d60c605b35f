"""Reads a pair again without what only one text has: so additions cost no recall, and omissions no precision.

A sentence that stands in the other text word for word is kept, whatever a reader says. A sentence that neither links
nor the first reading find in the other text has nothing to say about what the rest keeps: for recall the pair is read
without such sentences of the output, for precision without such sentences of the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sema.meaning.signals import WordSide
from sema.model.item import Item
from sema.model.reading import PairReader, PairReading
from sema.model.text import Text

STRANGE = 0.35
"""The share of a sentence's words, linked or read as supported, below which it is only in its own text."""
LONGEST = 500
"""Words of both texts together up to which a pair is read again; of longer ones a reader compares parts that belong
together, and strangers stand beside none."""
WHOLE = 0.999
"""The probability of a word whose sentence is in the other text word for word."""
Sides = tuple[WordSide, WordSide]


@dataclass(frozen=True)
class _Again:
    """A second reading: of which item, of which texts, and for which side's words."""

    index: int
    pair: tuple[Text, Text]
    recall: bool


def read_all(reader: PairReader, items: Sequence[Item], sides: Sequence[Sides]) -> list[PairReading]:
    """The readings of items whose texts differ; those with sentences of one text alone are read again without."""
    found = reader.read([(item.source, item.output) for item in items])
    again: list[_Again] = []
    for index, (item, reading, (source, output)) in enumerate(zip(items, found, sides, strict=True)):
        if len(item.source.words) + len(item.output.words) > LONGEST:
            continue
        for text, side, chances, recall in (
            (item.output, output, reading.supported, True),
            (item.source, source, reading.kept, False),
        ):
            rest = _without_strangers(text, side, chances)
            if rest is not None:
                again.append(_Again(index, (item.source, rest) if recall else (rest, item.output), recall))
    for one, reading in zip(again, reader.read([one.pair for one in again]) if again else [], strict=True):
        first = found[one.index]
        if one.recall:
            found[one.index] = replace(
                first, kept=reading.kept, source_entailed=reading.source_entailed, source_judged=reading.source_judged
            )  # fmt: skip
        else:
            found[one.index] = replace(
                first, supported=reading.supported, output_entailed=reading.output_entailed,
                output_judged=reading.output_judged,
            )  # fmt: skip
    return [_with_verbatim(item, reading) for item, reading in zip(items, found, strict=True)]


def verbatim(text: Text, other: Text) -> NDArray[np.bool_]:
    """For each token whether its sentence stands in the other text word for word, case aside (tokens,)."""
    there = {_lower(words) for words in other.sentence_words}
    found = np.zeros(len(text.words), np.bool_)
    for (start, end), words in zip(text.sentences, text.sentence_words, strict=True):
        found[start:end] = _lower(words) in there
    return found


def _lower(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word.lower() for word in words)


def _with_verbatim(item: Item, reading: PairReading) -> PairReading:
    kept = np.where(verbatim(item.source, item.output), WHOLE, reading.kept)
    supported = np.where(verbatim(item.output, item.source), WHOLE, reading.supported)
    return replace(reading, kept=tuple(kept.tolist()), supported=tuple(supported.tolist()))


def _without_strangers(text: Text, side: WordSide, chances: Sequence[float]) -> Text | None:
    """The text without the sentences that are only in it; ``None`` if there are none, or no others."""
    if len(text.sentences) < 2:
        return None
    likely = np.maximum(side.linked, np.asarray(chances)) * side.weights
    kept = []
    for start, end in text.sentences:
        total = side.weights[start:end].sum()
        if total and likely[start:end].sum() / total >= STRANGE:
            kept.append((start, end))
    if not kept or len(kept) == len(text.sentences):
        return None
    tokens = tuple(token for start, end in kept for token in text.tokens[start:end])
    ends = np.cumsum([end - start for start, end in kept]).tolist()
    return Text(text.raw, tokens, tuple(zip([0, *ends[:-1]], ends, strict=True)))
