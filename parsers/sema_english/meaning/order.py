"""Order: what came first, and what was caused by what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from sema.meaning.kinds import ClauseOrder, Joined
from sema.model.fact import Fact
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table, word_list
from sema_english.meaning.words import Words, read_words
from sema_english.relations import stem

_LONGEST = 3
"""The number of words of the longest connective."""


@cache
def _connectives() -> Mapping[tuple[str, ...], tuple[str, str]]:
    """For each connective its aspect (time or cause), and which clause it precedes (the first or the last)."""
    return {
        tuple(phrase.split()): (aspect, side)
        for aspect, sides in table("order").items()
        for side, phrases in sides.items()
        for phrase in phrases
    }


class Order(ClauseOrder):
    """Two clauses joined the other way round: *after* for *before*, effect for cause."""

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every connective that orders two clauses, anchored in both."""
        words = read_words(text)
        facts = []
        for aspect, tokens, first, last in _joins(words):
            stems = (frozenset(stem(words.words[token]) for token in side) for side in (first, last))
            facts.append(Fact(self.kind, Joined(*stems), tokens, (*first, *last), aspect))
        return facts


def _joins(words: Words) -> Iterator[tuple[str, tuple[int, ...], tuple[int, ...], tuple[int, ...]]]:
    """The connectives within sentences: aspect, tokens, and the content words of the first and the last clause."""
    for token in range(len(words.lower)):
        length = next((n for n in range(_LONGEST, 0, -1) if words.lower[token : token + n] in _connectives()), 0)
        if not length or not _joins_clauses(words, token, length):
            continue
        aspect, side = _connectives()[words.lower[token : token + length]]
        start, end = words.sentence[token]
        stop = next((t for t in range(token + length, end) if words.words[t] in ",;:."), end)
        behind, before, beyond = (
            tuple(t for t in some if words.content[t])
            for some in (range(token + length, stop), range(start, token), range(stop, end))
        )
        rest = before or beyond
        if behind and rest:
            tokens = tuple(range(token, token + length))
            yield (aspect, tokens, *((behind, rest) if side == "first" else (rest, behind)))


def _joins_clauses(words: Words, token: int, length: int) -> bool:
    """Whether a connective joins clauses here: no *after that*, *before and after*, *so large*."""
    following = words.at(token + length) if token + length < words.sentence[token][1] else ""
    if following in word_list("modifiers", "after a connective"):
        return False
    return words.lower[token] != "so" or token == words.sentence[token][0] or words.words[token - 1] in ",;"
