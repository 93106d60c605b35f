"""Negation: a statement that lost or gained a *not*."""

from __future__ import annotations

from collections.abc import Sequence

from sema.meaning.kinds import Negated, Negations
from sema.model.fact import Fact
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.meaning.polarity import read_polarity
from sema_chinese.meaning.words import read_words


class Negation(Negations):
    """A word negated in one text only, if nothing in the other compensates."""

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every content word, negated or not, and every word that compensates for a negation, negated words first."""
        words, polarity = read_words(text), read_polarity(text)
        marked = [
            Fact(self.kind, Negated(), (*by, token), (token,))
            for token, by in polarity.negated.items()
            if polarity.odd(token)
        ]
        loose = [Fact(self.kind, Negated(loose=True), (token,), (token,)) for token in sorted(polarity.loose)]
        plain = [
            Fact(self.kind, None, (token,), (token,))
            for token in words.among(range(len(words.plain)))
            if not polarity.odd(token)
        ]
        return [*marked, *loose, *plain]
