"""Passages, sentence by sentence: each of one text's sentences is read beside the one of the other that it rests on.

A cross-encoder is surest about single sentences; of several at once it sees what is there, not who did what. So where
the source has several sentences, each output sentence is read beside the source sentence that it has most links to, and
each source sentence likewise. One false sentence of ten then has a reading of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sema.meaning.focus import Span, part, verbatim
from sema.meaning.scores import Numbers, Sides, WordSide, signals
from sema.model.fact import Conflict
from sema.model.item import Item
from sema.model.reading import SCORES, CrossEncoder, PairReading, Scale
from sema.model.text import Text

WHOLE = 100.0
"""The score of a sentence that stands in the other text word for word."""
LONGEST = 1000
"""Words of both texts together up to which sentences are read one by one; longer texts are read in parts."""
MEANING = {"meaning": 0.3, "meaning_recall": 0.1, "meaning_precision": 0.6}
"""The weights of the whole pair, of the source's sentences and of the output's in a passage's ``meaning``: people
mind a false sentence, and the whole pair says little of it."""
OWN = 0.5
"""The weight of the sentences in a passage's recall and precision; the whole pair has the rest."""
_SIDES = SCORES[1:]


@dataclass(frozen=True)
class SentenceReading:
    """One sentence beside its nearest of the other text.

    Attributes:
        side: 0, a sentence of the source; 1, of the output.
        place: its tokens.
        reading: what the reader finds; ``None``: it stands in the other text word for word.
    """

    side: int
    place: slice
    reading: PairReading | None


def read_sentences(
    reader: CrossEncoder, items: Sequence[Item], sides: Sequence[Sides]
) -> list[Sequence[SentenceReading]]:
    """For each item the readings of its sentences; none where the source is one sentence, no word is linked, or both
    texts have more than :data:`LONGEST` words together."""
    places = [
        list(_nearest(item, both))
        if len(item.source.sentences) > 1 and len(item.source.words) + len(item.output.words) <= LONGEST
        else []
        for item, both in zip(items, sides, strict=True)
    ]
    pairs = [
        _beside(item, side, place, near)
        for item, own in zip(items, places, strict=True)
        for side, place, near in own
        if near is not None
    ]
    readings = iter(reader.read(pairs) if pairs else ())
    return [
        [SentenceReading(side, place, None if near is None else next(readings)) for side, place, near in own]
        for own in places
    ]


def _beside(item: Item, side: int, place: slice, near: Span) -> tuple[Text, Text]:
    """A sentence of a side and the nearest one of the other text, the source's first."""
    texts = item.source, item.output
    own, other = part(texts[side], [(place.start, place.stop)]), part(texts[1 - side], [near])
    return (other, own) if side else (own, other)


def _nearest(item: Item, sides: Sides) -> Iterable[tuple[int, slice, Span | None]]:
    """Each sentence's side, its place, and the other text's sentence with most links to it; ``None``: it is there."""
    texts = item.source, item.output
    linked = np.zeros((len(texts[0].words), len(texts[1].words)))
    for (start, end), grid in zip(item.output.sentences, item.link_weights, strict=False):
        if grid.weights.size:
            linked[grid.rows, start:end] = np.maximum(linked[grid.rows, start:end], grid.weights)
    if not linked.any():
        return
    for side, links in ((0, linked), (1, linked.T)):
        own, other, weights = texts[side], texts[1 - side], sides[side].weights
        copied = verbatim(own, other)
        for start, end in own.sentences:
            if copied[start:end].all():
                yield side, slice(start, end), None
            elif weights[start:end].sum():
                shares = [links[start:end, begin:stop].max(1) @ weights[start:end] for begin, stop in other.sentences]
                yield side, slice(start, end), other.sentences[int(np.argmax(shares))]


def of_passage(
    whole: Mapping[str, float],
    found: Sequence[SentenceReading],
    sides: Sides,
    conflicts: Sequence[Conflict],
    scale: Scale,
) -> dict[str, float]:
    """The scores of a passage, 0-100: geometric means of the whole pair's and of the sentences' mean, by content."""
    means = {"meaning": whole["meaning"]}
    for side, name in enumerate(_SIDES):
        own = [one for one in found if one.side == side]
        weights = np.array([sides[side].weights[one.place].sum() for one in own])
        found_here = np.array([_score(one, sides[side], conflicts, scale)[name] for one in own])
        means[name] = float(found_here @ weights / weights.sum()) if weights.sum() else whole[name]
    scores = {name: whole[name] ** (1 - OWN) * means[name] ** OWN for name in _SIDES}
    return {"meaning": float(np.prod([means[name] ** weight for name, weight in MEANING.items()])), **scores}


def _score(one: SentenceReading, words: WordSide, conflicts: Sequence[Conflict], scale: Scale) -> Mapping[str, float]:
    if one.reading is None:
        return dict.fromkeys(_SIDES, WHOLE)
    own = WordSide(words.weights[one.place], words.linked[one.place])
    rest = _unweighted(len(one.reading.kept if one.side else one.reading.supported))
    tokens = range(one.place.start, one.place.stop)
    marked = sum(any(t in tokens for t in (found.output if one.side else found.source)) for found in conflicts)
    sides = (rest, own) if one.side else (own, rest)
    return scale.scores(signals(*sides, one.reading, marked))


def _unweighted(words: int) -> WordSide:
    """The other text's words: how much of them the sentence says is not asked."""
    ones: Numbers = np.ones(words)
    return WordSide(ones, ones)
