"""Compares the facts of two texts: one algorithm for every kind and every language.

Two facts are *in the same place* if their anchors are linked, or if they replace each other between the same words.
Facts are matched one to one, in this order:

1. facts in the same place that agree: equal ones, or those that the reader finds no conflict between;
2. two facts, each in the place of the other: an exchange;
3. facts that agree anywhere: the fact has moved;
4. other facts in the same place: the reader decides whether they conflict.

So an omitted, moved or added fact is no conflict; a different fact in its place is.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from sema.meaning.pair import NONE_APART, Apart, Pair, quote, text_of
from sema.model.fact import Conflict, Fact, FactReader
from sema.model.item import Item

MAX_WORDS = 1000
"""The largest number of words of texts whose facts are compared."""
SAME_PLACE = 0.5
"""The least share of linked anchor words of two facts about the same thing."""


def conflicts(item: Item, readers: Sequence[FactReader], apart: Apart = NONE_APART) -> list[Conflict]:
    """All conflicts between the source and the output of an item; none in copies, empty texts and very long texts.

    Facts of tokens that stand ``apart`` conflict with nothing.

    Of two conflicts that share words of both texts the earlier reader's is kept.
    """
    sizes = len(item.source.words), len(item.output.words)
    if item.source.words == item.output.words or not all(sizes) or max(sizes) > MAX_WORDS:
        return []
    pair = Pair.of(item, apart)
    found: list[Conflict] = []
    for reader in readers:
        source = [fact for fact in reader.facts(item.source, item.graphs) if apart[0].isdisjoint(fact.tokens)]
        output = reader.facts(item.output, item.output_graphs) if source else []
        output = [fact for fact in output if apart[1].isdisjoint(fact.tokens)]
        for one in compare(source, output, pair, reader) if output else ():
            if not any(set(one.source) & set(k.source) and set(one.output) & set(k.output) for k in found):
                found.append(one)
    return found


def facts_of(item: Item, readers: Sequence[FactReader]) -> dict[str, list[dict[str, Any]]]:
    """What the readers find in the ``source`` and in the ``output`` of an item, as plain data."""
    texts = {"source": (item.source, item.graphs), "output": (item.output, item.output_graphs)}
    return {
        side: [
            {
                "kind": str(fact.kind), "tokens": sorted(fact.tokens), "text": text_of(text.words, fact.tokens),
                "of": text_of(text.words, fact.anchor), "value": _plain(fact.value),
            }
            for reader in readers
            for fact in reader.facts(text, graphs)
        ]
        for side, (text, graphs) in texts.items()
    }  # fmt: skip


def _plain(value: Any) -> Any:
    """A fact's value as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if hasattr(value, "_asdict"):
        return _plain(value._asdict())
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        parts = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [_plain(part) for part in parts]
    return value if isinstance(value, bool | int | float | None) else str(value)


def compare(source: Sequence[Fact], output: Sequence[Fact], pair: Pair, reader: FactReader) -> Iterator[Conflict]:
    """The conflicts between the facts that one reader found in two texts."""
    placed = [(s, o) for _, s, o in sorted(_placed(source, output, pair), key=lambda one: (-one[0], *one[1:]))]
    open_source, open_output = set(range(len(source))), set(range(len(output)))

    def agree(s: int, o: int) -> bool:
        return source[s].value == output[o].value or reader.conflict(source[s], output[o]) is None

    def are_open(s: int, o: int) -> bool:
        return s in open_source and o in open_output

    def settle(s: int, o: int) -> None:
        open_source.discard(s)
        open_output.discard(o)

    for s, o in placed:
        if are_open(s, o) and agree(s, o):
            settle(s, o)
    left = [one for one in placed if are_open(*one)]
    for one, other in _crossed(left, source, output) if reader.exchanges else ():
        if are_open(*one) and are_open(*other):
            yield _exchange((source[one[0]], source[other[0]]), (output[one[1]], output[other[1]]), pair)
            settle(*one)
            settle(*other)
    rivals = [(s, o, reason) for s, o in left if are_open(s, o) and (reason := reader.conflict(source[s], output[o]))]
    for s in sorted(open_source) if rivals else ():
        moved = next((o for o in sorted(open_output) if agree(s, o)), None)
        if moved is not None:
            settle(s, moved)
    for s, o, reason in rivals:
        if are_open(s, o):
            settle(s, o)
            old, new = source[s], output[o]
            tokens, others = ((*fact.tokens, *fact.unit) for fact in (old, new))
            quoted = reason.format(source=quote(pair.source, tokens), output=quote(pair.output, others))
            yield Conflict(old.kind, tokens, others, quoted)


def _placed(source: Sequence[Fact], output: Sequence[Fact], pair: Pair) -> Iterator[tuple[float, int, int]]:
    """Pairs of facts of one aspect in the same place: how certainly they are there, 0 to 1, and their indexes."""
    by_aspect: dict[Hashable, list[int]] = {}
    for o, other in enumerate(output):
        by_aspect.setdefault(other.aspect, []).append(o)
    for s, fact in enumerate(source):
        rivals = by_aspect.get(fact.aspect)
        if rivals is None:
            continue
        linked, in_slot = pair.linked(fact.anchor), pair.in_slot(fact.tokens)
        for o in rivals:
            other = output[o]
            if in_slot and pair.same_slot(fact.tokens, other.tokens):
                yield 1.0, s, o
            elif not linked.isdisjoint(other.anchor):
                share = pair.share(fact.anchor, other.anchor)
                if share >= SAME_PLACE:
                    yield share, s, o


def _crossed(
    placed: Sequence[tuple[int, int]], source: Sequence[Fact], output: Sequence[Fact]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Two pairs of facts in the same place whose values are exchanged."""
    by_values: dict[tuple[Hashable, Hashable], list[tuple[int, int]]] = {}
    for s, o in placed:
        values = source[s].value, output[o].value
        for first in by_values.get((values[1], values[0]), ()):
            if first[0] != s and first[1] != o:
                yield first, (s, o)
        by_values.setdefault(values, []).append((s, o))


def _exchange(facts: tuple[Fact, Fact], others: tuple[Fact, Fact], pair: Pair) -> Conflict:
    first, second = (quote(pair.source, fact.tokens) for fact in facts)
    tokens, found = ((*a.tokens, *b.tokens) for a, b in (facts, others))
    return Conflict(facts[0].kind, tokens, found, f"{first} and {second} are exchanged")
