"""The item: one source and one output, analysed as far as the metrics need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from sema.model.evidence import Evidence
from sema.model.links import Link, LinkGrid
from sema.model.meaning import Meaning, Words
from sema.model.scene_graph import Scene, SceneGraph
from sema.model.text import Text

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class Need(StrEnum):
    """A part of an :class:`Item` that a metric needs; parts that no metric needs are not computed."""

    REFERENCES = "references"
    """One text at least that is not blank."""
    LINKS = "links"
    LINK_WEIGHTS = "link_weights"
    LIKELY_LINKS = "likely_links"
    """The caller's links, or those of an aligner that the caller chose, or else the likely ones of the language's."""
    SCENES = "scenes"
    """``graphs``, ``scenes``, ``evidence`` and ``links``."""
    GRAPHS = "graphs"
    """``graphs`` and ``scenes``."""
    OUTPUT_SCENES = "output_scenes"
    """``output_graphs``."""
    STATES = "states"
    """``source_states`` and ``output_states``, where the language has an encoder."""
    TARGET = "target"
    MEANING = "meaning"
    """``findings``, by the language's cross-encoder where it has one."""
    MEANING_BY_LINKS = "meaning_by_links"
    """``findings_by_links``: without the cross-encoder."""


class Findings(Protocol):
    """What the meaning metrics make of a pair."""

    @property
    def scores(self) -> Mapping[str, float]:
        """The three scores, 0-100, by metric."""

    @property
    def evidence(self) -> Meaning:
        """The probability of every word and the state of every Scene."""

    @property
    def linked(self) -> Sequence[Words]:
        """The words of the source and of the output by their links and conflicts alone."""


@dataclass(frozen=True)
class Item:
    """One source and output. Parts that no metric needs are empty.

    Attributes:
        source, output: the segmented texts.
        references: human simplifications of the source.
        links: ``links[s]`` are the links between the source's tokens and output sentence ``s``.
        link_weights: the probability of every link, for each output sentence; for an aligner without probabilities,
            the weights of its links. In long passages (:data:`sema.analysis.pairs.WEIGHED_PAIRS`) sentences that
            share no rare words have none.
        likely_links: for each output sentence the pairs of a source token and a token of the sentence that are linked
            by the caller, by the chosen aligner, or by default with at least :data:`sema.analysis.pairs.LIKELY`.
        graphs: the scene graphs of consecutive stretches of the source: its sentences, or the whole of it.
        scenes: the source's Scenes in matching order, in the token indexes of the whole source.
        evidence: one entry, or one for each source sentence at passage level (segmented).
        output_graphs: the scene graphs of the output's sentences.
        source_states, output_states: the encoder's states of the tokens (tokens, width).
        target: the level that the output should reach, 1 (A1) to 6 (C2).
        findings, findings_by_links: what the meaning metrics make of the pair.
        provides: the needs that were computed; ``None`` for an item made by hand.
    """

    source: Text
    output: Text
    references: tuple[str, ...] = ()
    links: tuple[tuple[Link, ...], ...] = ()
    graphs: tuple[SceneGraph, ...] = ()
    scenes: tuple[Scene, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    output_graphs: tuple[SceneGraph, ...] = ()
    link_weights: tuple[LinkGrid, ...] = field(default=(), compare=False)
    likely_links: tuple[tuple[tuple[int, int], ...], ...] = ()
    source_states: NDArray[float32] | None = None
    output_states: NDArray[float32] | None = None
    target: float | None = None
    findings: Findings | None = field(default=None, compare=False)
    findings_by_links: Findings | None = field(default=None, compare=False)
    provides: frozenset[Need] | None = field(default=None, compare=False)


def require(items: Iterable[Item], needs: Collection[Need], who: str) -> None:
    """Check that items carry what ``who`` reads, so that a need that was not declared is never read as zeros.

    Raises:
        ValueError: an item was prepared without one of the needs.
    """
    for item in items:
        missing = set(needs) - item.provides - {Need.REFERENCES, Need.TARGET} if item.provides is not None else ()
        if missing:
            raise ValueError(f"{who} needs {', '.join(sorted(missing))}, which these items were prepared without")


def has_references(item: Item) -> bool:
    """Whether the item has a reference that is not blank.

    Blank references beside others are kept: sacreBLEU and EASSE count them too.
    """
    return any(reference.strip() for reference in item.references)
