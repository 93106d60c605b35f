"""The data between texts and items: parsed texts, links and their weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import NamedTuple, TypeVar

from sema.analysis.source import SourceAnalysis
from sema.errors import SemaError
from sema.model.links import Aligner, GivenLinks, Link, LinkGrid
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text

Read = TypeVar("Read")
Links = tuple[tuple[Link, ...], ...]
"""The links of each output sentence."""
Given = Sequence[GivenLinks | SemaError]
"""For each item of one system the given links, or the error raised by reading them."""
Weights = tuple[LinkGrid, ...]
"""The probabilities of the links to each output sentence."""


class Row(NamedTuple):
    """The parts of an item: source, output, the output's graphs; links and their weights where they are known."""

    source: SourceAnalysis
    output: Text
    graphs: list[SceneGraph]
    links: Links | None
    weights: Weights | None

    @classmethod
    def of(
        cls,
        source: SourceAnalysis | SemaError,
        output: Text,
        graphs: list[SceneGraph] | SemaError,
        links: Links | SemaError | None,
        weights: Weights | None,
    ) -> Row | SemaError:
        """The row of these parts, or the first error among them."""
        if isinstance(source, SemaError):
            return source
        if isinstance(links, SemaError):
            return links
        return graphs if isinstance(graphs, SemaError) else cls(source, output, graphs, links, weights)


class Parsed(NamedTuple):
    """Parsed texts, as far as needed: the sources, and the graphs of every system's outputs.

    ``weights`` has those of every system's links where they were computed at the same time.
    """

    sources: Sequence[SourceAnalysis | SemaError]
    outputs: Sequence[Sequence[list[SceneGraph] | SemaError]]
    weights: Sequence[Sequence[Weights | None]]


class Reading(NamedTuple):
    """Texts being read in threads: segmented (the sources, then every system), then parsed."""

    texts: Future[list[list[Text]]]
    parsed: Future[Parsed]


def parse_some(
    parse: Callable[[Sequence[Text]], Sequence[Read | SemaError]],
    texts: Sequence[Text],
    scored: Sequence[bool],
    shown: bool,
    otherwise: Callable[[Text], Read],
) -> list[Read | SemaError]:
    """Parse the texts whose scores need it, or with ``shown`` all.

    ``otherwise`` makes the results of the other texts, and of those that cannot be parsed but that no score needs.
    """
    found = iter(parse([text for text, needed in zip(texts, scored, strict=True) if needed or shown]))
    read: list[Read | SemaError] = []
    for text, needed in zip(texts, scored, strict=True):
        parsed = next(found) if needed or shown else otherwise(text)
        read.append(otherwise(text) if isinstance(parsed, SemaError) and not needed else parsed)
    return read


def count_words(texts: Sequence[list[Text]]) -> int:
    """The number of tokens of all texts of all systems."""
    return sum(len(text.tokens) for system in texts for text in system)


def reads_states(aligner: Aligner) -> bool:
    """Whether an aligner may need the encoder's states: yes, unless it says otherwise."""
    return bool(getattr(aligner, "reads_states", True))


def placed_links(given: GivenLinks | SemaError, source: SourceAnalysis | SemaError, output: Text) -> Links | SemaError:
    """A caller's links for each output sentence, or the error that says why they cannot be used."""
    if isinstance(source, SemaError):
        return source
    try:
        return given if isinstance(given, SemaError) else given.place(source.text, output)
    except SemaError as error:
        return error
