"""Negation: a statement that has lost its *not*, or has one that the source does not have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sema.model.fact import Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.meaning.polarity import read_polarity
from sema_english.meaning.words import read_words
from sema_english.relations import stem


@dataclass(frozen=True)
class Negated:
    """A mark of negation; a loose one makes up for one elsewhere, and contradicts nothing."""

    loose: bool = field(default=False, compare=False)


class Negation:
    """A word that is negated in one text alone, if nothing in the other makes up for it."""

    kind = Kind.NEGATION
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word of content, negated or not, and every word that can make up for a negation; what negates first."""
        words, polarity = read_words(text), read_polarity(text)
        marked, loose, plain = [], [], []
        for token, is_content in enumerate(words.content):
            anchor, aspect = (token, *words.near((token,), 1, 1)), stem(words.words[token])
            if polarity.odd(token):
                marked.append(Fact(self.kind, Negated(), (*polarity.negated[token], token), anchor, aspect))
            elif token in polarity.loose:
                loose.append(Fact(self.kind, Negated(loose=True), (token,), (token,), aspect))
            elif is_content:
                plain.append(Fact(self.kind, None, (token,), anchor, aspect))
        return [*marked, *loose, *plain]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """A negation that is gone or new."""
        for fact, reason in ((source, "{source} is no longer negated"), (output, "{output} is negated")):
            if isinstance(fact.value, Negated):
                return None if fact.value.loose else reason
        return None
