"""Negation: a statement that has lost its *not*, or has one that the source does not have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sema.model.fact import Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.meaning.polarity import read_polarity
from sema_chinese.meaning.words import read_words


@dataclass(frozen=True)
class Negated:
    """A mark of negation with the word that is denied; a loose one, of none, makes up for any elsewhere."""

    word: str = ""


class Negation:
    """A word that is denied in one text alone, if nothing in the other makes up for it."""

    kind = Kind.NEGATION
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word of content, denied or not, and every word that can make up for a negation; what denies first."""
        words, polarity = read_words(text), read_polarity(text)
        marked = [
            Fact(self.kind, Negated(words.plain[token]), (*by, token), (token,))
            for token, by in polarity.negated.items()
            if polarity.odd(token)
        ]
        loose = [Fact(self.kind, Negated(), (token,), (token,)) for token in sorted(polarity.loose)]
        plain = [
            Fact(self.kind, None, (token,), (token,))
            for token in words.among(range(len(words.plain)))
            if not polarity.odd(token)
        ]
        return [*marked, *loose, *plain]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """A negation that is gone or new."""
        first, second = source.value, output.value
        if isinstance(first, Negated) and isinstance(second, Negated):
            return None
        if isinstance(first, Negated):
            return "{source} is no longer negated" if first.word else None
        return "{output} is negated" if isinstance(second, Negated) and second.word else None
