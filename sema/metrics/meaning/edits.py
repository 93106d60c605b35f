"""What was edited in a text that is otherwise a copy: where nearly all words stand, the others are the message.

In a sentence that is written anew a word without a counterpart may be another way of saying something. In a copy
nothing is left that it could say: a fact put in is an addition, another thing in a thing's place a replacement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema.metrics.meaning.contradictions import (
    ALMOST,
    MAX_WORDS,
    TIED,
    Contradiction,
    Slot,
    far_apart,
    find_slots,
    matcher,
)
from sema.metrics.meaning.words import Side
from sema.model.meaning import WordFacts

LEAST = 2
"""Words of content that make a fact."""
ROOM = 2
"""Words of content that may stand for one that is gone."""
AMOUNTS = frozenset(["quantity", "frequency"])
"""Scales whose words may go without changing what is said: *many of the*, *often*."""
CERTAINTY = "certainty"
"""The scale of whose least words (*may*, *possible*) the loss matters."""
LONGEST = 3
"""Words of content of a thing that another thing replaces."""


def edits(source: Side, output: Side, facts: WordFacts) -> Iterator[Contradiction]:
    """Facts put in, things in other things' place, other people's pronouns, clauses joined otherwise, hedges gone."""
    if max(len(source.words), len(output.words)) > MAX_WORDS:
        return
    yield from _added(source, output)
    for slot in find_slots(source, output):
        if slot.almost:
            yield from _replaced(slot, source, output, facts)


def _added(source: Side, output: Side) -> Iterator[Contradiction]:
    """Words put in between words that all were there."""
    blocks = matcher(source, output).get_matching_blocks()
    if not source.words or sum(block.size for block in blocks) < ALMOST * len(source.words):
        return
    gone = sum(not source.weak[t] and not source.linked(t) for t in range(len(source.words)))
    for before, after in zip([None, *blocks], blocks, strict=False):
        start, begin = (before.b + before.size, before.a + before.size) if before else (0, 0)
        if any(not source.weak[t] for t in range(begin, after.a)):
            continue
        new = [t for t in range(start, after.b) if not output.weak[t] and output.lower[t] not in source.counts]
        new = [t for t in new if not output.linked(t)]
        if len(new) >= LEAST and len(new) > ROOM * gone:
            yield Contradiction(f"added: {output.said(new)}", (), tuple(new))


def _replaced(slot: Slot, source: Side, output: Side, facts: WordFacts) -> Iterator[Contradiction]:
    """The first reason, from the most telling on, why what stands in place of other words says something else."""
    for reason in (_another_thing, _strength_changed, _another_person, _joined_otherwise):
        found = reason(slot, source, output, facts)
        if found:
            yield found
            return


def _another_thing(slot: Slot, source: Side, output: Side, facts: WordFacts) -> Contradiction | None:
    here, there = _new(source, slot.source, output), _new(output, slot.output, source)
    if not (1 <= len(here) <= LONGEST and 1 <= len(there) <= LONGEST):
        return None
    tied = any(facts.likeness(source.words[t], output.words[o]) >= TIED for t in here for o in there)
    if tied or not facts.distinct(source.words[here[-1]], output.words[there[-1]]):
        return None
    return Contradiction(f"replaced: {source.said(here)} by {output.said(there)}", tuple(here), tuple(there))


def _another_person(slot: Slot, source: Side, output: Side, facts: WordFacts) -> Contradiction | None:
    for t in slot.source:
        for o in slot.output:
            was, now = facts.person(source.words[t]), facts.person(output.words[o])
            if was and now and was != now:
                return Contradiction(f"reference: {source.said([t])} became {output.said([o])}", (t,), (o,))
    return None


def _joined_otherwise(slot: Slot, source: Side, output: Side, facts: WordFacts) -> Contradiction | None:
    for t in slot.source:
        for o in slot.output:
            was, now = facts.joins(source.words[t]), facts.joins(output.words[o])
            if was and now and was.isdisjoint(now):
                return Contradiction(f"joined otherwise: {source.said([t])} became {output.said([o])}", (t,), (o,))
    return None


def _strength_changed(slot: Slot, source: Side, output: Side, facts: WordFacts) -> Contradiction | None:
    """Quantities, frequencies, certainty or duty of another strength, or certainty or duty on one side alone."""
    here = _strengths(source, slot.source, output, facts)
    there = _strengths(output, slot.output, source, facts)
    said = f"{source.said(slot.source)} became {output.said(slot.output)}"
    for scale in sorted(here.keys() & there.keys()):
        (token, before), (other, after) = here[scale], there[scale]
        if far_apart(before, after):
            return Contradiction(f"{scale}: {said}", (token,), (other,))
        return None
    modal = (here.keys() | there.keys()) - AMOUNTS
    hedges = {level for found in (here, there) for _, level in found.values()} == {0}
    if not modal or not slot.source or not slot.output or (here and there and hedges):
        return None  # *may*, *is believed to*
    if not (here and there) and not (hedges and CERTAINTY in modal):
        return None  # *confirmed*, *said*
    tokens = tuple(token for token, _ in here.values()), tuple(token for token, _ in there.values())
    return Contradiction(f"{min(modal)}: {said}", tokens[0] or slot.source, tokens[1] or slot.output)


def _strengths(side: Side, tokens: Sequence[int], other: Side, facts: WordFacts) -> dict[str, tuple[int, int]]:
    """The words on a scale that the other text does not have: by scale, the token and how strong it is."""
    found: dict[str, tuple[int, int]] = {}
    for t in tokens:
        strength = facts.strength(side.words[t])
        if strength and side.lower[t] not in other.counts:
            found[strength[0]] = (t, strength[1])
    return found


def _new(side: Side, tokens: Sequence[int], other: Side) -> list[int]:
    """The words of content that the other text does not have."""
    return [t for t in tokens if not side.weak[t] and side.lower[t] not in other.counts]
