"""Readers of facts that languages share but for what they find: a language's reader adds ``facts`` (and ``kind``)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text

Words = TypeVar("Words")
"""A text as the readers of a language see it."""


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
