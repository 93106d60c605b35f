"""How a language that knows more than single words reads a pair: its own links, its own contradictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from sema.meaning.views import SceneView
from sema.metrics.meaning.contradictions import Contradiction
from sema.metrics.meaning.words import Side
from sema.model.item import Item


class PairReading(Protocol):
    """A pair as its language reads it."""

    @property
    def sides(self) -> tuple[Side, Side]:
        """Source and output, their words' probabilities set; later steps change them."""
        ...

    def contradictions(self, views: Sequence[SceneView], others: Sequence[SceneView]) -> list[Contradiction]:
        """What the output says otherwise, in place of what :mod:`sema.metrics.meaning.contradictions` finds."""
        ...


@runtime_checkable
class ReadsPairs(Protocol):
    """Word facts (:class:`sema.model.meaning.WordFacts`) of a language that reads pairs by itself."""

    def read_pair(self, item: Item) -> PairReading:
        """One item, with ``link_weights`` and, where its aligner gives them, ``links``."""
        ...
