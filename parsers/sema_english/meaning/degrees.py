"""Degrees: how many, how often, how surely, how bindingly (*some* and *all*, *may* and *must*); belief and proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table, word_list
from sema_english.meaning.quantities import read_quantities
from sema_english.meaning.words import Words, read_words

TOP = 4
"""The strongest level of a scale: *most* and *all* are further apart than *some* and *many*."""


@cache
def levels(name: str) -> Mapping[str, tuple[str, int]]:
    """For each word of a table of scales its scale and its level there, from 0 for the weakest."""
    return {
        word: (scale, level)
        for scale, steps in table(name).items()
        for level, words in enumerate(steps)
        for word in words
    }


class Degrees:
    """A degree replaced by a distant one of the same scale."""

    kind = Kind.DEGREE
    exchanges = True
    table = "degrees"

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word that gives a degree by itself, anchored in the content words next to it."""
        words = read_words(text)
        numbers = {token for found in read_quantities(text) for token in found.tokens}
        return [
            Fact(self.kind, known, (token,), words.near((token,)), known[0])
            for token, word in enumerate(words.lower)
            if (known := levels(self.table).get(word))
            and _is_whole(words, token, known[0], numbers)
            and not words.negated(token)
        ]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Levels that are two apart, or one from the strongest."""
        assert isinstance(source.value, tuple)
        assert isinstance(output.value, tuple)
        before, after = source.value[1], output.value[1]
        return BECAME if abs(before - after) >= (1 if TOP in (before, after) else 2) else None


class Attribution(Degrees):
    """Something believed or claimed that became proved, or the other way round."""

    kind = Kind.ATTRIBUTION
    exchanges = False
    table = "attribution"


def _is_whole(words: Words, token: int, scale: str, numbers: set[int]) -> bool:
    """Whether a word gives the degree alone: no *nearly all*, *every two*, *less than half*, *all but*, *not only*."""
    before, after = words.lower[max(0, token - 2) : token], words.at(token + 1)
    modified = not word_list("modifiers", "before").isdisjoint(before)
    followed = after in word_list("modifiers", "after") or levels("degrees").get(after, ("", 0))[0] == scale
    return not modified and not followed and token + 1 not in numbers
