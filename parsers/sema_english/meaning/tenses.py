"""Tense and mood: what is still to come, what has happened, what is asked; *and* for *or*."""

from __future__ import annotations

from collections.abc import Sequence

from sema.meaning.kinds import Exclusive
from sema.model.fact import Fact, Kind
from sema.model.lexicon import Lexicon
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import word_list
from sema_english.meaning.words import Bases, Words, read_words
from sema_english.relations import stem

_REACH = 4
"""The number of tokens before a verb among which its auxiliaries lie."""


class Tenses(Exclusive):
    """Future for past, or the other way round."""

    kind = Kind.TENSE

    def __init__(self, lexicon: Lexicon | None) -> None:
        self._bases = Bases(lexicon)

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every content word in the future or the past, anchored in itself and its neighbours."""
        words = read_words(text)
        return [
            Fact(self.kind, time, (*auxiliary, token), (token, *words.near((token,), 1, 1)), stem(words.words[token]))
            for token, is_content in enumerate(words.content)
            if is_content
            for time, auxiliary in self._time(words, token)
        ]

    def _time(self, words: Words, token: int) -> list[tuple[str, tuple[int, ...]]]:
        """The time of a word with the auxiliary that gives it, if any."""
        for place in range(token - 1, max(words.sentence[token][0], token - _REACH) - 1, -1):
            before = words.lower[place]
            for time in ("future", "past"):
                if before in word_list("tenses", time):
                    return [(time, (place,))]
            if before not in word_list("tenses", "between") and not before.endswith("ly"):
                break
        regular = words.lower[token].endswith("ed") and len(self._bases.of(words.lower[token])) > 1
        free = token == words.sentence[token][0] or words.at(token - 1) not in word_list("tenses", "before participles")
        return [("past", ())] if regular and free else []


class Questions:
    """A question that became a statement, or the other way round."""

    kind = Kind.TENSE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every sentence, a question or not, anchored in its content words."""
        words = read_words(text)
        facts = []
        for start, end in text.sentences:
            content = tuple(token for token in range(start, end) if words.content[token])
            marks = tuple(token for token in range(start, end) if words.words[token] == "?")
            if content:
                facts.append(Fact(self.kind, "asked" if marks else None, marks or content[:1], content))
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """A question in one text only."""
        return "a question became a statement" if source.value else "a statement became a question"


class Alternatives(Exclusive):
    """*A or B* became *A and B*, or the other way round."""

    kind = Kind.ALTERNATIVE

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every *and* and *or* between words that are not negated; only those in the same place are compared."""
        words = read_words(text)
        return [
            Fact(self.kind, word, (token,))
            for token, word in enumerate(words.lower)
            if word in ("and", "or") and len(words.near((token,), 1, 1)) == 2 and not words.negated(token)
        ]
