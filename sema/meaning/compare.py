"""Compares the facts of two texts: one algorithm for every kind and every language.

Two facts are *in the same place* if their anchors are linked, or if their own words are linked or stand between the
same words. Facts are matched one to one, in this order:

1. facts in the same place that agree;
2. two facts that each stand in the other's place: an exchange;
3. facts that agree anywhere: the fact has moved;
4. facts in the same place that are left: the reader says whether they contradict each other.

So a fact that is left out, moved or added is no conflict; only another fact in its place is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema.meaning.pair import Pair
from sema.model.fact import Conflict, Fact, FactReader
from sema.model.item import Item

MAX_WORDS = 1000
"""Words of a text up to which facts are compared."""
SAME_PLACE = 0.5
"""The share of linked anchor words from which two facts are about the same thing."""

Placed = tuple[float, int, int]
"""How surely two facts are in the same place, with their indexes in either list."""


def conflicts(item: Item, readers: Sequence[FactReader]) -> list[Conflict]:
    """All conflicts between the source and the output of an item; none for a copy, an empty or a very long text."""
    sizes = len(item.source.words), len(item.output.words)
    if item.source.words == item.output.words or not all(sizes) or max(sizes) > MAX_WORDS:
        return []
    pair = Pair.of(item)
    found: list[Conflict] = []
    for reader in readers:
        source = reader.facts(item.source, item.graphs)
        output = reader.facts(item.output, item.output_graphs) if source else []
        if output:
            found += compare(source, output, pair, reader)
    return _without_repeats(found)


def compare(source: Sequence[Fact], output: Sequence[Fact], pair: Pair, reader: FactReader) -> Iterator[Conflict]:
    """The conflicts between two texts' facts of one reader."""
    placed = sorted(_placed(source, output, pair), key=lambda found: (-found[0], found[1], found[2]))
    here, there = set(range(len(source))), set(range(len(output)))

    def settle(s: int, o: int) -> None:
        here.discard(s)
        there.discard(o)

    for _, s, o in placed:
        if s in here and o in there and source[s].value == output[o].value:
            settle(s, o)
    left = [(s, o) for _, s, o in placed if s in here and o in there]
    for number, (s, o) in enumerate(left):
        for other, also in left[number + 1 :]:
            crossed = _equal(source[s], output[also]) and _equal(source[other], output[o])
            if crossed and s != other and o != also and {s, other} <= here and {o, also} <= there:
                yield _exchange((source[s], source[other]), (output[o], output[also]), pair)
                settle(s, o)
                settle(other, also)
    for s in sorted(here):
        moved = next((o for o in sorted(there) if _equal(source[s], output[o])), None)
        if moved is not None:
            settle(s, moved)
    for s, o in left:
        if s in here and o in there:
            settle(s, o)
            reason = reader.conflict(source[s], output[o])
            if reason is not None:
                yield _conflict(source[s], output[o], reason, pair)


def _placed(source: Sequence[Fact], output: Sequence[Fact], pair: Pair) -> Iterator[Placed]:
    """The facts in the same place."""
    for s, fact in enumerate(source):
        for o, other in enumerate(output):
            if fact.aspect == other.aspect:
                score = _closeness(fact, other, pair)
                if score >= SAME_PLACE:
                    yield score, s, o


def _closeness(fact: Fact, other: Fact, pair: Pair) -> float:
    """How surely two facts are about the same thing, from 0 to 1."""
    linked = pair.share(fact.anchor, other.anchor)
    if fact.value is not None and other.value is not None and pair.same_slot(fact.tokens, other.tokens):
        return 1.0
    return linked


def _equal(fact: Fact, other: Fact) -> bool:
    return fact.value is not None and fact.value == other.value and fact.aspect == other.aspect


def _conflict(fact: Fact, other: Fact, reason: str, pair: Pair) -> Conflict:
    said = reason.format(source=pair.quote_source(fact.tokens), output=pair.quote_output(other.tokens))
    return Conflict(fact.kind, fact.tokens, other.tokens, said)


def _exchange(facts: tuple[Fact, Fact], others: tuple[Fact, Fact], pair: Pair) -> Conflict:
    first, second = (pair.quote_source(fact.tokens) for fact in facts)
    tokens, found = ((*a.tokens, *b.tokens) for a, b in (facts, others))
    return Conflict(facts[0].kind, tokens, found, f"{first} and {second} are exchanged")


def _without_repeats(found: Sequence[Conflict]) -> list[Conflict]:
    """The conflicts without those about words of which an earlier one speaks on both sides."""
    kept: list[Conflict] = []
    for one in found:
        told = any(set(one.source) & set(k.source) and set(one.output) & set(k.output) for k in kept)
        if not told:
            kept.append(one)
    return kept
