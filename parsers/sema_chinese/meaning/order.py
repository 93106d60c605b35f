"""What came first and what caused what: clauses that connectives join the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.lists import word_list
from sema_chinese.meaning.reading import Reading

CAUSES = word_list("before a cause")
"""Words before a cause; what else the sentence says came of it."""
EFFECTS = word_list("before an effect")
"""Words between a cause and what came of it."""
BROUGHT_BY = word_list("between effect and cause")
"""Words between what came of something and its cause."""
AFTER = word_list("behind what came first")
"""Words behind what came first."""
BEFORE = word_list("behind what came last")
"""Words behind what came last."""
THEN = word_list("heading what came last")
"""Words at the head of what came last."""
MOSTLY, SOME = 0.5, 0.35
"""The share of a stretch's words that must have gone to the other; how surely a word must be linked to count."""
ONLY_THEN = frozenset(["才", "再"])
"""Those that may stand anywhere in their clause."""


@dataclass(frozen=True)
class Join:
    """Two stretches of words that a connective puts in an order."""

    token: int
    first: tuple[int, ...]
    last: tuple[int, ...]


def reversed_order(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """Stretches of words that come first in one text and last in the other."""
    there = list(joins(output))
    for one in joins(source):
        for other in there:
            if _goes(source, one.first, other.last) and _goes(source, one.last, other.first):
                mine, theirs = source.side.words[one.token], output.side.words[other.token]
                said = f"order: {mine!r} became {theirs!r}, or joins them the other way round"
                yield Contradiction(said, (one.token,), (other.token,))
                return


def _goes(source: Reading, tokens: Sequence[int], where: Sequence[int]) -> bool:
    partners = [int(source.side.partners[t]) for t in tokens if source.side.linked(t, SOME)]
    return bool(partners) and sum(p in where for p in partners) >= MOSTLY * len(partners)


def joins(reading: Reading) -> Iterator[Join]:
    """The connectives of a text with what they join, within a sentence."""
    plain = reading.plain
    for start, end in reading.spelling.sentences:
        for t in range(start, end):
            word, clause = plain[t], reading.clause(t)
            inside_before, inside_after = range(clause.start, t), range(t + 1, clause.stop)
            before, after = range(start, t), range(t + 1, end)
            made: tuple[Sequence[int], Sequence[int]] | None = None
            if word in CAUSES and (t == clause.start or plain[t - 1] == "是"):
                made = inside_after, [*before, *range(clause.stop, end)]
            elif word in EFFECTS:
                made = (inside_before if reading.content(inside_before) else before), after
            elif word in BROUGHT_BY:
                made = inside_after, inside_before
            elif word in AFTER and reading.content(inside_before):
                made = inside_before, after
            elif word in BEFORE and reading.content(inside_before):
                made = after, inside_before
            elif word in THEN and (word in ONLY_THEN or not reading.content(inside_before)):
                made = before, after
            if made is None:
                continue
            first, last = tuple(reading.content(made[0])), tuple(reading.content(made[1]))
            if first and last:
                yield Join(t, first, last)
