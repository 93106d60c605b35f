"""The draft of an item: what the steps from texts to items fill in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

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

    @property
    def pair(self) -> tuple[Text, Text]:
        """Source and output; Scenes that were read from a file may have brought other sentences of the source."""
        return self.source.text, self.texts[1]

    def placed_links(self) -> Links | SemaError:
        """The caller's links in the tokens of the texts, or the error that says why they cannot be used."""
        given = cast(GivenLinks | SemaError, self.given_links)
        try:
            return given if isinstance(given, SemaError) else given.place(*self.pair)
        except SemaError as error:
            return error


Systems = list[list[Draft]]
"""The drafts of every system's items."""


def sound(drafts: Iterable[Draft]) -> list[Draft]:
    """The drafts without an error."""
    return [draft for draft in drafts if draft.error is None]


def fill(drafts: Sequence[Draft], part: str, found: Iterable[Any], *, needed: bool = True) -> None:
    """Fill a part into drafts; an error leaves it as it is, and ends the draft's way if the part is ``needed``."""
    for draft, made in zip(drafts, found, strict=True):
        if not isinstance(made, SemaError):
            setattr(draft, part, made)
        elif needed:
            draft.error = draft.error or made


def count_words(systems: Systems) -> int:
    """The number of tokens of all texts, each text once."""
    return sum(len(text.tokens) for text in {text for drafts in systems for draft in drafts for text in draft.texts})


class Reading(NamedTuple):
    """Drafts that are being read in threads: segmented, then parsed."""

    segmented: Future[Systems]
    parsed: Future[None]
