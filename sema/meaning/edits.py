"""Conflicts in near copies: a word replaced, a word added, or the same words in another order.

A simplification changes more than one place, or replaces a word by a commoner one that is linked to it. So if a text
differs from its source in one place only, unlinked words there change the meaning. The check knows no language. A
cross-encoder needs no such help.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from sema.meaning.compare import conflicts
from sema.meaning.pair import NONE_APART, Apart, quote
from sema.meaning.scores import IS_CONTENT, Sides, WordSide
from sema.model.fact import BECAME, Conflict, FactReader, Kind
from sema.model.item import Item
from sema.model.reading import CrossEncoder
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


Units = Sequence[tuple[str, int]]
"""A text as words, or as characters in scripts without spaces, each with its token."""
Places = list[tuple[tuple[int, ...], tuple[int, ...]]]
"""Tokens of the source and of the output."""


def all_conflicts(
    item: Item,
    readers: Sequence[FactReader],
    sides: Sides,
    reader: CrossEncoder | None = None,
    apart: Apart = NONE_APART,
) -> list[Conflict]:
    """The conflicts between facts (:func:`conflicts`), or else, without a cross-encoder, that of a near copy."""
    found = conflicts(item, readers, apart)
    return found if found or reader is not None else near_copy(item, sides)


def near_copy(item: Item, sides: Sides) -> list[Conflict]:
    """At most one conflict; none in copies and in texts that differ in several places."""
    source, output = (
        [
            (unit, token)
            for token, word in enumerate(text.words)
            for unit in (word if word[:1] >= _FIRST_IDEOGRAPH else [word.lower()])
        ]
        for text in (item.source, item.output)
    )
    longest = max(len(source), len(output))
    if _spelt(source) == _spelt(output) or not source or not output or longest > LONGEST:
        return []
    return [*_one_place(item, source, output, sides), *_reordered(item, source, output, sides)][:1]


def _spelt(text: Units) -> list[str]:
    return [unit for unit, _ in text]


def _tokens(text: Units) -> tuple[int, ...]:
    return tuple(dict.fromkeys(token for _, token in text))


def _content(tokens: Sequence[int], side: WordSide) -> list[int]:
    return [token for token in tokens if side.weights[token] >= IS_CONTENT]


def _one_place(item: Item, source: Units, output: Units, sides: Sides) -> Iterator[Conflict]:
    """Content words without a counterpart in the only place where the texts differ."""
    matcher = SequenceMatcher(None, _spelt(source), _spelt(output), autojunk=False)
    replaced = _replaced(matcher, source, output)
    places = [(_content(old, sides[0]), _content(new, sides[1])) for old, new in replaced]
    places = [place for place in places if any(place)]
    if len(places) != 1:
        return
    lost, added = ([t for t in some if side.linked[t] < LOOSE] for some, side in zip(places[0], sides, strict=True))
    is_new = not places[0][0]
    if not added or (not is_new and (not lost or matcher.ratio() < ALIKE)):
        return
    quoted = quote(item.output.words, added)
    reason = f"{quoted} is added" if is_new else BECAME.format(source=quote(item.source.words, lost), output=quoted)
    start = [token for _, token in output].index(added[0])
    before = max((block.a + block.size for block in matcher.get_matching_blocks() if block.b < start), default=0)
    beside = _content(_tokens(source[:before]), sides[0])[-1:]
    yield Conflict(Kind.THING, tuple(lost or beside), tuple(added), reason)


def _replaced(matcher: SequenceMatcher[str], source: Units, output: Units) -> Places:
    """The tokens of both texts in each place where they differ; places that share a token are one."""
    found: Places = []
    for what, begin, end, start, stop in matcher.get_opcodes():
        if what != "equal":
            old, new = _tokens(source[begin:end]), _tokens(output[start:stop])
            if found and (set(old) & set(found[-1][0]) or set(new) & set(found[-1][1])):
                before, after = found.pop()
                old, new = tuple(dict.fromkeys(before + old)), tuple(dict.fromkeys(after + new))
            found.append((old, new))
    return found


def _reordered(item: Item, source: Units, output: Units, sides: Sides) -> Iterator[Conflict]:
    """The same words reordered by more than moving one phrase or exchanging clauses."""
    first, last = (
        [(unit, token) for unit, token in text if side.weights[token]]
        for text, side in zip((source, output), sides, strict=True)
    )
    old, new = Counter(_spelt(first)), Counter(_spelt(last))
    differing = (old - new) + (new - old)
    grammar = {unit for unit, token in first if sides[0].weights[token] < IS_CONTENT}
    grammar |= {unit for unit, token in last if sides[1].weights[token] < IS_CONTENT}
    if differing.total() > DIFFERING or not grammar.isdisjoint(differing):
        return
    if Counter(_clauses(source)) == Counter(_clauses(output)):
        return
    first, last = ([one for one in some if one[0] not in differing] for some in (first, last))
    start, end = crossing(_spelt(first), _spelt(last))
    if start < end:
        span, moved = (tuple(sorted(_tokens(some[start:end]))) for some in (first, last))
        reason = f"{quote(item.output.words, moved)} has the same words in another order"
        yield Conflict(Kind.ROLE, span, moved, reason)


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
    for unit in (*_spelt(text), "."):
        if is_punctuation(unit):
            yield tuple(clause)
            clause = []
        else:
            clause.append(unit)
