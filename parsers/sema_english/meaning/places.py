"""Places: two words of content, each where the other stood (*cold days, warm nights*)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sema.model.fact import Fact, Kind
from sema.model.lexicon import Lexicon
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.meaning.words import Words, read_words
from sema_english.relations import stem

_JOINTS = frozenset(["and", "or", "&", "nor"])
_BETWEEN = 2
"""Tokens between two words of a list: a conjunction, and a word of grammar."""


class Places:
    """Two words in each other's place in texts that are the same around them."""

    kind = Kind.ROLE
    exchanges = True

    def __init__(self, lexicon: Lexicon | None) -> None:
        self._lexicon = lexicon

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word of content but names and the words of lists, with the preposition of its phrase as the aspect."""
        words = read_words(text)
        content = [token for token, is_content in enumerate(words.content) if is_content]
        listed = {t for pair in pairwise(content) if _joined(words, *pair) for t in pair}
        return [
            Fact(self.kind, words.lower[token], (token,), (), words.preposition(token))
            for token in content
            if token not in listed and words.words[token][0].islower()
        ]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Words that are no synonyms contradict each other only if they have changed places."""
        first, second = str(source.value), str(output.value)
        if stem(first) == stem(second):
            return None
        known = self._lexicon
        related = known is not None and (known.are_synonyms(first, second) or known.are_paraphrases(first, second))
        return None if related else ""


def _joined(words: Words, first: int, second: int) -> bool:
    """Whether two words of content, one behind the other, are parts of a list."""
    between = words.lower[first + 1 : second]
    return between == (",",) or (len(between) <= _BETWEEN and not _JOINTS.isdisjoint(between))
