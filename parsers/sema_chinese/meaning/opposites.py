"""Opposites: a word replaced by its contrary."""

from __future__ import annotations

from collections.abc import Sequence

from sema.meaning.kinds import Contraries, Stated
from sema.model.fact import Fact
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.antonyms import are_opposed
from sema_chinese.meaning.polarity import denied, read_negators
from sema_chinese.meaning.roles import CONVERSE, frames
from sema_chinese.meaning.words import read_words
from sema_chinese.synonyms import replacements


class Opposites(Contraries):
    """A word replaced by its opposite, unless a negation compensates."""

    are_opposed = staticmethod(are_opposed)

    @staticmethod
    def are_same(first: str, second: str) -> bool:
        """Whether the second word is listed as a replacement of the first."""
        return second in replacements(first)

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every content word and whether it is negated, except converse verbs with two named sides (*win*, *lose*)."""
        words, negators = read_words(text), read_negators(text)
        skipped = {frame.verb for frame in frames(words, graphs) if frame.kind in CONVERSE}.union(negators)
        return [
            Fact(
                self.kind,
                Stated(words.plain[token], denied(words, negators, token)),
                (token,),
                tuple(t for t in words.near((token,)) if t in words.clause(token)),
            )
            for token in words.among(range(len(words.plain)))
            if token not in skipped
        ]
