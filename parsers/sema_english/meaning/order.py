"""Order: what came first, and what was caused by what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sema.model.fact import Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table
from sema_english.meaning.words import Words, read_words
from sema_english.relations import stem

_LONGEST = 3
_POINTING = frozenset(["that", "this", "which", "it", "them"])
_MOSTLY = 0.6
"""The share of a clause's words, of those that both texts join, that must have gone to the other clause."""


@dataclass(frozen=True)
class Joined:
    """The stems of what came first and of what came last."""

    first: frozenset[str]
    last: frozenset[str]


@cache
def _phrases() -> Mapping[tuple[str, ...], tuple[str, str]]:
    return {
        tuple(phrase.split()): (aspect, side)
        for aspect, sides in table("order").items()
        for side, phrases in sides.items()
        for phrase in phrases
    }


class Order:
    """Two clauses that are joined the other way round: *after* for *before*, the effect for the cause."""

    kind = Kind.ORDER
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word or phrase that puts two clauses in an order, stated of both."""
        words = read_words(text)
        facts = []
        for aspect, tokens, first, last in _joins(words):
            stems = (frozenset(stem(words.words[token]) for token in side) for side in (first, last))
            facts.append(Fact(self.kind, Joined(*stems), tokens, (*first, *last), aspect))
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Clauses each of which has gone to the other's side."""
        one, other = source.value, output.value
        assert isinstance(one, Joined)
        assert isinstance(other, Joined)
        crossed = _share(one.first, other.last, other.first), _share(one.last, other.first, other.last)
        return "{source} became {output}, or joins the clauses the other way round" if min(crossed) >= _MOSTLY else ""


def _share(stems: frozenset[str], where: frozenset[str], elsewhere: frozenset[str]) -> float:
    """The share of a clause's stems, of those that the other text joins, on one side and not on the other."""
    said = stems & (where | elsewhere)
    return len(said & where - elsewhere) / len(said) if said else 0.0


Join = tuple[str, tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def _is_joint(words: Words, token: int, length: int) -> bool:
    """Whether a word joins clauses here: no *after that*, *before and after*, *so large*."""
    start, end = words.sentence[token]
    after = words.lower[token + length] if token + length < end else ""
    if after in _POINTING or after in ("and", "or"):
        return False
    return words.lower[token] != "so" or token == start or words.words[token - 1] in ",;"


def _joins(words: Words) -> Iterator[Join]:
    """The words that put clauses in an order, their aspect, with what came first and what came last."""
    for token in range(len(words.lower)):
        length = words.phrase_at(token, _phrases(), _LONGEST)
        if not length:
            continue
        if not _is_joint(words, token, length):
            continue
        aspect, side = _phrases()[words.lower[token : token + length]]
        start, end = words.sentence[token]
        behind = range(token + length, end)
        stop = next((t for t in behind if words.words[t] in ",;:."), end)
        governed = tuple(t for t in range(token + length, stop) if words.content[t])
        rest = tuple(t for t in range(start, token) if words.content[t])
        if not rest:
            rest = tuple(t for t in range(stop, end) if words.content[t])
        if governed and rest:
            tokens = tuple(range(token, token + length))
            yield (aspect, tokens, *((governed, rest) if side == "first" else (rest, governed)))
