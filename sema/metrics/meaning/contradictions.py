"""What an output says otherwise than its source although the words around are there: opposites, other facts, strength.

A contradiction weighs more than the words that make it. Its own words keep next to nothing, the Scene that it stands in
little, the rest of the sentence most of what they had: a reader who is told the opposite has not been told the rest
as it was. Only what is certain counts: the words around must be linked, and both texts must have their own side of it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sema.meaning.views import SceneView
from sema.metrics.meaning.facts import innermost
from sema.metrics.meaning.opposites import LESS, TIED, opposites
from sema.metrics.meaning.places import MAX_WORDS, Slot, find_slots, of_same
from sema.metrics.meaning.words import Side
from sema.model.item import Item
from sema.model.meaning import WordFacts

WORD, SCENE, SENTENCE = 0.1, 0.3, 0.4
"""What is left of the words of a contradiction, of the Scenes and of the sentences that they stand in.

Each of the text's other sentences loses its share of what the sentence loses: half in a text of two.
"""
SLIGHT = 0.25
"""How much of that a slight one costs: what a careful reader would forgive."""
ROUNDED = 0.05
"""The share by which a rounded number may differ."""
MODIFIERS = frozenset(["more", LESS, "about"])
"""The groups of words that change the strength of what comes next."""
TOP = 4
"""The strongest place of a scale: *all* and *most* are further apart than *some* and *many*."""


@dataclass(frozen=True)
class Contradiction:
    """What was said, what is said now, by token; ``slight`` if a careful reader would forgive it."""

    reason: str
    source: tuple[int, ...]
    output: tuple[int, ...]
    slight: bool = False


def contradictions(
    source: Side,
    output: Side,
    facts: WordFacts,
    views: Sequence[SceneView] = (),
    others: Sequence[SceneView] = (),
) -> list[Contradiction]:
    """Those that single words show; :mod:`sema.metrics.meaning.statements` has those that Scenes show.

    Scenes tell here what two phrases are that changed places. Texts of more than a thousand words are too far from word
    by word for any.
    """
    if max(len(source.words), len(output.words)) > MAX_WORDS:
        return []
    slots = find_slots(source, output)
    pairs = _exchanges(slots, source, output, facts)
    sides = (source, views), (output, others)
    found = [said for first, second, said in pairs if not _turned_round(first, second, *sides, facts)]
    taken = {t for one in found for t in one.source}
    left = [slot for slot in slots if taken.isdisjoint(slot.source)]
    found += [told for slot in left if (told := _in_slot(slot, source, output, facts))]
    found += _other_units(source, output, facts, found)
    found += [
        Contradiction(f"opposite: {source.said([token])} became {output.said([other])}", (token,), (other,))
        for token, other in opposites(source, output, facts, {t for one in found for t in one.output})
    ]
    return [*found, *_strengths(source, output, facts, found)]


def _exchanges(
    slots: Sequence[Slot], source: Side, output: Side, facts: WordFacts
) -> Iterator[tuple[Slot, Slot, Contradiction]]:
    """Two places that have each other's words; not in another voice, nor a number and what is none."""
    said = [(_content(source, slot.source), _content(output, slot.output)) for slot in slots]
    voices = [sum(map(facts.marks_agent, side.words)) for side in (source, output)]
    if voices[0] != voices[1]:
        return
    for number, (first, second) in enumerate(said):
        for other in range(number + 1, len(slots)):
            alike = first and second and (facts.value(first[-1]) is None) == (facts.value(second[-1]) is None)
            if alike and said[other] == (second, first):
                here, there = (
                    (*slots[number].source, *slots[other].source),
                    (*slots[number].output, *slots[other].output),
                )
                said_so = f"role: {' '.join(first)!r} and {' '.join(second)!r} are exchanged"
                yield slots[number], slots[other], Contradiction(said_so, here, there)


def _turned_round(
    first: Slot,
    second: Slot,
    here: tuple[Side, Sequence[SceneView]],
    there: tuple[Side, Sequence[SceneView]],
    facts: WordFacts,
) -> bool:
    """Whether two phrases that changed places are parts of one list, or keep what relates them (*in the desert*)."""
    source, views = here
    between = range(first.source[-1] + 1, second.source[0])
    acts = {t for view in views for t in view.relation}
    if any(facts.coordinates(source.words[t]) for t in between) and acts.isdisjoint(between):
        return True
    kept = ((first.source, second.output), (second.source, first.output))
    related = [_related_by(*here, before) for before, _ in kept]
    if related[0] == related[1] and not acts.isdisjoint(between):
        return False  # *sales of A exceed those of B*
    return any(
        bool(said) and said == _related_by(*there, after) for said, (_, after) in zip(related, kept, strict=True)
    )


