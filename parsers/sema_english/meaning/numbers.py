"""Numbers: how many, the how-manieth, which part."""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.meaning.quantities import Quantity, read_quantities
from sema_english.meaning.words import read_words


class Numbers:
    """Numbers in the place of others, but rounded ones (*612*, *about 600*) and converted ones (*30 minutes*)."""

    kind = Kind.NUMBER
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every number, stated of what it counts: the word of content behind it, or else before it."""
        words = read_words(text)
        facts = []
        for found in read_quantities(text):
            tokens = (*found.tokens, *found.unit)
            counted = words.near(tokens, 0, 1) or words.near(tokens, 1, 0)
            facts.append(Fact(self.kind, found.quantity, found.tokens, counted, found.quantity.aspect))
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Numbers that cannot stand for each other."""
        assert isinstance(source.value, Quantity)
        assert isinstance(output.value, Quantity)
        alike = source.value.aspect == output.value.aspect and source.value.agrees(output.value)
        return None if alike else BECAME
