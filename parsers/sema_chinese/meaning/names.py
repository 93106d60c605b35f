"""Names of people and places that are listed."""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.meaning.words import read_words
from sema_chinese.synonyms import known_names, replacements


class Names:
    """A name replaced by another."""

    kind = Kind.NAME
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every listed name."""
        words = read_words(text)
        return [
            Fact(self.kind, word, (token,), words.near((token,)))
            for token, word in enumerate(words.plain)
            if word in known_names()
        ]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Names of which neither abbreviates the other."""
        return None if _are_akin(str(source.value), str(output.value)) else BECAME


def _are_akin(first: str, second: str) -> bool:
    """Whether names share a character, or one has the short form of the other (粤西, 广东)."""
    if not set(first).isdisjoint(second):
        return True
    return any(long in replacements(char) for short, long in ((first, second), (second, first)) for char in short)
