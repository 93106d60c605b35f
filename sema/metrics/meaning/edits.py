"""What was edited in a text that is otherwise a copy: where nearly all words stand, the others are the message.

In a sentence that is written anew a word without a counterpart may be another way of saying something. In a copy
nothing is left that it could say: a fact put in is an addition, another thing in a thing's place a replacement.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from sema.metrics.meaning.contradictions import Contradiction, far_apart
from sema.metrics.meaning.opposites import TIED
from sema.metrics.meaning.places import ALMOST, MAX_WORDS, Slot, find_slots, matcher
from sema.metrics.meaning.words import Side
from sema.model.meaning import WordFacts

LEAST = 2
"""Words of content that make a fact."""
COPY = 8
"""Words from which on a text that has them all in their order can be nothing but a copy."""
ALIKE = 4
"""Letters by which two names are written forms of one."""
ROOM = 2
"""Words of content that may stand for one that is gone."""
AMOUNTS = frozenset(["quantity", "frequency"])
"""Scales whose words may go without changing what is said: *many of the*, *often*."""
CERTAINTY = "certainty"
HEDGES = frozenset([CERTAINTY, "evidence"])
"""Scales whose least words say that something may not be so: *perhaps*, *allegedly*."""
"""The scale of whose least words (*may*, *possible*) the loss matters."""
LONGEST = 4
"""Words of content of a thing that another thing replaces."""
FEW, MANY = 3, 2
"""The highest count that is not many, and the place of *many* on the scale of quantity."""


Acts = frozenset[int]
"""The tokens of main relations."""


def edits(
    source: Side, output: Side, facts: WordFacts, acts: tuple[Acts, Acts] = (frozenset(), frozenset())
) -> Iterator[Contradiction]:
    """Facts put in, things in other things' place, other people's pronouns, clauses joined otherwise, hedges gone."""
    if max(len(source.words), len(output.words)) > MAX_WORDS:
        return
    yield from _added(source, output, acts[1])
    yield from _condition_gone(source, output, facts)
    yield from _hedge_gone(source, output, facts, acts[0])
    slots = _joined_up([slot for slot in find_slots(source, output) if slot.almost], source)
    for slot in slots:
        yield from _replaced(slot, source, output, facts, alone=len(slots) == 1)


def _added(source: Side, output: Side, acts: Acts) -> Iterator[Contradiction]:
    """Words put in between words that all were there; one alone, if all else is the same and it is no clause."""
    blocks = matcher(source, output).get_matching_blocks()
    if not source.words or sum(block.size for block in blocks) < ALMOST * len(source.words):
        return
    gone = sum(not source.weak[t] and not source.linked(t) for t in range(len(source.words)))
    all_there = COPY <= len(source.words) == sum(block.size for block in blocks)
    for before, after in zip([None, *blocks], blocks, strict=False):
        start, begin = (before.b + before.size, before.a + before.size) if before else (0, 0)
        if any(not source.weak[t] for t in range(begin, after.a)):
            continue
        new = [t for t in range(start, after.b) if not output.weak[t] and output.lower[t] not in source.counts]
        new = [t for t in new if not output.linked(t)]
        alone = all_there and acts.isdisjoint(range(start, after.b)) and all(output.words[t].isalpha() for t in new)
        enough = 1 if alone else LEAST
        if len(new) >= enough and len(new) > ROOM * gone:
            yield Contradiction(f"added: {output.said(new)}", (), tuple(new))


def _joined_up(slots: Sequence[Slot], source: Side) -> list[Slot]:
    """The slots, those joined to one that nothing but words of grammar keep apart (*flour had become too dear*)."""
    found: list[Slot] = []
    for slot in slots:
        before = found[-1] if found else None
        between = range(before.source[-1] + 1, slot.source[0]) if before and before.source and slot.source else None
        if before and between and len(between) <= ROOM and all(source.weak[t] for t in between):
            found[-1] = Slot((*before.source, *slot.source), (*before.output, *slot.output), almost=True)
        else:
            found.append(slot)
    return found


def _condition_gone(source: Side, output: Side, facts: WordFacts) -> Iterator[Contradiction]:
    """A condition of which nothing is left where what it limits is said word for word."""
    blocks = matcher(source, output).get_matching_blocks()
    if not output.words or sum(block.size for block in blocks) < ALMOST * len(output.words):
        return
    for token, word in enumerate(source.lower):
        if word in output.counts or not facts.sets_condition(word):
            continue
        end = next((t for t in range(token + 1, len(source.words)) if source.punctuation[t]), len(source.words))
        limits = [t for t in range(token + 1, end) if not source.weak[t]]
        if len(limits) >= (1 if facts.negates(word) else LEAST) and not any(source.linked(t) for t in limits):
            yield Contradiction(f"condition gone: {source.said(range(token, end))}", (token, *limits), ())


def _hedge_gone(source: Side, output: Side, facts: WordFacts, acts: Acts) -> Iterator[Contradiction]:
    """A word that leaves open whether something is so, cut out before it in a text that is otherwise the same."""
    words = matcher(source, output)
    if words.ratio() < ALMOST or any(_hedges(facts.strength(word)) for word in output.words):
        return
    for what, begin, end, *_ in words.get_opcodes():
        gone = [t for t in range(begin, end) if not source.punctuation[t]]
        hedges = [t for t in gone if _hedges(facts.strength(source.words[t]))]
        following = next((t for t in range(end, len(source.words)) if not source.weak[t]), -1)
        if what == "delete" and hedges and len(gone) <= ROOM and following in acts:
            yield Contradiction(f"certainty: {source.said(hedges)} is gone", tuple(hedges), ())


def _hedges(strength: tuple[str, int] | None) -> bool:
    return strength is not None and strength[0] in HEDGES and strength[1] == 0


def _replaced(slot: Slot, source: Side, output: Side, facts: WordFacts, *, alone: bool) -> Iterator[Contradiction]:
    """The first reason, from the most telling on, why what stands in place of other words says something else."""
    reasons = (
        partial(_another_thing, alone=alone),
        _another_name,
        _made_ones_own,
        _strength_changed,
        _another_person,
        _joined_otherwise,
    )
    for reason in reasons:
        found = reason(slot, source, output, facts)
        if found:
            yield found
            return


def _another_thing(slot: Slot, source: Side, output: Side, facts: WordFacts, *, alone: bool) -> Contradiction | None:
    here, there = _new(source, slot.source, output), _new(output, slot.output, source)
    if not (1 <= len(here) <= LONGEST and 1 <= len(there) <= LONGEST):
        return None
    if any(facts.likeness(source.words[t], output.words[o]) >= TIED for t in here for o in there):
        return None
    if facts.plainer([source.words[t] for t in here], [output.words[o] for o in there]):
        return None
    phrases = alone and min(len(here), len(there)) >= LEAST
    if not (phrases or facts.distinct(source.words[here[-1]], output.words[there[-1]], alone=alone)):
        return None
    return Contradiction(f"replaced: {source.said(here)} by {output.said(there)}", tuple(here), tuple(there))


def _another_name(slot: Slot, source: Side, output: Side, facts: WordFacts) -> Contradiction | None:
    """A name in the place of another, both of which the texts have: *Ann's son*, *Bob's son*."""
    here, there = _new(source, slot.source, output), _new(output, slot.output, source)
    if len(here) != 1 or len(there) != 1 or not (source.names[here[0]] and output.names[there[0]]):
        return None
    was, now = source.lower[here[0]], output.lower[there[0]]
    alike = was[:ALIKE] == now[:ALIKE]
    if alike or now not in source.counts or any(_beside(side, was, now) for side in (source, output)):
        return None  # written otherwise (*Railway*, *Rail*), or parts of one name
    return Contradiction(f"name: {source.said(here)} became {output.said(there)}", tuple(here), tuple(there))


def _beside(side: Side, first: str, second: str) -> bool:
    """Whether two words stand next to each other somewhere."""
    return any({first, second} == set(pair) for pair in zip(side.lower, side.lower[1:], strict=False))


def _made_ones_own(slot: Slot, source: Side, output: Side, facts: WordFacts) -> Contradiction | None:
    """What was somebody's is the subject's own (*sold the abbot's horse*, *sold his own horse*)."""
    owned = [o for o in slot.output if facts.owns(output.words[o]) and output.lower[o] not in source.counts]
    pronouns = [o for o in slot.output if facts.is_pronoun(output.words[o])]
    others = [t for t in slot.source if not source.weak[t]]
    if not (owned and pronouns and others):
        return None
    return Contradiction(
        f"reference: {source.said(others)} became {output.said(slot.output)}", tuple(others), (*pronouns, *owned)
    )


def _another_person(slot: Slot, source: Side, output: Side, facts: WordFacts) -> Contradiction | None:
    for t in slot.source:
        for o in slot.output:
            was, now = facts.person(source.words[t]), facts.person(output.words[o])
            if was and now and was != now:
                return Contradiction(f"reference: {source.said([t])} became {output.said([o])}", (t,), (o,))
    pronouns = [t for t in slot.source if facts.is_pronoun(source.words[t]) or facts.points_back(source.words[t], "")]
    strangers = [o for o in slot.output if not output.weak[o] and output.lower[o] not in source.counts]
    if pronouns and len(strangers) == 1 and all(source.weak[t] or t in pronouns for t in slot.source):
        return Contradiction(
            f"reference: {source.said(pronouns)} became {output.said(strangers)}", (*pronouns,), (*strangers,)
        )
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
    if _counted_down(here, slot.output, output, facts) or _counted_down(there, slot.source, source, facts):
        return Contradiction(f"quantity: {said}", slot.source, slot.output)
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


def _counted_down(said: Mapping[str, tuple[int, int]], counted: Sequence[int], other: Side, facts: WordFacts) -> bool:
    """Whether *many* or more are but a few by count."""
    values = [facts.value(other.words[t]) for t in counted]
    few = any(isinstance(value, int | float) and 0 < value <= FEW for value in values)
    return few and said.get("quantity", (0, 0))[1] >= MANY


def _strengths(side: Side, tokens: Sequence[int], other: Side, facts: WordFacts) -> dict[str, tuple[int, int]]:
    """The words on a scale that the other text does not have: by scale, the token and how strong it is."""
    found: dict[str, tuple[int, int]] = {}
    for t in tokens:
        strength = facts.strength(side.words[t])
        if strength and side.lower[t] not in other.counts:
            found[strength[0]] = (t, strength[1])
    return found


def _new(side: Side, tokens: Sequence[int], other: Side) -> list[int]:
    """The words of content that the other text does not have as often."""
    return [t for t in tokens if not side.weak[t] and other.counts[side.lower[t]] < side.counts[side.lower[t]]]
