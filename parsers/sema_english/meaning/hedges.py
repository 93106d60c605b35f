"""Hedges: what is only said, possible, planned or a fake, and is stated as a fact."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sema.model.fact import Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table
from sema_english.meaning.degrees import levels
from sema_english.meaning.words import Words, read_words
from sema_english.relations import stem

_REACH = 3
"""Tokens behind a hedge within which the word stands that it holds back."""


@cache
def _hedges() -> dict[str, str]:
    return {word: sort for sort, words in table("hedges").items() for word in words}


class Hedges:
    """A word that was hedged and no longer is."""

    kind = Kind.ATTRIBUTION
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word of content, with the hedge before it if there is one, stated of it between the same two others."""
        words = read_words(text)
        content = [t for t, is_content in enumerate(words.content) if is_content and words.lower[t] not in _hedges()]
        facts = []
        for before, token, after in zip([None, *content], content, [*content[1:], None], strict=False):
            hedge = _hedge(words, token)
            if hedge is None and words.lower[token - 1] in levels("degrees"):
                continue  # *may* became *must*
            tokens = (token,) if hedge is None else (hedge, token)
            sort = None if hedge is None else _hedges()[words.lower[hedge]]
            stems = tuple(stem(words.words[t]) for t in (before, token, after) if t is not None)
            facts.append(Fact(self.kind, sort, tokens, (token,), stems))
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """A hedge that is gone."""
        return "{source} became {output}" if source.value is not None and output.value is None else ""


def _hedge(words: Words, token: int) -> int | None:
    """The hedge before a word, if no other word of content stands between."""
    for place in range(token - 1, max(words.sentence[token][0], token - _REACH) - 1, -1):
        if words.lower[place] in _hedges():
            return place
        if words.content[place] or not words.words[place][0].isalnum():
            return None
    return None
