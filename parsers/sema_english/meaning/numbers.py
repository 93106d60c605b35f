"""Numbers, their units and their bounds: how many, in which place, which share, of what; at least or at most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from sema.meaning.kinds import Exclusive
from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table, word_list
from sema_english.meaning.quantities import COUNT, SHARE, Found, Quantity, Unit, read_quantities, units
from sema_english.meaning.words import Words, read_words

_SPAN = "span"
_BEHIND = 4
"""The number of tokens after a number among which *or more* begins."""
_OTHER = {"least": "most", "most": "least"}


class Numbers:
    """A number replaced by another, rounding (*612*, *about 600*) and conversion (*30 minutes*) excepted."""

    kind = Kind.NUMBER
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every number, anchored in what it counts: the content word after it, or else before it."""
        words = read_words(text)
        facts = []
        for found in read_quantities(text):
            tokens = (*found.tokens, *found.unit)
            counted = words.near(tokens, 0, 1) or words.near(tokens, 1, 0)
            facts.append(Fact(self.kind, found.quantity, found.tokens, counted, found.quantity.aspect))
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Numbers that cannot stand for each other."""
        first, second = source.value, output.value
        assert isinstance(first, Quantity)
        assert isinstance(second, Quantity)
        return None if first.agrees(second) else BECAME


@dataclass(frozen=True)
class Measure:
    """A number and its unit."""

    number: float
    unit: Unit

    def converts(self, other: Measure) -> bool:
        """Whether both measure the same in different units."""
        return Quantity(self.number, COUNT, self.unit).converts(Quantity(other.number, COUNT, other.unit))


class Units:
    """A unit replaced by another with the number kept, conversion (*24 hours*, *a day*) excepted."""

    kind = Kind.UNIT
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every unit of a number, anchored in the number; every period (*once a week*), in the words around it."""
        words, facts = read_words(text), []
        for found in read_quantities(text):
            if found.quantity.unit:
                measure = Measure(found.quantity.number, found.quantity.unit)
                facts.append(Fact(self.kind, measure, found.unit, found.tokens, COUNT))
        taken = {token for fact in facts for token in fact.tokens}
        for token, word in enumerate(words.lower):
            unit = units().get(word)
            each = unit and unit.dimension == "time" and words.at(token - 1) in word_list("numbers", "each")
            if unit and each and token not in taken:
                facts.append(Fact(self.kind, Measure(1.0, unit), (token,), words.near((token,)), _SPAN))
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Equal numbers of different units."""
        first, second = source.value, output.value
        assert isinstance(first, Measure)
        assert isinstance(second, Measure)
        return BECAME if first.number == second.number and not first.converts(second) else None


class Bounds(Exclusive):
    """A minimum that became a maximum, or the other way round."""

    kind = Kind.BOUND

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """The bound of every number that has one, anchored in the number."""
        words = read_words(text)
        return [
            Fact(self.kind, side, tokens, found.tokens)
            for found in read_quantities(text)
            if found.quantity.aspect in (COUNT, SHARE)
            for side, tokens in _bounds(words, found)
        ]


@cache
def _phrases() -> Sequence[tuple[tuple[str, ...], str]]:
    """Phrases that bound a number, with the side that they bound, the longest first."""
    found = [(tuple(phrase.split()), side) for side, phrases in table("bounds").items() for phrase in phrases]
    return sorted(found, key=lambda phrase: -len(phrase[0]))


def _bounds(words: Words, found: Found) -> list[tuple[str, tuple[int, ...]]]:
    """The side on which a number is bounded, with the tokens of the phrase and the number; empty without a bound."""
    first, last = min(found.tokens), max((*found.tokens, *found.unit))
    start, end = words.sentence[first]
    for phrase, side in _phrases():
        behind = phrase[0] in ("or", "and")  # *or more*
        for begin in range(last + 1, min(last + 1 + _BEHIND, end)) if behind else (first - len(phrase),):
            if begin >= start and words.lower[begin : begin + len(phrase)] == phrase:
                denied = not behind and words.negated(begin)
                tokens = (*found.tokens, *range(begin, begin + len(phrase)))
                return [(_OTHER[side] if denied else side, tokens)]
    return []
