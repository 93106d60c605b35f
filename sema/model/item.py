"""The item: one source and one output, analysed as far as the metrics need."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from sema.errors import SemaError, UsageError
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
    """At least one text that is not blank."""
    LINKS = "links"
    LINK_WEIGHTS = "link_weights"
    LIKELY_LINKS = "likely_links"
    """The caller's links, those of an aligner that the caller chose, or by default the language's likely links."""
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


_INCLUDED = {
    Need.SCENES: (Need.LINKS, Need.GRAPHS),
    Need.MEANING_BY_LINKS: (Need.LINK_WEIGHTS,),
}


def with_included(needs: Iterable[Need]) -> frozenset[Need]:
    """The needs and those that they include: Scenes are matched by links, and so is meaning without a reader."""
    return frozenset(each for need in needs for each in (need, *_INCLUDED.get(need, ())))


class Findings(Protocol):
    """The results of the meaning metrics for a pair."""

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
        invalid: why parts are missing that were given or computed, by their needs: metrics that need them fail.
        findings, findings_by_links: the results of the meaning metrics for the pair.
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
    invalid: Mapping[Need, SemaError] = field(default_factory=dict, repr=False, compare=False)

    def error_of(self, needs: Iterable[Need]) -> SemaError | None:
        """Why the item lacks something for one of these ``needs``, if it does."""
        wanted = with_included(needs)
        return next((error for need, error in self.invalid.items() if need in wanted), None)

    @property
    def is_copy(self) -> bool:
        """Whether the texts are the same, case aside; tokens may differ where a file of Scenes has the source's."""
        words, others = (" ".join(text.words).lower() for text in (self.source, self.output))  # Maßen is not Massen
        return words == others or self.source.raw == self.output.raw


COMPUTED = {
    "links": Need.LINKS,
    "link_weights": Need.LINK_WEIGHTS,
    "likely_links": Need.LIKELY_LINKS,
    "graphs": Need.GRAPHS,
    "scenes": Need.GRAPHS,
    "evidence": Need.SCENES,
    "output_graphs": Need.OUTPUT_SCENES,
    "source_states": Need.STATES,
    "output_states": Need.STATES,
    "findings": Need.MEANING,
    "findings_by_links": Need.MEANING_BY_LINKS,
}
"""The attributes of an item that are computed on demand, and the need that asks for each."""


class GuardedItem(Item):
    """An item as one ``reader`` sees it: a computed attribute whose need it did not declare is a ``UsageError``."""

    original: Item
    reader: str
    declared: frozenset[Need]
    __eq__, __hash__ = object.__eq__, object.__hash__

    def __init__(self, original: Item, reader: str, declared: frozenset[Need]) -> None:
        vars(self).update(vars(original), original=original, reader=reader, declared=declared)

    def __getattribute__(self, name: str) -> Any:
        value, need = super().__getattribute__(name), COMPUTED.get(name)
        if need is None:
            return value
        if need not in self.declared:
            raise UsageError(
                f"{self.reader} reads {name!r} of an item but does not declare Need.{need.name}; "
                "add it to what it requires"
            )
        return _GuardedFindings(value, self) if name.startswith("findings") and value else value

    def __repr__(self) -> str:
        return f"<item of {self.reader}: {self.source.raw!r} -> {self.output.raw!r}>"


class _GuardedFindings:
    """Findings whose evidence can be read only by a reader that declared the scene graphs."""

    def __init__(self, findings: Findings, item: GuardedItem) -> None:
        self._findings, self._item = findings, item

    def __getattr__(self, name: str) -> Any:
        if name == "evidence":
            self._item.graphs, self._item.output_graphs  # noqa: B018 - undeclared needs raise
        return getattr(self._findings, name)


def guarded(items: Iterable[Item], needs: Iterable[Need], reader: str) -> list[Item]:
    """The items as ``reader``, who declares its ``needs``, sees them; a ``ValueError`` if one was made without them."""
    declared = with_included(needs)
    checked: list[Item] = []
    for item in map(unguarded, items):
        missing = declared - item.provides - {Need.REFERENCES, Need.TARGET} if item.provides is not None else ()
        if missing:
            raise ValueError(f"{reader} needs {', '.join(sorted(missing))}, which these items were prepared without")
        checked.append(GuardedItem(item, reader, declared))
    return checked


def unguarded(item: Item) -> Item:
    """The whole item."""
    return item.original if isinstance(item, GuardedItem) else item


def has_references(item: Item) -> bool:
    """Whether a reference is not blank. Blank ones beside others are kept: sacreBLEU and EASSE count them too."""
    return any(reference.strip() for reference in item.references)
