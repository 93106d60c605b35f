"""Readers of facts that languages share but for what they find: a language's reader adds ``facts`` (and ``kind``)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text

Words = TypeVar("Words")
"""A text as the readers of a language see it."""

MOSTLY = 0.6
"""The share of a clause's parts, among those joined in both texts, that must have moved to the other clause."""


class WordFacts(ABC, Generic[Words]):
    """A reader of facts that needs no Scenes."""

    exchanges = False

    @abstractmethod
    def read(self, text: Text) -> Words:
        """The words of a text."""

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """The facts of a text."""
        return list(self.found(self.read(text)))

    @abstractmethod
    def found(self, words: Words) -> Iterable[Fact]:
        """The facts of a text's words."""


class Exclusive:
    """Facts of which any two values conflict."""

    exchanges = False

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Two different values."""
        return None if source.value == output.value else BECAME


@dataclass(frozen=True)
class Negated:
    """A negation; a loose one can compensate for one elsewhere and conflicts with nothing."""

    loose: bool = field(default=False, compare=False)


class Negations:
    """Words negated in one text only: negated words have the value :class:`Negated`, the others ``None``."""

    kind = Kind.NEGATION
    exchanges = False

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """A lost or new negation."""
        for fact, reason in ((source, "{source} is no longer negated"), (output, "{output} is negated")):
            if fact.value is not None:
                return None if fact.value.loose else reason
        return None


class Stated(NamedTuple):
    """A word, and whether it is negated or reversed."""

    word: str
    denied: bool


class Contraries:
    """A word replaced by its opposite, unless a negation compensates; values are :class:`Stated`."""

    kind = Kind.OPPOSITE
    exchanges = False

    are_same: Callable[[str, str], bool]
    are_opposed: Callable[[str, str], bool]
    """Whether two words may stand for each other, and whether they are opposites: a language's reader has these."""

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Opposites, both denied or neither."""
        (first, denied), (second, also_denied) = source.value, output.value
        if self.are_same(first, second):
            return None
        if not self.are_opposed(first, second):
            return ""
        return BECAME if denied == also_denied else None


@dataclass(frozen=True)
class Joined:
    """Two joined clauses: the stems or characters of what came first, and of what came last."""

    first: frozenset[Hashable]
    last: frozenset[Hashable]


class ClauseOrder:
    """Clauses joined the other way round (*after* for *before*, effect for cause); values are :class:`Joined`."""

    kind = Kind.ORDER
    exchanges = False

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Clauses that have changed sides."""
        one, other = source.value, output.value
        crossed = _share(one.first, other.last, other.first), _share(one.last, other.first, other.last)
        return f"{BECAME}, or joins the clauses the other way round" if min(crossed) >= MOSTLY else ""


def _share(parts: frozenset[Hashable], where: frozenset[Hashable], elsewhere: frozenset[Hashable]) -> float:
    """The share of a clause's parts, among those joined in the other text, that is on one side only."""
    joined = parts & (where | elsewhere)
    return len(joined & where - elsewhere) / len(joined) if joined else 0.0
