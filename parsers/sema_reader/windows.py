"""Divides a pair into passes: one for the whole pair or, for long texts, several, in which sentences of one text are
read with those of the other that share most rare words with them. In a passage that has room in one pass, each sentence
of the output is also read alone, beside what it rests on, because an invented one does not stand out among true ones.

Sentences are grouped with their nearest ones in the other text. A group is read in one pass that decides about both
sides, and groups share a pass while there is room. A sentence that has no room in a group is read in another pass, with
its nearest ones. So the work grows with the length of the texts, not with its square.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sema.model.reading import PairReading
from sema.model.text import Text
from sema_reader.pieces import Pieces

UNIT = 96
"""Most pieces of a sentence that are read together; a longer one is cut."""
ROOM = 192
"""Most pieces of both texts together in one pass over parts of them."""
PASSAGE = 3
"""From so many sentences on, in both texts, a pair is one of passages."""
AROUND = 1
"""So many source sentences on either side of its nearest one are read with a sentence of the output."""
UNFOUNDED, READ_WHOLE, SHIFT = 0.40, 0.66, -0.29
"""In a passage, the logit of meaning is that of the least supported sentence's precision times the first, and that of
the whole's meaning times the second, and the third (``python -m training.reader.passages``)."""
WHOLE = 0.3
"""In a passage, the power of the whole's precision in the precision (*Passages* in the card of the weights)."""
COMMON = 64
"""A piece that occurs in more sentences is not rare: it does not show which of them are near."""
SCORES, OUTPUT_ENTAILED, SOURCE_ENTAILED, SIMILAR, LOGITS = slice(0, 3), slice(3, 6), slice(6, 9), 9, 10
"""Places of the pair's logits: meaning, recall and precision, three for either entailment, similarity."""
Numbers = NDArray[np.float64]
MEANING, PRECISION = 0, 2
"""The places of meaning and precision in the scores."""
KEPT, WRONG = 0, 2
"""Places of a word's logits: kept, missing, contradicted (supported, added, contradicting)."""


class Logits(NamedTuple):
    """The logits of one pass: the pair's (10,), those of the source's pieces and of the output's (pieces, 3)."""

    pair: NDArray[np.float32]
    source: NDArray[np.float32]
    output: NDArray[np.float32]


Near = list[tuple[float, int]]
"""For each unit of a text the nearest unit of the other: how near it is, and its index."""
Thing = TypeVar("Thing")
Group = tuple[list[int], list[int]]
"""Units of the source and of the output."""


@dataclass(frozen=True)
class Pass:
    """One pass: parts of both texts, and which of them the pass decides about.

    A pass over a sentence of the output alone decides about neither: it only says how far the sentence is supported.
    """

    source: Pieces
    output: Pieces
    about_source: bool = True
    about_output: bool = True

    @property
    def alone(self) -> bool:
        """Whether this is a sentence of a passage, read alone."""
        return not (self.about_source or self.about_output)


def plan(source: tuple[Pieces, Text], output: tuple[Pieces, Text], longest: int) -> list[Pass]:
    """The passes of a pair of texts in pieces, of at most ``longest`` pieces with the three special ones."""
    (first, one), (second, other) = source, output
    if len(first.ids) + len(second.ids) + 3 > longest:
        return list(_in_groups(_units(first, one), _units(second, other)))
    passages = min(len(one.sentences), len(other.sentences)) >= PASSAGE
    return [Pass(first, second), *(_alone(_units(first, one), _units(second, other)) if passages else ())]


def _alone(sources: Sequence[Pieces], outputs: Sequence[Pieces]) -> Iterator[Pass]:
    """Each unit of the output with the unit of the source that is nearest to it, and those around that."""
    for output, (_, nearest) in zip(outputs, _nearest(outputs, sources), strict=True):
        rest = _joined(sources[max(0, nearest - AROUND) : nearest + AROUND + 1])
        yield Pass(rest, output, about_source=False, about_output=False)


