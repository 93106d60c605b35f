"""Negation: a statement that lost or gained a *not*."""

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
    """A negation of a word; a loose one, of no word, can compensate for any other."""

    word: str = ""


class Negation:
    """A word negated in one text only, if nothing in the other compensates."""

    kind = Kind.NEGATION
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every content word, negated or not, and every word that compensates for a negation, negated words first."""
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
        """A lost or new negation."""
        first, second = source.value, output.value
        if isinstance(first, Negated) and isinstance(second, Negated):
            return None
        if isinstance(first, Negated):
            return "{source} is no longer negated" if first.word else None
        return "{output} is negated" if isinstance(second, Negated) and second.word else None
