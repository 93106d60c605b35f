"""What is read in one pass: the whole pair, or, of long texts, each part of one with the parts of the other it shares
most rare words with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sema.model.reading import PairReading
from sema.model.text import Text
from sema_english.meaning.pieces import Pieces

if TYPE_CHECKING:
    from sema_english.meaning.reader import EnglishReader, Logits

PART = 96
"""Pieces of a part of a long text."""
COMPANIONS = 2
"""Parts of the other text that a part is read with."""
Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Pass:
    """One pass: parts of both texts, and which of them the pass decides about."""

    source: Pieces
    output: Pieces
    about_source: bool = True
    about_output: bool = True


def plan(reader: EnglishReader, source: Text, output: Text, longest: int) -> list[Pass]:
    """The passes of a pair."""
    first, second = (reader.pieces(text, (0, len(text.tokens))) for text in (source, output))
    if len(first.ids) + len(second.ids) + 3 <= longest:
        return [Pass(first, second)]
    sources, outputs = _parts(first), _parts(second)
    rare = _rarity([*sources, *outputs])
    found = []
    for part in outputs:
        found.append(Pass(_joined(_nearest(part, sources, rare)), part, about_source=False))
    for part in sources:
        found.append(Pass(part, _joined(_nearest(part, outputs, rare)), about_output=False))
    return found


def _parts(pieces: Pieces) -> list[Pieces]:
    """A text in parts of about :data:`PART` pieces that cut no word."""
    found = []
    start = 0
    while start < len(pieces.ids):
        end = min(start + PART, len(pieces.ids))
        while end < len(pieces.ids) and end > start + PART // 2 and pieces.words[end] == pieces.words[end - 1]:
            end -= 1
        found.append(Pieces(pieces.ids[start:end], pieces.words[start:end]))
        start = end
    return found


def _rarity(parts: Sequence[Pieces]) -> dict[int, float]:
    counts = Counter(piece for part in parts for piece in set(part.ids))
    return {piece: log((1 + len(parts)) / count) for piece, count in counts.items()}


def _nearest(part: Pieces, others: Sequence[Pieces], rare: dict[int, float]) -> list[Pieces]:
    own = set(part.ids)
    scores = [sum(rare[piece] for piece in own & set(other.ids)) for other in others]
    best = sorted(range(len(others)), key=lambda index: (-scores[index], index))[:COMPANIONS]
    return [others[index] for index in sorted(best)]


def _joined(parts: Iterable[Pieces]) -> Pieces:
    parts = list(parts)
    return Pieces(
        tuple(piece for part in parts for piece in part.ids), tuple(word for part in parts for word in part.words)
    )


def assembled(
    source: Text, output: Text, passes: Sequence[Pass], found: Sequence[tuple[Logits, Logits, Logits]]
) -> PairReading:
    """One reading of the passes over a pair: words as their pass says, the pair as the mean of its passes."""
    kept, supported = np.zeros(len(source.words)), np.zeros(len(output.words))
    output_entailed, source_entailed, same = [], [], []
    weights: dict[bool, list[int]] = {True: [], False: []}
    for one, (pair, first, second) in zip(passes, found, strict=True):
        if one.about_source:
            _fill(kept, one.source, first)
            source_entailed.append(_softmax(pair[3:6]))
            weights[True].append(len(one.source.ids))
        if one.about_output:
            _fill(supported, one.output, second)
            output_entailed.append(_softmax(pair[0:3]))
            weights[False].append(len(one.output.ids))
        same.append(1 / (1 + np.exp(-float(pair[6]))))
    sizes = [len(one.source.ids) + len(one.output.ids) for one in passes]
    return PairReading(
        tuple(kept.tolist()), tuple(supported.tolist()), _mean(output_entailed, weights[False]),
        _mean(source_entailed, weights[True]), float(np.average(same, weights=sizes)),
    )  # fmt: skip


def _fill(words: Numbers, pieces: Pieces, logits: Logits) -> None:
    """A word is as sure as the least sure of its pieces."""
    chances = 1 / (1 + np.exp(-logits.astype(np.float64)))
    owners = np.asarray(pieces.words, np.int64)
    least = np.full(len(words), 2.0)
    np.minimum.at(least, owners, chances)
    words[np.unique(owners)] = least[np.unique(owners)]


def _softmax(logits: Logits) -> Numbers:
    grown = np.exp(logits.astype(np.float64) - logits.max())
    return np.asarray(grown / grown.sum())


def _mean(chances: Sequence[Numbers], sizes: Sequence[int]) -> tuple[float, float, float]:
    first, second, third = np.average(np.stack(chances), axis=0, weights=sizes).tolist()
    return first, second, third
