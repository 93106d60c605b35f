"""Opposites: a word replaced by its contrary, and a statement that lost or gained a *not*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema.meaning.kinds import Contraries, Negated, Negations, Stated
from sema.model.fact import Fact
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.antonyms import are_opposed
from sema_chinese.meaning.polarity import read_polarity
from sema_chinese.meaning.roles import CONVERSE, frames
from sema_chinese.meaning.words import WordFacts, Words, read_words
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
        words, polarity = read_words(text), read_polarity(text)
        skipped = {frame.verb for frame in frames(words, graphs) if frame.kind in CONVERSE}.union(polarity.negators)
        return [
            Fact(
                self.kind,
                Stated(words.plain[token], polarity.denied(words, token)),
                (token,),
                tuple(t for t in words.near((token,)) if t in words.clause(token)),
            )
            for token in words.among(range(len(words.plain)))
            if token not in skipped
        ]


class Negation(Negations, WordFacts):
    """A word negated in one text only, if nothing in the other compensates."""

    def found(self, words: Words) -> Iterator[Fact]:
        """Every content word, negated or not, and every word that compensates for a negation, negated words first."""
        polarity = read_polarity(words.text)
        for token, by in polarity.negated.items():
            yield Fact(self.kind, Negated(), (*by, token), (token,))
        for token in sorted(polarity.loose):
            yield Fact(self.kind, Negated(loose=True), (token,), (token,))
        for token in words.among(range(len(words.plain))):
            if token not in polarity.negated:
                yield Fact(self.kind, None, (token,), (token,))
