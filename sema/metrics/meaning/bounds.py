"""Numbers that are the most there can be in one text and the least in the other: *up to twelve*, *twelve or more*."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from sema.metrics.meaning.contradictions import Contradiction
from sema.metrics.meaning.words import Side
from sema.model.meaning import WordFacts

REACH = 4
"""Tokens before and behind a number that may bound it."""


def changed_bounds(source: Side, output: Side, facts: WordFacts) -> Iterator[Contradiction]:
    """Bounds that a number, said once in either text, has the other way round."""
    here, there = _bounded(source, facts), _bounded(output, facts)
    for value in sorted(here.keys() & there.keys(), key=str):
        (token, before), (other, after) = here[value], there[value]
        if before * after < 0:
            spans = [_around(side, place) for side, place in ((source, token), (output, other))]
            said = f"bound: {source.said(spans[0])} became {output.said(spans[1])}"
            yield Contradiction(said, (token,), (other,))


def _bounded(side: Side, facts: WordFacts) -> dict[Hashable, tuple[int, int]]:
    """By value, the tokens of numbers that are said once, and what the words around say of each."""
    values = [facts.value(word) for word in side.words]
    found = {}
    for token, value in enumerate(values):
        if value is None or values.count(value) > 1:
            continue
        around = _around(side, token)
        split = around.index(token)
        before, after = ([side.lower[t] for t in part] for part in (around[:split], around[split + 1 :]))
        found[value] = token, facts.bound(before, after)
    return found


def _around(side: Side, token: int) -> list[int]:
    """A token with those near it between marks."""
    begin = next((t + 1 for t in range(token - 1, max(-1, token - REACH - 1), -1) if side.punctuation[t]), None)
    end = next((t for t in range(token + 1, min(len(side.words), token + REACH + 1)) if side.punctuation[t]), None)
    first = max(0, token - REACH) if begin is None else begin
    last = min(len(side.words), token + REACH + 1) if end is None else end
    return list(range(first, last))
