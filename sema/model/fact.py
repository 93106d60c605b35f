"""Facts that one text states, and conflicts between the facts of two texts.

A language provides one reader for each kind (``parsers/sema_<language>/meaning``). A reader sees one text at a time;
:mod:`sema.meaning.compare` pairs the facts of two texts through the links between their words and asks the reader
whether two facts about the same thing contradict each other.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from sema.model.scene_graph import SceneGraph
    from sema.model.text import Text

BECAME = "{source} became {output}"
"""The usual reason; ``{source}`` and ``{output}`` stand for the quoted words of either fact."""


class Kind(StrEnum):
    """What the facts of readers that ship are about; other readers name kinds of their own."""

    NUMBER = "number"
    UNIT = "unit"
    DEGREE = "degree"
    """How much, how many, how often, how surely, how bindingly."""
    OPPOSITE = "opposite"
    THING = "thing"
    """One thing in the place of another that excludes it: colours, places, relatives."""
    ROLE = "role"
    """Who does what to whom."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of one text.

    Attributes:
        kind: what the fact is about.
        value: what the text states, hashable, equal wherever the same is stated (``13`` and *thirteen*).
        tokens: the words that state it, as token indexes of the whole text.
        anchor: the words that it is stated of. Facts of two texts are about the same thing if their anchors are linked.
        aspect: facts contradict only facts of the same aspect (a scale, the slot of a Participant).
        unit: the words of its unit, which reasons quote with it.
    """

    kind: str
    value: Any
    tokens: tuple[int, ...]
    anchor: tuple[int, ...] = ()
    aspect: Hashable = ""
    unit: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two facts about the same thing of which only one can be true.

    ``source`` and ``output`` are the tokens of either; ``reason`` is the conflict in words (*'16 June' became
    '16 August'*).
    """

    kind: str
    source: tuple[int, ...]
    output: tuple[int, ...]
    reason: str


@runtime_checkable
class FactReader(Protocol):
    """Reads the facts of one kind from one text, and judges two facts that are about the same thing."""

    @property
    def kind(self) -> str:
        """What its facts are about."""

    @property
    def exchanges(self) -> bool:
        """Whether it is a conflict if each of two facts stands in the other's place."""

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """The facts of a text, in the order of their tokens; ``graphs`` are the scene graphs of its sentences."""

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Why two facts of one aspect about the same thing cannot both be true, or ``None`` if they can.

        The reason may hold ``{source}`` and ``{output}``, in place of which the reader of the reason sees the words. An
        empty reason: the facts neither agree nor contradict each other.
        """
