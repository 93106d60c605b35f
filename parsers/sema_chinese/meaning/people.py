"""Who is meant: a person or a role in the place of another, among those that a text may speak of together."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.lists import ordered_list
from sema_chinese.meaning.reading import Reading, in_place


@cache
def people() -> dict[str, frozenset[tuple[int, int]]]:
    """For each listed person the circles that the word is in (kin, a court, a team), and its place in each.

    Words at one place are one person; those at different places of one circle are not.
    """
    found: dict[str, set[tuple[int, int]]] = {}
    for circle, line in enumerate(ordered_list("people")):
        for place, words in enumerate(line.split("|")):
            for word in words.split():
                found.setdefault(word, set()).add((circle, place))
    return {word: frozenset(places) for word, places in found.items()}


def are_others(first: str, second: str) -> bool:
    """Whether two words are different people of one circle."""
    known = people()
    mine, theirs = known.get(first), known.get(second)
    if not mine or not theirs or mine & theirs:
        return False
    return any(circle == other for circle, _ in mine for other, _ in theirs)


def other_people(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """A person in the place of another who is named less often than in the source."""
    known = people()
    gone = [t for t, word in enumerate(source.plain) if word in known and _count(source, word) > _count(output, word)]
    new = [o for o, word in enumerate(output.plain) if word in known and _count(output, word) > _count(source, word)]
    for o in new:
        for t in gone:
            if are_others(source.plain[t], output.plain[o]) and in_place(source, [t], output, [o]):
                said = f"reference: {source.side.said([t])} became {output.side.said([o])}"
                yield Contradiction(said, (t,), (o,))
                gone.remove(t)
                break


def _count(reading: Reading, word: str) -> int:
    """How often a text names a person."""
    known = people()
    return sum(bool(known[word] & known.get(other, frozenset())) for other in reading.plain)
