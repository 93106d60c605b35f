"""Word alignment: links with kinds, and the aligner protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, runtime_checkable

from sema.model.text import is_punctuation

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


@dataclass(frozen=True)
class Alignment:
    """A source, the sentences of an output, and the links to each of them.

    ``links[s]`` are the links to sentence ``s``; their ``output`` counts that sentence's words.
    """

    source: tuple[str, ...]
    sentences: tuple[tuple[str, ...], ...]
    links: tuple[tuple[Link, ...], ...]

    def to_dict(self) -> dict[str, Any]:
        """The shape that ``sema align`` prints, without the item's number."""
        return {
            "source": list(self.source),
            "sentences": [
                {"tokens": list(words), "links": [list(link[:3]) for link in links]}
                for words, links in zip(self.sentences, self.links, strict=True)
            ],
        }

    def to_svg(self, *, styled: bool = True) -> str:
        """The links as a picture; ``styled=False`` leaves the colours to the page that shows it."""
        from sema.display.pictures.arcs import alignment_svg

        words = {*self.source, *(word for sentence in self.sentences for word in sentence)}
        unmarked = {word for word in words if is_punctuation(word)}
        return alignment_svg(self.source, self.sentences, self.links, unmarked=unmarked, styled=styled)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.to_svg()}</div>'


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
