"""Alternatives: *and* for *or*."""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.meaning.polarity import read_polarity
from sema_english.meaning.words import read_words

_JOINTS = frozenset(["and", "or"])


class Alternatives:
    """Two things of which the source has one or the other, and the output both; or the other way round."""

    kind = Kind.ALTERNATIVE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every *and* and *or* between words that are not negated; where it stands is all that it is stated of."""
        words, polarity = read_words(text), read_polarity(text)
        facts = []
        for token, word in enumerate(words.lower):
            around = words.near((token,), 1, 1)
            if word in _JOINTS and len(around) == 2 and not any(place in polarity.negated for place in around):
                facts.append(Fact(self.kind, word, (token,)))
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Different ways to join the same."""
        return None if source.value == output.value else BECAME
