"""Word alignment: links with kinds, and the aligner protocol."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class LinkKind(StrEnum):
    """Why two words are linked, the surest kind first."""

    EXACT = "exact"
    FORM = "form"
    SYNONYM = "synonym"
    PARAPHRASE = "paraphrase"
    CONTEXTUAL = "contextual"
    HYPONYMY = "hyponymy"


class Link(NamedTuple):
    """A source token and a token of ONE output sentence (0-based token indexes), and the kind of link between them.

    ``weight`` is how sure the aligner is, in (0, 1]; aligners that only know yes and no leave it at 1.
    """

    source: int
    output: int
    kind: LinkKind
    weight: float = 1.0


Pair = tuple[Sequence[str], Sequence[str]]
"""The tokens of a source sentence and of one output sentence."""


@runtime_checkable
class Aligner(Protocol):
    """Links the words of source sentences to those of output sentences."""

    @property
    def signature(self) -> str:
        """Name, version, options and the model's hash, for the result's signature."""
        ...

    def align(self, pairs: Sequence[Pair]) -> list[list[Link]]:
        """The links of each pair, ascending by source index; at most one link for each source token.

        Each pair is aligned on its own. An implementation sees all pairs at once so that it can batch them and
        encode a repeated source once.
        """
        ...


@runtime_checkable
class WeighingAligner(Aligner, Protocol):
    """An aligner that also says how likely every link is, those it does not choose included."""

    def probabilities(self, pairs: Sequence[Pair]) -> list[NDArray[float32]]:
        """For each pair the probability of every link, (source tokens, output tokens); 0 where one is ruled out."""
        ...
