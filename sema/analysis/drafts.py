"""The draft of an item: what the steps from texts to items fill in."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import NamedTuple

from sema.analysis.source import SourceAnalysis
from sema.errors import SemaError
from sema.model.item import Item
from sema.model.links import GivenLinks, Link, LinkGrid
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text

Links = tuple[tuple[Link, ...], ...]
"""The links of each output sentence."""
Weights = tuple[LinkGrid, ...]
"""The probabilities of the links to each output sentence."""


@dataclass(slots=True, eq=False)
class Draft:
    """A source and an output on the way to an item. A draft with an ``error`` takes no further step.

    Attributes:
        texts: source and output, segmented.
        source: the source, with its Scenes once it is parsed.
        given_scenes, given_links: the caller's, or the error raised by reading them.
        graphs: the scene graphs of the output's sentences.
        links, weights: those of each output sentence; ``None`` until they are found.
        item: the result.
    """

    texts: tuple[Text, Text]
    source: SourceAnalysis
    given_scenes: SourceAnalysis | SemaError | None = None
    given_links: GivenLinks | SemaError | None = None
    graphs: Sequence[SceneGraph] = ()
    links: Links | None = None
    weights: Weights | None = None
    item: Item | None = None
    error: SemaError | None = None


Systems = list[list[Draft]]
"""The drafts of every system's items."""


class Reading(NamedTuple):
    """Drafts that are being read in threads: segmented, then parsed."""

    segmented: Future[Systems]
    parsed: Future[None]
