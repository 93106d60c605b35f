"""Conflicts in near copies: a word replaced, a word added, or the same words in another order.

A simplification changes more than one place, or replaces a word by a commoner one that is linked to it. So if a text
differs from its source in one place only, unlinked words there change the meaning. The check knows no language. A
reader of pairs may need no such help (``sees_copies``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Self

from sema.meaning.pair import Pair
from sema.meaning.signals import WordSide
from sema.model.fact import BECAME, Conflict, Kind
from sema.model.item import Item
from sema.model.text import is_punctuation

ALIKE = 0.7
"""The least similarity (``difflib``'s ratio) of texts in which a word is replaced."""
LONGEST = 1000
"""The largest number of units of a text that is checked."""
DIFFERING = 2
"""The number of units by which reordered texts may differ."""
LOOSE = 0.66
"""The probability of a link below which a word has no counterpart."""
CONTENT = 0.5
"""The least weight of a content word."""
_FIRST_IDEOGRAPH = "\u2e80"


@dataclass(frozen=True)
class Units:
    """A text as words, or as characters in scripts without spaces, each with its token."""

    units: tuple[str, ...]
    tokens: tuple[int, ...]

    @classmethod
    def of(cls, words: Sequence[str]) -> Self:
        """The units of a text's words."""
        found = [
            (unit, token)
            for token, word in enumerate(words)
            for unit in (word if word[:1] >= _FIRST_IDEOGRAPH else [word.lower()])
        ]
        return cls(tuple(unit for unit, _ in found), tuple(token for _, token in found))

    def span(self, start: int, end: int) -> tuple[int, ...]:
        """The tokens of some units."""
        return tuple(dict.fromkeys(self.tokens[start:end]))


def near_copy(item: Item, sides: tuple[WordSide, WordSide]) -> list[Conflict]:
    """At most one conflict; none in copies and in texts that differ in several places."""
    source, output = Units.of(item.source.words), Units.of(item.output.words)
    longest = max(len(source.units), len(output.units))
    if source.units == output.units or not source.units or not output.units or longest > LONGEST:
        return []
    pair = Pair.of(item)
    return [*_one_place(pair, source, output, sides), *_reordered(pair, source, output, sides)][:1]


Slots = list[tuple[tuple[int, ...], tuple[int, ...]]]


def _one_place(pair: Pair, source: Units, output: Units, sides: tuple[WordSide, WordSide]) -> Iterator[Conflict]:
    matcher = SequenceMatcher(None, source.units, output.units, autojunk=False)
    slots: Slots = []
    for what, begin, end, start, stop in matcher.get_opcodes():
        if what != "equal":
            old, new = source.span(begin, end), output.span(start, stop)
            if slots and (set(old) & set(slots[-1][0]) or set(new) & set(slots[-1][1])):
                last = slots.pop()
                old, new = tuple(dict.fromkeys((*last[0], *old))), tuple(dict.fromkeys((*last[1], *new)))
            slots.append((old, new))
    places = [(_content(old, sides[0]), _content(new, sides[1])) for old, new in slots]
    places = [place for place in places if any(place)]
    if len(places) != 1:
        return
    lost, added = ([t for t in some if side.linked[t] < LOOSE] for some, side in zip(places[0], sides, strict=True))
    replaced = bool(places[0][0])
    if not added or (replaced and (not lost or matcher.ratio() < ALIKE)):
        return
    quoted = pair.quote_output(added)
    reason = BECAME.format(source=pair.quote_source(lost), output=quoted) if replaced else f"{quoted} is added"
    beside = _content(_up_to(matcher, source, output.tokens.index(added[0])), sides[0])[-1:]
    yield Conflict(Kind.THING, tuple(lost or beside), tuple(added), reason)


def _up_to(matcher: SequenceMatcher[str], source: Units, unit: int) -> tuple[int, ...]:
    """The source's tokens before the place at which the output adds a unit."""
    ends = [found.a + found.size for found in matcher.get_matching_blocks() if found.b < unit and found.size]
    return source.span(0, max(ends, default=0))


def _content(tokens: Sequence[int], side: WordSide) -> list[int]:
    return [token for token in tokens if side.weights[token] >= CONTENT]


def _reordered(pair: Pair, source: Units, output: Units, sides: tuple[WordSide, WordSide]) -> Iterator[Conflict]:
    """The same words reordered by more than moving one phrase or exchanging clauses."""
    mine, theirs = (
        [(unit, t) for unit, t in zip(text.units, text.tokens, strict=True) if side.weights[t]]
        for text, side in zip((source, output), sides, strict=True)
    )
    old, new = (Counter(unit for unit, _ in some) for some in (mine, theirs))
    differing = (old - new) + (new - old)
    grammar = {unit for unit, t in mine if sides[0].weights[t] < CONTENT}
    grammar |= {unit for unit, t in theirs if sides[1].weights[t] < CONTENT}
    if differing.total() > DIFFERING or not grammar.isdisjoint(differing):
        return
    if Counter(_clauses(source)) == Counter(_clauses(output)):
        return
    mine, theirs = ([one for one in some if one[0] not in differing] for some in (mine, theirs))
    start, end = crossing([unit for unit, _ in mine], [unit for unit, _ in theirs])
    if start < end:
        span, moved = (tuple(sorted({t for _, t in some[start:end]})) for some in (mine, theirs))
        yield Conflict(Kind.ROLE, span, moved, f"{pair.quote_output(moved)} has the same words in another order")


def crossing(first: Sequence[str], last: Sequence[str]) -> tuple[int, int]:
    """Where two orders of the same units differ by more than one moved phrase: a range of both, empty if nowhere."""
    start, end = 0, len(first)
    while start < end and first[start] == last[start]:
        start += 1
    while start < end and first[end - 1] == last[end - 1]:
        end -= 1
    inner, other = list(first[start:end]), list(last[start:end])
    one_move = any(inner[cut:] + inner[:cut] == other for cut in range(len(inner)))
    return (start, start) if one_move else (start, end)


def _clauses(text: Units) -> Iterator[tuple[str, ...]]:
    clause: list[str] = []
    for unit in (*text.units, "."):
        if is_punctuation(unit):
            yield tuple(clause)
            clause = []
        else:
            clause.append(unit)