def _related_by(side: Side, views: Sequence[SceneView], tokens: Sequence[int]) -> frozenset[str]:
    """The Relators of the smallest unit that holds the last word of content of a phrase."""
    head = [t for t in tokens if not side.weak[t]][-1:]
    holders = [unit for view in views for unit in view.units if head and head[0] in unit.tokens]
    smallest = min(holders, key=lambda unit: len(unit.tokens), default=None)
    return frozenset(side.lower[t] for t in smallest.relators) if smallest else frozenset()


def _content(side: Side, tokens: Sequence[int]) -> list[str]:
    return [side.lower[t] for t in tokens if not side.weak[t]]


def _in_slot(slot: Slot, source: Side, output: Side, facts: WordFacts) -> Contradiction | None:
    """What it means that one stands where the other stood."""
    here = [t for t in slot.source if not source.weak[t]]
    there = [t for t in slot.output if not output.weak[t]]
    facts_of: Sequence[tuple[str, Callable[[Side, int], bool]]] = (
        ("number", lambda side, t: facts.value(side.words[t]) is not None),
        ("unit", lambda side, t: facts.unit(side.words[t]) is not None and _counted(side, t, facts)),
        ("name", lambda side, t: bool(side.names[t])),
    )
    for what, is_fact in facts_of:
        gone = tuple(t for t in here if is_fact(source, t) and not _elsewhere(source, t, output, facts))
        new = tuple(t for t in there if is_fact(output, t) and not _elsewhere(output, t, source, facts))
        numbers = ([t for t in here if is_fact(source, t)], [t for t in there if is_fact(output, t)])
        if what == "number" and _same(what, *numbers, source, output, facts):
            continue  # *forty-nine* is *49* even where another *nine* is said elsewhere
        if gone and new and not _same(what, gone, new, source, output, facts):
            return Contradiction(f"{what}: {source.said(gone)} became {output.said(new)}", gone, new)
    return None


def _counted(side: Side, token: int, facts: WordFacts) -> bool:
    return token > 0 and facts.value(side.words[token - 1]) is not None


def _other_units(
    source: Side, output: Side, facts: WordFacts, known: Sequence[Contradiction]
) -> Iterator[Contradiction]:
    """A number that is said once in either text, of another unit."""

    def measures(side: Side) -> dict[Hashable, int]:
        values = [facts.value(word) for word in side.words]
        counted = [
            t
            for t in range(1, len(values))
            if values[t] is None and _counted(side, t, facts) and facts.unit(side.words[t])
        ]
        return {values[t - 1]: t for t in counted if values.count(values[t - 1]) == 1}

    here, there = measures(source), measures(output)
    taken = {t for one in known for t in one.source}
    for value in sorted(here.keys() & there.keys(), key=str):
        first, second = here[value], there[value]
        if first not in taken and facts.unit(source.words[first]) != facts.unit(output.words[second]):
            yield Contradiction(f"unit: {source.said([first])} became {output.said([second])}", (first,), (second,))


def _elsewhere(side: Side, token: int, other: Side, facts: WordFacts) -> bool:
    """Whether the other text has the word, or the number, in whatever place."""
    value = facts.value(side.words[token])
    return side.lower[token] in other.counts or (value is not None and value in map(facts.value, other.words))


def _same(what: str, here: Sequence[int], there: Sequence[int], source: Side, output: Side, facts: WordFacts) -> bool:
    """Whether the fact of the one is as good as that of the other."""
    first, second = [source.words[t] for t in here], [output.words[t] for t in there]
    pairs = [(a, b) for a in first for b in second]
    if what == "number":
        alike = any(_as_good(a, b) for a in _values(first, facts) for b in _values(second, facts))
        return alike or _same_digits(_digits(first), _digits(second))
    if what == "unit":
        return any(facts.unit(a) == facts.unit(b) for a, b in pairs)
    plain = [[_unaccented(word) for word in words] for words in (first, second)]
    initials = {"".join(word[:1] for word in words) for words in plain}
    tied = any(
        source.partners[t] in there and source.linked(t) and facts.likeness(source.words[t], output.words[o]) >= TIED
        for t in here
        for o in there
    )
    return tied or any(a[:4] == b[:4] or {a, b} & initials for a in plain[0] for b in plain[1])


