"""The item: one source and one output, analysed as far as the metrics need."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from sema.model.evidence import Evidence
from sema.model.links import Link, LinkGrid
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
    SCENES = "scenes"
    """``graphs``, ``scenes``, ``evidence`` and ``links``."""
    GRAPHS = "graphs"
    """``graphs`` and ``scenes``."""
    OUTPUT_SCENES = "output_scenes"
    """``output_graphs``."""
    STATES = "states"
    """``source_states`` and ``output_states``, where the language has an encoder."""
    TARGET = "target"


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
        graphs: the scene graphs of consecutive stretches of the source: its sentences, or the whole of it.
        scenes: the source's Scenes in matching order, in the token indexes of the whole source.
        evidence: one entry, or one for each source sentence at passage level (segmented).
        output_graphs: the scene graphs of the output's sentences.
        source_states, output_states: the encoder's states of the tokens (tokens, width).
        target: the level that the output should reach, 1 (A1) to 6 (C2).
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
    source_states: NDArray[float32] | None = None
    output_states: NDArray[float32] | None = None
    target: float | None = None


def has_references(item: Item) -> bool:
    """Whether the item has a reference that is not blank.

    Blank references beside others are kept: sacreBLEU and EASSE count them too.
    """
    return any(reference.strip() for reference in item.references)
