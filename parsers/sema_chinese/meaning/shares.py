"""How many of all: few, half, most or all of them, also where one is a number and the other a word."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.lists import ordered_list, word_list
from sema_chinese.meaning.reading import Reading, in_place

LONGEST = 5
"""Characters of the longest word of a share."""
FEW, HALF, MOST, ALL = range(4)
WEAK_ALL = word_list("loosely all")
"""Words that may say *all*, and are too frequent to tell it where nothing else does (都)."""


@dataclass(frozen=True)
class Share:
    """Words that tell how many of all."""

    tokens: tuple[int, ...]
    level: int


@cache
def _levels() -> dict[str, int]:
    return {word: level for level, words in enumerate(ordered_list("shares")) for word in words.split()}


def shares(reading: Reading) -> list[Share]:
    """The shares of a text, the longest word at each place."""
    found, spelling = [], reading.spelling
    edges, at = set(spelling.starts), 0
    while at < len(spelling.chars):
        ends = range(min(at + LONGEST, len(spelling.chars)), at, -1)
        end = next((e for e in ends if spelling.chars[at:e] in _levels() and {at, e} & edges), None)
        if end is not None:
            found.append(Share(tuple(spelling.tokens(at, end)), _levels()[spelling.chars[at:end]]))
        at = end or at + 1
    return found


def other_shares(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """A share that stands in another's place, where either text has nothing of the other's."""
    here, there = shares(source), shares(output)
    for one in here:
        if _said(output, there, one.level):
            continue
        for other in there:
            if _said(source, here, other.level) or not in_place(source, one.tokens, output, other.tokens):
                continue
            said = f"quantity: {source.side.said(one.tokens)} became {output.side.said(other.tokens)}"
            yield Contradiction(said, one.tokens, other.tokens)
            return


def _said(reading: Reading, found: list[Share], level: int) -> bool:
    """Whether a text says a share somewhere, *all* in any way."""
    if level == ALL and not WEAK_ALL.isdisjoint(reading.plain):
        return True
    return any(one.level == level for one in found)