def _values(words: Sequence[str], facts: WordFacts) -> list[Hashable]:
    """The values of number words, and their sum (*forty nine*)."""
    parts = [part for word in words for part in ((word,) if facts.value(word) is not None else word.split(","))]
    values = [value for part in parts if (value := facts.value(part)) is not None]
    numbers = [value for value in values if isinstance(value, int | float)]
    return [*values, sum(numbers)] if len(numbers) == len(values) > 1 else values


def _digits(words: Sequence[str]) -> str:
    return "".join(filter(str.isdecimal, "".join(words)))


def _same_digits(first: str, second: str) -> bool:
    """The same digits, or a year in short (*1918-20*)."""
    short, full = sorted((first, second), key=len)
    return short != "" and (short == full or (len(short) == 2 and len(full) == 4 and full.endswith(short)))


def _unaccented(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word.lower()) if c.isalnum())


def _as_good(value: Hashable, other: Hashable) -> bool:
    """The same number, or one rounded to the other (*612* and *600*, not *1942* and *1945*)."""
    if isinstance(value, int | float) and isinstance(other, int | float):
        near = abs(value - other) <= ROUNDED * max(abs(value), abs(other))
        return value == other or (near and _significant(value) != _significant(other))
    return value == other


def _significant(value: float) -> int:
    """How many digits a number has but for the noughts at its end."""
    return len(f"{abs(value):.6f}".rstrip("0").rstrip(".").replace(".", "").strip("0"))


def _strengths(source: Side, output: Side, facts: WordFacts, known: Sequence[Contradiction]) -> Iterator[Contradiction]:
    """Quantity, frequency and certainty that are stronger or weaker than they were said to be."""

    def left_over(side: Side, other: Side) -> dict[str, list[tuple[int, int]]]:
        mine, theirs = ([facts.strength(word) for word in one.words] for one in (side, other))
        found: dict[str, list[tuple[int, int]]] = {}
        for token, strength in enumerate(mine):
            if strength is not None and theirs.count(strength) < mine.count(strength) and _whole(side, token, facts):
                found.setdefault(strength[0], []).append((token, strength[1]))
        return found

    lost, new = left_over(source, output), left_over(output, source)
    taken = {t for one in known for t in one.source}
    for scale, gone in lost.items():
        for (token, before), (other, after) in zip(gone, new.get(scale, ()), strict=False):
            opposed = facts.opposed(source.words[token], output.words[other])
            if token in taken or not far_apart(before, after) or opposed or not of_same(token, other, source, output):
                continue
            said = f"{scale}: {source.said([token])} became {output.said([other])}"
            yield Contradiction(said, (token,), (other,))


def _whole(side: Side, token: int, facts: WordFacts) -> bool:
    """Whether a word of strength is all there is: no *every few*, *every two*, *less than half*, *nearly all*."""
    following = side.words[token + 1] if token + 1 < len(side.words) else ""
    before = [facts.force(word) for word in side.words[max(0, token - 2) : token]]
    return facts.strength(following) is None and facts.value(following) is None and MODIFIERS.isdisjoint(before)


def far_apart(before: int, after: int) -> bool:
    """Whether two places on a scale say different things."""
    return abs(before - after) >= (1 if TOP in (before, after) else 2)


def apply(
    found: Sequence[Contradiction],
    item: Item,
    sides: tuple[Side, Side],
    scenes: tuple[Sequence[SceneView], Sequence[SceneView]],
) -> tuple[dict[int, list[str]], dict[int, list[str]]]:
    """Lower words, Scenes and sentences of contradictions on both sides; the reasons, by Scene of either side."""
    reasons: tuple[dict[int, list[str]], dict[int, list[str]]] = ({}, {})
    texts = (item.source, item.output)
    for place, side in enumerate(sides):
        left = np.ones(len(side.words))
        for one in found:
            tokens = (one.source, one.output)[place]
            share = SLIGHT if one.slight else 1.0
            for start, end in texts[place].sentences:
                if not one.slight:
                    told = any(start <= t < end for t in tokens)
                    _lower(left, range(start, end), SENTENCE, 1.0 if told else 1 / len(texts[place].sentences))
            for number in {innermost(scenes[place], t) for t in tokens} - {None}:
                assert number is not None
                _lower(left, scenes[place][number].tokens, SCENE, share)
                known = reasons[place].setdefault(number, [])
                if one.reason not in known:
                    known.append(one.reason)
            _lower(left, tokens, WORD, share)
        side.probabilities *= left
    return reasons


def _lower(left: np.ndarray, tokens: Sequence[int], factor: float, share: float) -> None:
    for token in tokens:
        left[token] = min(left[token], 1 - share * (1 - factor))
