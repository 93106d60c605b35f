"""Near copies: one word in the place of another, one put in, or the same words in another order.

Who simplifies a text changes more than one place of it, or puts a commoner word that is linked to the one that it
replaces. So in a text that is a copy but for one place, words without any link there say something else. No language
is needed for that; a reader of pairs sees it by itself, so these conflicts are for scores without one.
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
"""How alike two texts are (``difflib``'s ratio) in which one place differs."""
LONGEST = 1000
"""Units of a text up to which it is compared so."""
DIFFERING = 2
"""Units by which texts that say the same words in another order may differ."""
LOOSE = 0.66
"""The probability of a link below which a word has no counterpart."""
CONTENT = 0.5
"""The weight of a word from which on it is one of content."""
_FIRST_IDEOGRAPH = "\u2e80"


@dataclass(frozen=True)
class Units:
    """A text in words, but in characters where a script sets no spaces, each with its token."""

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
    """The conflict that a near copy shows; none of other texts and of copies."""
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
            here, there = source.span(begin, end), output.span(start, stop)
            if slots and (set(here) & set(slots[-1][0]) or set(there) & set(slots[-1][1])):
                last = slots.pop()
                here, there = tuple(dict.fromkeys((*last[0], *here))), tuple(dict.fromkeys((*last[1], *there)))
            slots.append((here, there))
    places = [(_content(here, sides[0]), _content(there, sides[1])) for here, there in slots]
    places = [place for place in places if any(place)]
    if len(places) != 1:
        return
    gone, new = ([t for t in some if side.linked[t] < LOOSE] for some, side in zip(places[0], sides, strict=True))
    replaced = bool(places[0][0])
    if not new or (replaced and (not gone or matcher.ratio() < ALIKE)):
        return
    quoted = pair.quote_output(new)
    reason = BECAME.format(source=pair.quote_source(gone), output=quoted) if replaced else f"{quoted} is added"
    beside = _content(_up_to(matcher, source, output.tokens.index(new[0])), sides[0])[-1:]
    yield Conflict(Kind.THING, tuple(gone or beside), tuple(new), reason)


def _up_to(matcher: SequenceMatcher[str], source: Units, unit: int) -> tuple[int, ...]:
    """The source's tokens up to where a unit of the output was put in."""
    ends = [found.a + found.size for found in matcher.get_matching_blocks() if found.b < unit and found.size]
    return source.span(0, max(ends, default=0))


def _content(tokens: Sequence[int], side: WordSide) -> list[int]:
    return [token for token in tokens if side.weights[token] >= CONTENT]


def _reordered(pair: Pair, source: Units, output: Units, sides: tuple[WordSide, WordSide]) -> Iterator[Conflict]:
    """The same words in an order that moving one phrase, or whole clauses, does not give."""
    mine, theirs = (
        [(unit, t) for unit, t in zip(text.units, text.tokens, strict=True) if side.weights[t]]
        for text, side in zip((source, output), sides, strict=True)
    )
    here, there = (Counter(unit for unit, _ in some) for some in (mine, theirs))
    differing = (here - there) + (there - here)
    grammar = {unit for unit, t in mine if sides[0].weights[t] < CONTENT}
    grammar |= {unit for unit, t in theirs if sides[1].weights[t] < CONTENT}
    if differing.total() > DIFFERING or not grammar.isdisjoint(differing):
        return
    if Counter(_clauses(source)) == Counter(_clauses(output)):
        return
    mine, theirs = ([one for one in some if one[0] not in differing] for some in (mine, theirs))
    while mine and theirs and mine[0][0] == theirs[0][0]:
        mine, theirs = mine[1:], theirs[1:]
    while mine and theirs and mine[-1][0] == theirs[-1][0]:
        mine, theirs = mine[:-1], theirs[:-1]
    first, last = [unit for unit, _ in mine], [unit for unit, _ in theirs]
    if not first or any(first[cut:] + first[:cut] == last for cut in range(len(first))):
        return
    span, moved = (tuple(sorted({t for _, t in some})) for some in (mine, theirs))
    yield Conflict(Kind.ROLE, span, moved, f"{pair.quote_output(moved)} has the same words in another order")


def _clauses(text: Units) -> Iterator[tuple[str, ...]]:
    clause: list[str] = []
    for unit in (*text.units, "."):
        if is_punctuation(unit):
            yield tuple(clause)
            clause = []
        else:
            clause.append(unit)