def _units(pieces: Pieces, text: Text) -> list[Pieces]:
    """A text's sentences; those of more than :data:`UNIT` pieces are cut, if possible between words."""
    ends = [end for _, end in text.sentences]
    found: list[Pieces] = []
    start = sentence = 0
    while start < len(pieces.ids):
        while pieces.words[start] >= ends[sentence]:
            sentence += 1
        end = min(start + UNIT, len(pieces.ids))
        while pieces.words[end - 1] >= ends[sentence]:
            end -= 1
        whole = end
        while start < end < len(pieces.ids) and pieces.words[end] == pieces.words[end - 1]:
            end -= 1
        end = end if end > start + UNIT // 2 else whole
        found.append(Pieces(pieces.ids[start:end], pieces.words[start:end]))
        start = end
    return found


def _nearest(units: Sequence[Pieces], others: Sequence[Pieces]) -> Near:
    """For each unit the other unit that shares most rare pieces; if none does, at 0, the one at the same place."""
    places: defaultdict[int, list[int]] = defaultdict(list)
    for index, other in enumerate(others):
        for piece in set(other.ids):
            places[piece].append(index)
    counts = Counter(piece for unit in units for piece in set(unit.ids))
    most = len(units) + len(others) + 1
    rare = {piece: np.array(where) for piece, where in places.items() if len(where) <= COMMON}
    found: Near = []
    for index, unit in enumerate(units):
        same = index * len(others) // len(units)
        pieces = [piece for piece in sorted(set(unit.ids)) if piece in rare]
        sizes = [len(rare[piece]) for piece in pieces]
        rarity = [log(most / (size + counts[piece])) for piece, size in zip(pieces, sizes, strict=True)]
        where = np.concatenate([*(rare[piece] for piece in pieces), [same]]).astype(np.int64)
        shared = np.bincount(where, np.repeat([*rarity, 0.0], [*sizes, 1]))
        most_shared = np.flatnonzero(shared == shared.max()) if shared.any() else np.array([same])
        nearest = int(most_shared[np.abs(most_shared - same).argmin()])
        found.append((float(shared[nearest]), nearest))
    return found


def _in_groups(sources: Sequence[Pieces], outputs: Sequence[Pieces]) -> Iterator[Pass]:
    """Passes over groups of units of both texts, then over the units that found no room in a group."""
    near = _nearest(sources, outputs), _nearest(outputs, sources)
    groups = _grouped(sources, outputs, near)
    both = sorted((group for group in groups if all(group)), key=lambda group: group[1])
    sizes = [sum(len(sources[unit].ids) for unit in a) + sum(len(outputs[unit].ids) for unit in b) for a, b in both]
    for packed in _packed(both, sizes, ROOM):
        first, second = (sorted(unit for group in packed for unit in group[side]) for side in (0, 1))
        yield Pass(_joined(sources[unit] for unit in first), _joined(outputs[unit] for unit in second))
    for side, texts, others in ((0, sources, outputs), (1, outputs, sources)):
        left = sorted(unit for group in groups if not group[1 - side] for unit in group[side])
        for units in _packed(left, [len(texts[unit].ids) for unit in left], UNIT):
            own = _joined(texts[unit] for unit in units)
            rest = _joined(others[other] for other in _companions([near[side][unit] for unit in units], others))
            yield Pass(own, rest, about_output=False) if side == 0 else Pass(rest, own, about_source=False)


def _grouped(sources: Sequence[Pieces], outputs: Sequence[Pieces], near: tuple[Near, Near]) -> list[Group]:
    """The units in groups of at most :data:`ROOM` pieces, joined from the nearest pair down."""
    from networkx.utils import UnionFind  # needed for long texts only

    sizes = [len(unit.ids) for unit in (*sources, *outputs)]
    joined = UnionFind(range(len(sizes)))
    pairs = {(-score, other, unit) for unit, (score, other) in enumerate(near[0]) if score}
    pairs |= {(-score, unit, other) for unit, (score, other) in enumerate(near[1]) if score}
    for _, output, source in sorted(pairs):
        first, second = joined[source], joined[len(sources) + output]
        size = sizes[first] + sizes[second]
        if first != second and size <= ROOM:
            joined.union(first, second)
            sizes[joined[first]] = size
    return [
        (
            sorted(unit for unit in group if unit < len(sources)),
            sorted(unit - len(sources) for unit in group if unit >= len(sources)),
        )
        for group in joined.to_sets()
    ]


