"""Tense and mood: what is still to come, what has happened, what is asked."""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.fact import Fact, Kind
from sema.model.lexicon import Lexicon
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.meaning.words import Bases, Words, read_words
from sema_english.relations import stem

_FUTURE = frozenset(["will", "'ll", "wo", "shall"])
_PAST = frozenset(["was", "were", "had", "did"])
_AUXILIARIES = frozenset(["be", "have", "been", "not", "n't", "also", "soon", "then"])
_REACH = 4


class Tenses:
    """What was still to come has happened, or the other way round."""

    kind = Kind.TENSE
    exchanges = False

    def __init__(self, lexicon: Lexicon | None) -> None:
        self._bases = Bases(lexicon)

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word of content that is said to come or to have happened."""
        words = read_words(text)
        return [
            Fact(self.kind, time, (*helpers, token), (token, *words.near((token,), 1, 1)), stem(words.words[token]))
            for token, is_content in enumerate(words.content)
            if is_content
            for time, helpers in self._time(words, token)
        ]

    def _time(self, words: Words, token: int) -> list[tuple[str, tuple[int, ...]]]:
        start = words.sentence[token][0]
        word = words.lower[token]
        for place in range(token - 1, max(start, token - _REACH) - 1, -1):
            before = words.lower[place]
            if before in _FUTURE:
                return [("future", (place,))]
            if before in _PAST:
                return [("past", (place,))]
            if before not in _AUXILIARIES and not before.endswith("ly"):
                break
        bases = self._bases.of(word)
        regular = word.endswith("ed") and len(bases) > 1
        free = token == start or words.lower[token - 1] not in ("be", "been", "is", "are", "has", "have", "to")
        return [("past", ())] if regular and free else []

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Future in the place of past."""
        return None if source.value == output.value else "{source} became {output}"


class Questions:
    """A question that became a statement, or the other way round."""

    kind = Kind.TENSE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every sentence, asked or not, stated of its words of content."""
        words = read_words(text)
        facts = []
        for start, end in text.sentences:
            content = tuple(token for token in range(start, end) if words.content[token])
            marks = tuple(token for token in range(start, end) if words.words[token] == "?")
            if content:
                facts.append(Fact(self.kind, "asked" if marks else None, marks or content[:1], content))
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """A question in one text alone."""
        return "a question became a statement" if source.value else "a statement became a question"
