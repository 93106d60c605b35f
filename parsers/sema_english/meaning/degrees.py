"""Degrees: how many, how often, how surely, how bindingly (*some* and *all*, *may* and *must*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table
from sema_english.meaning.polarity import read_polarity
from sema_english.meaning.quantities import read_quantities
from sema_english.meaning.words import Words, read_words

_LIMITING = frozenset(["but", "not", "n't", "only"])
"""Words behind a word of degree that make it another (*all but*, *must not*, *may only*)."""
TOP = 4
"""The strongest place of a scale: *all* and *most* are further apart than *some* and *many*."""


@cache
def levels(name: str) -> Mapping[str, tuple[str, int]]:
    """For each word of a table of scales its scale, and its place there from the weakest up."""
    return {
        word: (scale, level)
        for scale, steps in table(name).items()
        for level, words in enumerate(steps)
        for word in words
    }


def read_scales(kind: Kind, name: str, text: Text) -> list[Fact]:
    """The words of a table of scales that say a degree by themselves, stated of the words of content next to them."""
    words, polarity = read_words(text), read_polarity(text)
    numbers = {token for found in read_quantities(text) for token in found.tokens}
    return [
        Fact(kind, known, (token,), words.near((token,), 1, 2), known[0])
        for token, word in enumerate(words.lower)
        if (known := levels(name).get(word)) and _is_whole(words, token, numbers) and not polarity.turns(words, token)
    ]


def _is_whole(words: Words, token: int, numbers: set[int]) -> bool:
    """Whether a word is all that says the degree: no *nearly all*, *every two*, *less than half*."""
    before = words.lower[max(0, token - 2) : token]
    after = words.lower[token + 1] if token + 1 < len(words.lower) else ""
    modified = any(word in table("modifiers") for word in before)
    return not modified and token + 1 not in numbers and after not in _LIMITING and after not in levels("degrees")


def far_apart(source: Fact, output: Fact) -> bool:
    """Whether two places on a scale say different things: two steps, or one from the strongest."""
    (_, before), (_, after) = _place(source), _place(output)
    return abs(before - after) >= (1 if TOP in (before, after) else 2)


def _place(fact: Fact) -> tuple[str, int]:
    assert isinstance(fact.value, tuple)
    return fact.value


class Degrees:
    """Another degree in the place of one."""

    kind = Kind.DEGREE
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word that says a degree."""
        return read_scales(self.kind, "degrees", text)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Degrees of one scale that are far apart."""
        return BECAME if source.aspect == output.aspect and far_apart(source, output) else None
