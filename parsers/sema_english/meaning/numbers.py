"""Numbers, their units and their bounds: how many, in which place, which share, of what; at least or at most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from sema.meaning.kinds import Exclusive
from sema.model.fact import BECAME, Fact, Kind
from sema_english.listed import table, word_list
from sema_english.meaning.quantities import COUNT, SHARE, Found, read_quantities, same_amount, units
from sema_english.meaning.words import WordFacts, Words

_SPAN = "span"
_BEHIND = 4
"""The number of tokens after a number among which *or more* begins."""
_OTHER = {"least": "most", "most": "least"}


class Numbers(WordFacts):
    """A number replaced by another, rounding (*612*, *about 600*) and conversion (*30 minutes*) excepted."""

    kind = Kind.NUMBER
    exchanges = True

    def found(self, words: Words) -> Iterator[Fact]:
        """Every number, anchored in what it counts: the content word after it, or else before it."""
        for found in read_quantities(words.text):
            tokens = (*found.tokens, *found.unit)
            counted = words.near(tokens, 0, 1) or words.near(tokens, 1, 0)
            yield Fact(self.kind, found.quantity, found.tokens, counted, found.quantity.aspect)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Numbers that cannot stand for each other."""
        return None if source.value.agrees(output.value) else BECAME


class Units(WordFacts):
    """A unit replaced by another with the number kept, conversion (*24 hours*, *a day*) excepted."""

    kind = Kind.UNIT

    def found(self, words: Words) -> Iterator[Fact]:
        """Every unit of a number, anchored in the number; every period (*once a week*), in the words around it."""
        numbers = [found for found in read_quantities(words.text) if found.quantity.unit]
        for found in numbers:
            yield Fact(self.kind, (found.quantity.number, found.quantity.unit), found.unit, found.tokens, COUNT)
        taken = {token for found in numbers for token in found.unit}
        for token, word in enumerate(words.lower):
            unit = units().get(word)
            each = unit and unit.dimension == "time" and words.at(token - 1) in word_list("numbers", "each")
            if each and token not in taken:
                yield Fact(self.kind, (1.0, unit), (token,), words.near((token,)), _SPAN)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Equal numbers of different units."""
        return BECAME if source.value[0] == output.value[0] and not same_amount(source.value, output.value) else None


class Bounds(Exclusive, WordFacts):
    """A minimum that became a maximum, or the other way round."""

    kind = Kind.BOUND

    def found(self, words: Words) -> Iterator[Fact]:
        """The bound of every number that has one, anchored in the number."""
        for found in read_quantities(words.text):
            bound = _bound(words, found) if found.quantity.aspect in (COUNT, SHARE) else None
            if bound is not None:
                yield Fact(self.kind, *bound, found.tokens)


@cache
def _phrases() -> Sequence[tuple[tuple[str, ...], str]]:
    """Phrases that bound a number, with the side that they bound, the longest first."""
    found = [(tuple(phrase.split()), side) for side, phrases in table("bounds").items() for phrase in phrases]
    return sorted(found, key=lambda phrase: -len(phrase[0]))


def _bound(words: Words, found: Found) -> tuple[str, tuple[int, ...]] | None:
    """The side on which a number is bounded, with the tokens of the phrase and the number."""
    first, last = min(found.tokens), max((*found.tokens, *found.unit))
    start, end = words.sentence[first]
    for phrase, side in _phrases():
        behind = phrase[0] in ("or", "and")  # *or more*
        for begin in range(last + 1, min(last + 1 + _BEHIND, end)) if behind else (first - len(phrase),):
            if begin >= start and words.lower[begin : begin + len(phrase)] == phrase:
                denied = not behind and words.negated(begin)
                tokens = (*found.tokens, *range(begin, begin + len(phrase)))
                return _OTHER[side] if denied else side, tokens
    return None
