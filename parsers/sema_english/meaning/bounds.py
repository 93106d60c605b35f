"""Bounds: whether a number is the least that there can be (*twelve or more*) or the most (*up to twelve*)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table
from sema_english.meaning.quantities import COUNT, SHARE, Found, read_quantities
from sema_english.meaning.words import Words, read_words

_BEHIND = 4
"""Tokens behind a number within which *or more* stands."""

_BEFORE = 4
"""Tokens before a bound within which a negation turns it round (*should not take more than 4*)."""
_NEGATIONS = frozenset(["not", "n't", "never", "cannot", "without"])
_OTHER = {"least": "most", "most": "least"}


@cache
def _phrases() -> Mapping[tuple[str, ...], str]:
    return {tuple(phrase.split()): side for side, phrases in table("bounds").items() for phrase in phrases}


class Bounds:
    """The least that became the most, or the other way round."""

    kind = Kind.BOUND
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """The bound of every number that has one, stated of the number."""
        words = read_words(text)
        facts = []
        for found in read_quantities(text):
            if found.quantity.aspect in (COUNT, SHARE) and (bound := _bound(words, found)):
                side, tokens = bound
                facts.append(Fact(self.kind, side, tokens, found.tokens))
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Different bounds of the same number."""
        return None if source.value == output.value else BECAME


def _bound(words: Words, found: Found) -> tuple[str, tuple[int, ...]] | None:
    """The side that a number is bounded on, with the tokens that say so and the number."""
    first, last = min(found.tokens), max((*found.tokens, *found.unit))
    start, end = words.sentence[first]
    known = sorted(_phrases(), key=lambda phrase: -len(phrase))
    for phrase in known:
        begin = first - len(phrase)
        if begin >= start and words.lower[begin:first] == phrase and phrase[0] not in ("or", "and"):
            negated = any(word in _NEGATIONS for word in words.lower[max(start, begin - _BEFORE) : begin])
            side = _phrases()[phrase]
            return _OTHER[side] if negated else side, (*range(begin, first), *found.tokens)
    for phrase in known:
        for begin in range(last + 1, min(last + 1 + _BEHIND, end - len(phrase) + 1)):
            if words.lower[begin : begin + len(phrase)] == phrase and phrase[0] in ("or", "and"):
                return _phrases()[phrase], (*found.tokens, *range(begin, begin + len(phrase)))
    return None
