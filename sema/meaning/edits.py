"""Conflicts in near copies: a word replaced, a word added, or the same words in another order.

A simplification changes more than one place, or replaces a word by a commoner one that is linked to it. So if a text
differs from its source in one place only, unlinked words there change the meaning. The check knows no language. A
reader of pairs may need no such help (``sees_copies``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from sema.meaning.compare import conflicts
from sema.meaning.pair import Pair
from sema.meaning.scores import IS_CONTENT, Sides, WordSide
from sema.model.fact import BECAME, Conflict, FactReader, Kind
from sema.model.item import Item
from sema.model.reading import PairReader
from sema.model.text import is_punctuation

ALIKE = 0.7
"""The least similarity (``difflib``'s ratio) of texts in which a word is replaced."""
LONGEST = 1000
"""The largest number of units of a text that is checked."""
DIFFERING = 2
"""The number of units by which reordered texts may differ."""
LOOSE = 0.66
"""The probability of a link below which a word has no counterpart."""
_FIRST_IDEOGRAPH = "\u2e80"


class _Units(NamedTuple):
    """A text as words, or as characters in scripts without spaces, each with its token."""

    units: tuple[str, ...]
    tokens: tuple[int, ...]

    def span(self, start: int, end: int) -> tuple[int, ...]:
        """The tokens of some units."""
        return tuple(dict.fromkeys(self.tokens[start:end]))


def all_conflicts(
    item: Item, readers: Sequence[FactReader], sides: Sides, reader: PairReader | None = None
) -> list[Conflict]:
    """The conflicts between facts, or else the one that a near copy shows, unless the reader of pairs sees those."""
    found = conflicts(item, readers)
    return found if found or (reader is not None and reader.sees_copies) else near_copy(item, sides)


def near_copy(item: Item, sides: Sides) -> list[Conflict]:
    """At most one conflict; none in copies and in texts that differ in several places."""
    source, output = _units(item.source.words), _units(item.output.words)
    longest = max(len(source.units), len(output.units))
    if source.units == output.units or not source.units or not output.units or longest > LONGEST:
        return []
    pair = Pair.of(item)
    return [*_one_place(pair, source, output, sides), *_reordered(pair, source, output, sides)][:1]


def _units(words: Sequence[str]) -> _Units:
    found = [
        (unit, token)
        for token, word in enumerate(words)
        for unit in (word if word[:1] >= _FIRST_IDEOGRAPH else [word.lower()])
    ]
    return _Units(tuple(unit for unit, _ in found), tuple(token for _, token in found))


def _one_place(pair: Pair, source: _Units, output: _Units, sides: Sides) -> Iterator[Conflict]:
    """Content words without a counterpart in the only place where the texts differ."""
    matcher = SequenceMatcher(None, source.units, output.units, autojunk=False)
    places = [(_content(old, sides[0]), _content(new, sides[1])) for old, new in _replaced(matcher, source, output)]
    places = [place for place in places if any(place)]
    if len(places) != 1:
        return
    lost, added = ([t for t in some if side.linked[t] < LOOSE] for some, side in zip(places[0], sides, strict=True))
    replaced = bool(places[0][0])
    if not added or (replaced and (not lost or matcher.ratio() < ALIKE)):
        return
    quoted = pair.quote_output(added)
    reason = BECAME.format(source=pair.quote_source(lost), output=quoted) if replaced else f"{quoted} is added"
    start = output.tokens.index(added[0])
    before = max((block.a + block.size for block in matcher.get_matching_blocks() if block.b < start), default=0)
    beside = _content(source.span(0, before), sides[0])[-1:]
    yield Conflict(Kind.THING, tuple(lost or beside), tuple(added), reason)


def _replaced(
    matcher: SequenceMatcher[str], source: _Units, output: _Units
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The tokens of both texts in each place where they differ; places that share a token are one."""
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for what, begin, end, start, stop in matcher.get_opcodes():
        if what == "equal":
            continue
        old, new = source.span(begin, end), output.span(start, stop)
        if found and (set(old) & set(found[-1][0]) or set(new) & set(found[-1][1])):
            before, after = found.pop()
            old, new = tuple(dict.fromkeys(before + old)), tuple(dict.fromkeys(after + new))
        found.append((old, new))
    return found


def _content(tokens: Sequence[int], side: WordSide) -> list[int]:
    return [token for token in tokens if side.weights[token] >= IS_CONTENT]


def _reordered(pair: Pair, source: _Units, output: _Units, sides: Sides) -> Iterator[Conflict]:
    """The same words reordered by more than moving one phrase or exchanging clauses."""
    first, last = (
        [(unit, t) for unit, t in zip(*text, strict=True) if side.weights[t]]
        for text, side in zip((source, output), sides, strict=True)
    )
    old, new = Counter(unit for unit, _ in first), Counter(unit for unit, _ in last)
    differing = (old - new) + (new - old)
    grammar = {unit for unit, t in first if sides[0].weights[t] < IS_CONTENT}
    grammar |= {unit for unit, t in last if sides[1].weights[t] < IS_CONTENT}
    if differing.total() > DIFFERING or not grammar.isdisjoint(differing):
        return
    if Counter(_clauses(source)) == Counter(_clauses(output)):
        return
    first, last = ([one for one in some if one[0] not in differing] for some in (first, last))
    start, end = crossing([unit for unit, _ in first], [unit for unit, _ in last])
    if start < end:
        span, moved = (tuple(sorted({t for _, t in some[start:end]})) for some in (first, last))
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


def _clauses(text: _Units) -> Iterator[tuple[str, ...]]:
    clause: list[str] = []
    for unit in (*text.units, "."):
        if is_punctuation(unit):
            yield tuple(clause)
            clause = []
        else:
            clause.append(unit)
