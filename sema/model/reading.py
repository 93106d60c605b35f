"""The results of a learned reader, which reads a source and an output together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from sema.model.text import Signed, Text

SCORES = ("meaning", "meaning_recall", "meaning_precision")


@dataclass(frozen=True, slots=True)
class PairReading:
    """One pair as the reader sees it; every number is in [0, 1].

    Attributes:
        meaning: how far the output preserves the meaning of the source.
        recall: how much of what matters in the source the output still says.
        precision: how much of what the output says the source supports.
        kept: for each word of the source the probability that the output keeps it.
        contradicted: for each word of the source the probability that the output says something else instead.
        supported: for each word of the output the probability that the source supports it.
        contradicting: for each word of the output the probability that the source says something else instead.
    """

    meaning: float
    recall: float
    precision: float
    kept: tuple[float, ...]
    contradicted: tuple[float, ...]
    supported: tuple[float, ...]
    contradicting: tuple[float, ...]


@runtime_checkable
class CrossEncoder(Signed, Protocol):
    """Reads two texts in one pass: the learned part of the meaning metrics."""

    def read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        """The readings of sources and outputs; a pair's numbers do not depend on the others."""

    def notation(self, source: Text, output: Text) -> list[tuple[range, range]]:
        """Tokens of both texts that write the same thing in different signs; they are read alike."""