def _companions(near: Near, others: Sequence[Pieces]) -> list[int]:
    """The nearest units of several, chosen nearest first while there is room, in order of the text."""
    chosen: list[int] = []
    room = ROOM
    for _, other in sorted(near, reverse=True):
        if other not in chosen and len(others[other].ids) <= room:
            chosen.append(other)
            room -= len(others[other].ids)
    return sorted(chosen)


def _packed(things: Sequence[Thing], sizes: Sequence[int], room: int) -> Iterator[list[Thing]]:
    """Consecutive things, packed together while there is room."""
    found: list[Thing] = []
    left = room
    for thing, size in zip(things, sizes, strict=True):
        if found and size > left:
            yield found
            found, left = [], room
        found.append(thing)
        left -= size
    if found:
        yield found


def _joined(parts: Iterable[Pieces]) -> Pieces:
    parts = list(parts)
    return Pieces(
        tuple(piece for part in parts for piece in part.ids), tuple(word for part in parts for word in part.words)
    )


def assembled(source: Text, output: Text, passes: Sequence[Pass], found: Sequence[Logits]) -> PairReading:
    """The passes over a pair joined to one reading: each word from the pass about it, recall and precision as means of
    the passes about the source and about the output, meaning as the mean of all. Sentences that were read alone change
    precision to their mean, less what the whole lacks, and meaning with the least supported of them."""
    kept = _of_words(source, [(one.source, logits.source) for one, logits in zip(passes, found, strict=True)
                              if one.about_source])  # fmt: skip
    supported = _of_words(output, [(one.output, logits.output) for one, logits in zip(passes, found, strict=True)
                                   if one.about_output])  # fmt: skip
    scores = np.stack([1 / (1 + np.exp(-logits.pair[SCORES].astype(np.float64))) for logits in found])
    of_source = [len(one.source.ids) * one.about_source for one in passes]
    of_output = [len(one.output.ids) * one.about_output for one in passes]
    of_both = [first + second for first, second in zip(of_source, of_output, strict=True)]
    meaning, recall, precision = (
        float(np.average(scores[:, place], weights=sizes))
        for place, sizes in enumerate((of_both, of_source, of_output))
    )
    alone = np.array([one.alone for one in passes])
    if alone.any():
        logits = np.array([logits.pair[PRECISION] for logits in found])[alone]
        sizes = [len(one.output.ids) for one in passes if one.alone]
        logit = READ_WHOLE * float(found[0].pair[MEANING]) + UNFOUNDED * float(logits.min()) + SHIFT
        meaning = float(1 / (1 + np.exp(-logit)))
        precision = precision**WHOLE * float(np.average(scores[alone, PRECISION], weights=sizes))
    return PairReading(meaning, recall, precision, *_columns(kept), *_columns(supported))


def _columns(chances: Numbers) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(chances[:, KEPT].tolist()), tuple(chances[:, WRONG].tolist())


def _of_words(text: Text, read: Sequence[tuple[Pieces, NDArray[np.float32]]]) -> Numbers:
    """Each word's probabilities (words, 3): those of its piece with the lowest probability of being kept. A word inside
    its predecessor's piece inherits that word's; a word before all pieces is kept."""
    owners = np.concatenate([np.asarray(pieces.words, np.int64) for pieces, _ in read])
    logits = np.concatenate([found for _, found in read]).astype(np.float64)
    grown = np.exp(logits - logits.max(1, keepdims=True))
    chances = grown / grown.sum(1, keepdims=True)
    found = np.zeros((len(text.words), 3))
    first = int(owners.min()) if owners.size else len(found)
    found[:first, KEPT] = 1.0
    order = np.lexsort((-chances[:, KEPT], owners))  # the least kept piece of a word is written last
    found[owners[order]] = chances[order]
    known = np.isin(np.arange(len(found)), owners)
    known[:first] = True
    return np.asarray(found[np.maximum.accumulate(np.where(known, np.arange(len(found)), 0))])
