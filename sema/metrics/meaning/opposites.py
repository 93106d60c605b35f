"""Opposites: a word of the source in whose place the output has what says the contrary."""

from __future__ import annotations

from collections.abc import Iterator

from sema.metrics.meaning.places import beyond, of_same
from sema.metrics.meaning.words import Side
from sema.model.meaning import WordFacts

TIED = 0.9
"""The likeness from which two words are ways of saying the same."""
MEASURED = 4
"""Tokens from a number over its unit to what it measures (*19-year-old*)."""
NEGATED = 3
"""Tokens from a negation to what it negates."""
LESS = "less"
"""The group of words that turn what comes next into its opposite."""


def opposites(source: Side, output: Side, facts: WordFacts, taken: set[int]) -> Iterator[tuple[int, int]]:
    """Words of the source whose opposite the output has in their place, and it; none of the ``taken`` of the output.

    A negation that is gone or new sets it right again.
    """
    lost = [t for t in range(len(source.words)) if not _said_too(source, t, output)]
    new = [t for t in range(len(output.words)) if not _said_too(output, t, source)]
    turns = sum(facts.negates(source.words[t]) for t in lost) - sum(facts.negates(output.words[t]) for t in new)
    for token in lost:
        for other in new:
            if other in taken or not facts.opposed(source.words[token], output.words[other]):
                continue
            if turns or _turned(source, token, facts) != _turned(output, other, facts):
                break
            if _measures(source, token, facts) or _measures(output, other, facts):
                continue
            if not _in_place(token, other, source, output, facts) or _told_from_either_side(
                token, other, source, output, facts
            ):
                continue
            taken.add(other)
            yield token, other
            break


def _turned(side: Side, token: int, facts: WordFacts) -> bool:
    """Whether *less* stands before a word, or a negation at most a few words before it (*no longer wet*)."""
    less = token > 0 and facts.force(side.words[token - 1]) == LESS
    return less or any(map(facts.negates, side.words[max(0, token - NEGATED) : token]))


def _measures(side: Side, token: int, facts: WordFacts) -> bool:
    """Whether a word says what a number measures (*nineteen years old*)."""
    before = side.words[max(0, token - MEASURED) : token]
    return any(facts.unit(word) for word in before) and any(facts.value(word) is not None for word in before)


def _told_from_either_side(token: int, other: int, source: Side, output: Side, facts: WordFacts) -> bool:
    """Whether one of two converses has behind it what the other has before it: *A buys from B*, *B sells to A*."""
    if not facts.converse(source.words[token], output.words[other]):
        return False
    return not (_same_side(source, token, other) and _same_side(output, other, token))


def _same_side(side: Side, token: int, other: int) -> bool:
    """Whether what stands before a word stands before its counterpart too, and nothing behind it does."""
    before, after = reversed(beyond(side, token, 1, True))
    kept = [int(side.partners[t]) < other for t in before if side.linked(t)]
    return any(kept) and not any(int(side.partners[t]) < other for t in after if side.linked(t))


def _in_place(token: int, other: int, source: Side, output: Side, facts: WordFacts) -> bool:
    """Whether a word stands where its opposite stood: the content around is linked, and neither is said elsewhere.

    Words of grammar (*on*, *off*) say too little by themselves: both words next to them must be the same.
    """
    if source.weak[token] or output.weak[other]:
        return _beside(source, token) == _beside(output, other)
    elsewhere = _said_otherwise(source, token, output, facts) or _said_otherwise(output, other, source, facts)
    return not elsewhere and of_same(token, other, source, output, around=True)


def _beside(side: Side, token: int) -> tuple[str, str]:
    return side.lower[token - 1] if token else "", side.lower[token + 1] if token + 1 < len(side.words) else ""


def _said_otherwise(side: Side, token: int, other: Side, facts: WordFacts) -> bool:
    """Whether a word is linked to one that says the same."""
    partner = int(side.partners[token])
    return side.linked(token) and partner >= 0 and facts.likeness(side.words[token], other.words[partner]) >= TIED


def _said_too(side: Side, token: int, other: Side) -> bool:
    """Whether the other text has the very word at least as often."""
    return other.counts[side.lower[token]] >= side.counts[side.lower[token]]
