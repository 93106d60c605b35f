"""Passages, sentence by sentence: each of one text's sentences is read beside those of the other that it rests on.

A cross-encoder is surest about few sentences; of many at once it sees what is there, not who did what. So where the
source has several sentences, each output sentence is read beside the source sentences that its words are linked to, and
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

WHOLE, LEAST = 100.0, 1.0
"""The score of a sentence that stands in the other text word for word, and the least that a false one counts."""
LONGEST = 1000
"""Words of both texts together up to which sentences are read one by one; longer texts are read in parts."""
MOST, ADDS = 3, 0.05
"""The most sentences that one is read beside, and the share of its content that each of them must add links to."""
MEANING = {"meaning": 0.5, "meaning_recall": 0.1, "meaning_precision": 0.4}
"""The weights of the whole pair, of the source's sentences and of the output's in a passage's ``meaning``."""
OWN = 0.5
"""The weight of the sentences in a passage's recall and precision; the whole pair has the rest."""
_SIDES = SCORES[1:]


@dataclass(frozen=True)
class SentenceReading:
    """One sentence beside those of the other text that it rests on.

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
        list(_supported(item, both))
        if len(item.source.sentences) > 1 and len(item.source.words) + len(item.output.words) <= LONGEST
        else []
        for item, both in zip(items, sides, strict=True)
    ]
    pairs = [
        _beside(item, side, place, others)
        for item, own in zip(items, places, strict=True)
        for side, place, others in own
        if others is not None
    ]
    readings = iter(reader.read(pairs) if pairs else ())
    return [
        [SentenceReading(side, place, None if others is None else next(readings)) for side, place, others in own]
        for own in places
    ]


def _beside(item: Item, side: int, place: slice, others: Sequence[Span]) -> tuple[Text, Text]:
    """A sentence of a side and sentences of the other text, the source's first."""
    texts = item.source, item.output
    own, rest = part(texts[side], [(place.start, place.stop)]), part(texts[1 - side], others)
    return (rest, own) if side else (own, rest)


def _supported(item: Item, sides: Sides) -> Iterable[tuple[int, slice, Sequence[Span] | None]]:
    """Each sentence's side, its place, and what it rests on in the other text; ``None``: it stands there."""
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
                by_sentence = np.stack([links[start:end, begin:stop].max(1) for begin, stop in other.sentences])
                yield side, slice(start, end), [other.sentences[one] for one in _cover(by_sentence, weights[start:end])]


def _cover(links: Numbers, weights: Numbers) -> list[int]:
    """The sentences, in their order, whose links (sentences, words) together cover a sentence's words: the one with
    most, then others as long as each adds its share."""
    chosen = [int(np.argmax(links @ weights))]
    while len(chosen) < MOST:
        covered = links[chosen].max(0)
        gains = (np.maximum(links, covered) - covered) @ weights
        best = int(np.argmax(gains))
        if gains[best] <= ADDS * weights.sum():
            break
        chosen.append(best)
    return sorted(chosen)


def with_sentences(chances: Numbers, sentences: Sequence[SentenceReading], side: int) -> Numbers:
    """The probabilities of a side's words (words,): the mean of the whole pair's and of their own sentence's."""
    found = chances.astype(np.float64)
    for one in sentences:
        if one.side == side and one.reading is not None:
            own = one.reading.supported if side else one.reading.kept
            found[one.place] = (found[one.place] + np.array(own)) / 2
    return found


def of_passage(
    whole: Mapping[str, float],
    found: Sequence[SentenceReading],
    sides: Sides,
    conflicts: Sequence[Conflict],
    scale: Scale,
) -> dict[str, float]:
    """The scores of a passage, 0-100: geometric means of the whole pair's and of its sentences', weighted by content.

    The output's sentences have a geometric mean as well, in which a false one tells; the source's an arithmetic one,
    since a text may leave some out.
    """
    means = {"meaning": whole["meaning"]}
    for side, name in enumerate(_SIDES):
        own = [one for one in found if one.side == side]
        weights = np.array([sides[side].weights[one.place].sum() for one in own])
        found_here = np.array([_score(one, sides[side], conflicts, scale)[name] for one in own])
        if weights.sum():
            means[name] = _mean(found_here, weights, geometric=bool(side))
        else:
            means[name] = whole[name]
    scores = {name: whole[name] ** (1 - OWN) * means[name] ** OWN for name in _SIDES}
    return {"meaning": float(np.prod([means[name] ** weight for name, weight in MEANING.items()])), **scores}


def _mean(values: Numbers, weights: Numbers, *, geometric: bool) -> float:
    if not geometric:
        return float(values @ weights / weights.sum())
    return float(np.exp(np.log(np.maximum(values, LEAST)) @ weights / weights.sum()))


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
