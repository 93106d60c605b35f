"""Reads a pair again without what only one text has: so additions cost no recall, and omissions no precision.

A sentence that stands in the other text word for word is kept, whatever a reader says. A sentence that neither links
nor the first reading find in the other text has nothing to say about what the rest keeps: for recall the pair is read
without such sentences of the output, for precision without such sentences of the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sema.meaning.scores import Sides, WordSide
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
_RECALL = "kept", "source_entailed", "source_judged"
_PRECISION = "supported", "output_entailed", "output_judged"
"""The attributes of a reading that are about the source, and about the output."""


def read_all(reader: PairReader, items: Sequence[Item], sides: Sequence[Sides]) -> list[PairReading]:
    """The readings of items whose texts differ; those with sentences of one text alone are read again without."""
    found = reader.read([(item.source, item.output) for item in items])
    again: list[tuple[int, Sequence[str], tuple[Text, Text]]] = []
    for index, (item, reading, (source, output)) in enumerate(zip(items, found, sides, strict=True)):
        if len(item.source.words) + len(item.output.words) > LONGEST:
            continue
        if (rest := _without_strangers(item.output, output, reading.supported)) is not None:
            again.append((index, _RECALL, (item.source, rest)))
        if (rest := _without_strangers(item.source, source, reading.kept)) is not None:
            again.append((index, _PRECISION, (rest, item.output)))
    readings = reader.read([pair for _, _, pair in again]) if again else []
    for (index, attributes, _), reading in zip(again, readings, strict=True):
        found[index] = replace(found[index], **{name: getattr(reading, name) for name in attributes})
    return [_with_verbatim(item, reading) for item, reading in zip(items, found, strict=True)]


def verbatim(text: Text, other: Text) -> NDArray[np.bool_]:
    """For each token whether its sentence stands in the other text word for word, case aside (tokens,)."""
    known = {" ".join(words).lower() for words in other.sentence_words}
    found = [[" ".join(words).lower() in known] * len(words) for words in text.sentence_words]
    return np.array([one for sentence in found for one in sentence], np.bool_)


def _with_verbatim(item: Item, reading: PairReading) -> PairReading:
    kept = np.where(verbatim(item.source, item.output), WHOLE, reading.kept)
    supported = np.where(verbatim(item.output, item.source), WHOLE, reading.supported)
    return replace(reading, kept=tuple(kept.tolist()), supported=tuple(supported.tolist()))


def _without_strangers(text: Text, side: WordSide, chances: Sequence[float]) -> Text | None:
    """The text without the sentences that are only in it; ``None`` if there are none, or no others."""
    likely = np.maximum(side.linked, chances) * side.weights
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
