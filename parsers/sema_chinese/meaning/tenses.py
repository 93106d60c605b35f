"""Tenses: a plan that became a fact or a duty."""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.listed import table
from sema_chinese.meaning.words import read_words

_EXCLUDING = frozenset([("planned", "done"), ("planned", "duty"), ("expected", "duty"), ("expected", "done")])


class Tenses:
    """Something planned or expected that became a fact or a duty."""

    kind = Kind.TENSE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word that marks something as planned, expected, done or a duty."""
        words = read_words(text)
        listed = {word: state for state, some in table("tenses").items() for word in some}
        return [Fact(self.kind, listed[word], tokens, words.near(tokens)) for word, tokens in words.places(listed)]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """States that exclude each other."""
        return BECAME if (source.value, output.value) in _EXCLUDING else ""
