"""Hedges: something possible, claimed or fake that the output states as a fact."""

from __future__ import annotations

from collections.abc import Sequence

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import word_list
from sema_english.meaning.degrees import levels
from sema_english.meaning.words import Words, read_words
from sema_english.relations import stem

_REACH = 3
"""The number of tokens behind a hedge among which the word it qualifies lies."""


class Hedges:
    """A word that lost its hedge."""

    kind = Kind.ATTRIBUTION
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every content word with the hedge before it, if any; only those between the same neighbours are compared."""
        words, hedges = read_words(text), word_list("attribution_marks", "hedges")
        content = [t for t, is_content in enumerate(words.content) if is_content and words.lower[t] not in hedges]
        facts = []
        for before, token, after in zip([None, *content], content, [*content[1:], None], strict=False):
            hedge = _hedge(words, token)
            if hedge is None and words.at(token - 1) in levels("degrees"):
                continue  # *may* became *must*: a degree
            tokens = (token,) if hedge is None else (hedge, token)
            stems = tuple(stem(words.words[t]) for t in (before, token, after) if t is not None)
            facts.append(Fact(self.kind, None if hedge is None else words.lower[hedge], tokens, (token,), stems))
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """A hedge that is gone."""
        return BECAME if source.value is not None and output.value is None else ""


def _hedge(words: Words, token: int) -> int | None:
    """The hedge before a word with no other content word between."""
    for place in range(token - 1, max(words.sentence[token][0], token - _REACH) - 1, -1):
        if words.lower[place] in word_list("attribution_marks", "hedges"):
            return place
        if words.content[place] or not words.words[place][0].isalnum():
            return None
    return None
