"""Opposites: a word replaced by its opposite, unless a negation compensates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sema.meaning.views import scene_views
from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.antonyms import are_opposed
from sema_chinese.meaning.frames import frames
from sema_chinese.meaning.polarity import read_polarity
from sema_chinese.meaning.words import read_words
from sema_chinese.synonyms import replacements


class Stated(NamedTuple):
    """A word, and whether it is denied."""

    word: str
    denied: bool


class Opposites:
    """A word replaced by its opposite."""

    kind = Kind.OPPOSITE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every content word and whether it is negated, except converse verbs with two named sides (*win*, *lose*)."""
        words, polarity = read_words(text), read_polarity(text)
        acts = frozenset(token for view in scene_views(graphs) for token in view.relation)
        converse = {frame.verb for frame in frames(words, acts) if frame.converse}
        return [
            Fact(
                self.kind,
                Stated(words.plain[token], polarity.denied(words, token)),
                (token,),
                tuple(t for t in words.near((token,)) if t in words.clause(token)),
            )
            for token in words.among(range(len(words.plain)))
            if token not in converse and token not in polarity.negators
        ]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Opposites, both negated or neither."""
        first, second = source.value, output.value
        assert isinstance(first, Stated)
        assert isinstance(second, Stated)
        if second.word in replacements(first.word):
            return None
        if not are_opposed(first.word, second.word):
            return ""
        return BECAME if first.denied == second.denied else None
