"""What a learned reader makes of a source and an output that it reads together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sema.model.text import Signed, Text

if TYPE_CHECKING:
    from sema.model.scale import Scale


@dataclass(frozen=True, slots=True)
class PairReading:
    """One pair as the reader sees it; every number is a probability in [0, 1].

    Attributes:
        kept: for each word of the source, whether the output keeps what it says.
        supported: for each word of the output, whether the source supports it.
        output_entailed: whether the source entails the output, leaves it open, contradicts it; these add up to 1.
        source_entailed: whether the output entails the source, leaves it open, contradicts it.
        same: whether both mean the same.
        output_judged: ``output_entailed`` as people judge two sentences that are no versions of each other: a changed
            word may be another picture, not an error.
        source_judged: likewise for ``source_entailed``.
        similar: how similar people find both, from other topics to the same meaning.
    """

    kept: tuple[float, ...]
    supported: tuple[float, ...]
    output_entailed: tuple[float, float, float]
    source_entailed: tuple[float, float, float]
    same: float
    output_judged: tuple[float, float, float]
    source_judged: tuple[float, float, float]
    similar: float


@runtime_checkable
class PairReader(Signed, Protocol):
    """Reads two texts in one pass: the learned part of a language's meaning metrics."""

    @property
    def sees_copies(self) -> bool:
        """Whether it sees what one changed word in a near copy says; else near copies are checked beside it."""

    @property
    def scale(self) -> Scale:
        """The curves from its readings to scores, fitted with it."""

    def read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        """The readings of sources and outputs; a pair's numbers do not depend on the others."""
