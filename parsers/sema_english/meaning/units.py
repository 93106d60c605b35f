"""Units: what a number measures, and how often something happens (*once a week*)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.meaning.quantities import COUNT, Quantity, Unit, read_quantities, units
from sema_english.meaning.words import read_words

_EACH = frozenset(["a", "an", "per", "each", "every"])
"""Words before a span of time that tell how often."""
_SPAN = "span"


@dataclass(frozen=True)
class Measure:
    """A quantity that is equal to another if number and unit are."""

    quantity: Quantity

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[float, Unit | None]:
        return self.quantity.number, self.quantity.unit


class Units:
    """The same number of another unit, but for conversions (*24 hours*, *a day*)."""

    kind = Kind.UNIT
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every unit behind a number, stated of the number; every span of time without one, of the words around."""
        words = read_words(text)
        counted = [found for found in read_quantities(text) if found.unit]
        facts = [Fact(self.kind, Measure(found.quantity), found.unit, found.tokens, COUNT) for found in counted]
        taken = {token for found in counted for token in found.unit}
        for token, word in enumerate(words.lower[1:], start=1):
            unit = units().get(word)
            if unit and unit.dimension == "time" and token not in taken and words.lower[token - 1] in _EACH:
                facts.append(
                    Fact(self.kind, Measure(Quantity(1.0, COUNT, unit)), (token,), words.near((token,)), _SPAN)
                )
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Equal numbers of units that are no names of the same."""
        first, second = source.value, output.value
        assert isinstance(first, Measure)
        assert isinstance(second, Measure)
        same = first.quantity.number == second.quantity.number
        return BECAME if same and not first.quantity.converts(second.quantity) else None
