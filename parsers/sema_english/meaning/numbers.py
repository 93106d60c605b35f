"""Numbers and their units: how many, in which place, which share, of what."""

from __future__ import annotations

from collections.abc import Iterator

from sema.model.fact import BECAME, Fact, Kind
from sema_english.listed import word_list
from sema_english.meaning.quantities import COUNT, read_quantities, same_amount, units
from sema_english.meaning.words import WordFacts, Words

_SPAN = "span"


class Numbers(WordFacts):
    """A number replaced by another, rounding (*612*, *about 600*) and conversion (*30 minutes*) excepted."""

    kind = Kind.NUMBER
    exchanges = True

    def found(self, words: Words) -> Iterator[Fact]:
        """Every number, anchored in what it counts: the content word after it, or else before it."""
        for number in read_quantities(words.text):
            tokens = (*number.tokens, *number.unit)
            counted = words.near(tokens, 0, 1) or words.near(tokens, 1, 0)
            yield Fact(self.kind, number.quantity, number.tokens, counted, number.quantity.aspect)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Numbers that cannot stand for each other."""
        return None if source.value.agrees(output.value) else BECAME


class Units(WordFacts):
    """A unit replaced by another with the number kept, conversion (*24 hours*, *a day*) excepted."""

    kind = Kind.UNIT

    def found(self, words: Words) -> Iterator[Fact]:
        """Every unit of a number, anchored in the number; every period (*once a week*), in the words around it."""
        numbers = [number for number in read_quantities(words.text) if number.quantity.unit]
        for number in numbers:
            yield Fact(self.kind, (number.quantity.number, number.quantity.unit), number.unit, number.tokens, COUNT)
        taken = {token for number in numbers for token in number.unit}
        for token, word in enumerate(words.lower):
            unit = units().get(word)
            each = unit and unit.dimension == "time" and words.at(token - 1) in word_list("numbers", "each")
            if each and token not in taken:
                yield Fact(self.kind, (1.0, unit), (token,), words.near((token,)), _SPAN)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Equal numbers of different units."""
        return BECAME if source.value[0] == output.value[0] and not same_amount(source.value, output.value) else None
