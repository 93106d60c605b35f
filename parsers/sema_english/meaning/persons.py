"""Persons: whom a pronoun can stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table
from sema_english.meaning.words import read_words


@cache
def _persons() -> Mapping[str, str]:
    return {word: person for person, words in table("persons").items() for word in words}


class Persons:
    """*She* in the place of *he*."""

    kind = Kind.PERSON
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every pronoun of the listed ones, where it stands is all that it is stated of."""
        words = read_words(text)
        return [
            Fact(self.kind, _persons()[word], (token,), ())
            for token, word in enumerate(words.lower)
            if word in _persons()
        ]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Pronouns that cannot stand for the same person."""
        return None if source.value == output.value else BECAME
