"""Degrees: how many, how often, how surely, how bindingly (*some* and *all*, *may* and *must*); belief, hedges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema_english.listed import table, word_list
from sema_english.meaning.quantities import read_quantities
from sema_english.meaning.words import WordFacts, Words
from sema_english.relations import stem

TOP = 4
"""The strongest level of a scale: *most* and *all* are further apart than *some* and *many*."""
_REACH = 3
"""The number of tokens behind a hedge among which the word it qualifies lies."""


@cache
def levels(name: str) -> Mapping[str, tuple[str, int]]:
    """For each word of a table of scales its scale and its level there, from 0 for the weakest."""
    return {
        word: (scale, level)
        for scale, steps in table(name).items()
        for level, words in enumerate(steps)
        for word in words
    }


class Degrees(WordFacts):
    """A degree replaced by a distant one of the same scale."""

    kind = Kind.DEGREE
    exchanges = True
    table = "degrees"

    def found(self, words: Words) -> Iterator[Fact]:
        """Every word that gives a degree by itself, anchored in the content words next to it."""
        numbers = {token for found in read_quantities(words.text) for token in found.tokens}
        for token, word in enumerate(words.lower):
            known = levels(self.table).get(word)
            if known and _is_whole(words, token, known[0], numbers) and not words.negated(token):
                yield Fact(self.kind, known, (token,), words.near((token,)), known[0])

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Levels that are two apart, or one from the strongest."""
        before, after = source.value[1], output.value[1]
        return BECAME if abs(before - after) >= (1 if TOP in (before, after) else 2) else None


def _is_whole(words: Words, token: int, scale: str, numbers: set[int]) -> bool:
    """Whether a word gives the degree alone: no *nearly all*, *every two*, *less than half*, *all but*, *not only*."""
    before, after = words.lower[max(0, token - 2) : token], words.at(token + 1)
    modified = not word_list("modifiers", "before").isdisjoint(before)
    followed = after in word_list("modifiers", "after") or levels("degrees").get(after, ("", 0))[0] == scale
    return not modified and not followed and token + 1 not in numbers


class Attribution(Degrees):
    """Something believed or claimed that became proved, or the other way round."""

    kind = Kind.ATTRIBUTION
    exchanges = False
    table = "attribution"


class Hedges(WordFacts):
    """Something possible, claimed or fake that the output states as a fact."""

    kind = Kind.ATTRIBUTION

    def found(self, words: Words) -> Iterator[Fact]:
        """Every content word with the hedge before it, if any; only those between the same neighbours are compared."""
        hedges = word_list("attribution_marks", "hedges")
        content = [t for t, is_content in enumerate(words.content) if is_content and words.lower[t] not in hedges]
        for before, token, after in zip([None, *content], content, [*content[1:], None], strict=False):
            hedge = _hedge(words, token)
            if hedge is None and words.at(token - 1) in levels("degrees"):
                continue  # *may* became *must*: a degree
            tokens = (token,) if hedge is None else (hedge, token)
            stems = tuple(stem(words.words[t]) for t in (before, token, after) if t is not None)
            yield Fact(self.kind, None if hedge is None else words.lower[hedge], tokens, (token,), stems)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """An omitted hedge."""
        return BECAME if source.value is not None and output.value is None else ""


def _hedge(words: Words, token: int) -> int | None:
    """The hedge before a word with no other content word between."""
    for place in words.before(token, _REACH):
        if words.lower[place] in word_list("attribution_marks", "hedges"):
            return place
        if words.content[place] or not words.words[place][0].isalnum():
            return None
    return None
