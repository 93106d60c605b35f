"""Evidence of the scene metrics: the sentence each Scene is matched to, and which of its words are kept.

SAMSA: Sulem, Abend and Rappoport (NAACL 2018), section 4.2. SEMA: formulas 4 and 5 of its paper.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from sema.model.links import Link, LinkKind
from sema.model.scene_graph import Center

UNSEEN = 0.5
"""The indicator of an implicit unit, and the Participant term of a Scene that has none."""


class SharedEvidence(dict[str, Any]):
    """What a metric's ``explain`` returns if pages and reports read it; several metrics may return the same."""


@dataclass(frozen=True, slots=True)
class CenterEvidence:
    """One minimal center: its source tokens and, for each, the link to the matched sentence or ``None`` (lost)."""

    tokens: Center
    links: tuple[Link | None, ...]

    def kept(self, hyponymy: bool) -> bool:
        """Whether every token of the center is linked, hyponymy links counted or not."""
        return all(link is not None and (hyponymy or link.kind is not LinkKind.HYPONYMY) for link in self.links)


@dataclass(frozen=True, slots=True)
class UnitEvidence:
    """A main relation or a Participant: the evidence for each of its minimal centers (none: an implicit unit)."""

    centers: tuple[CenterEvidence, ...]

    def whole(self, hyponymy: bool) -> float:
        """1 if every center is kept, else 0; an implicit unit gives 0.5 (SAMSA, section 4.2)."""
        if not self.centers:
            return UNSEEN
        return float(all(center.kept(hyponymy) for center in self.centers))

    def fraction(self, hyponymy: bool) -> float:
        """The share of the centers that are kept (SEMA, formula 5); an implicit unit gives 0.5."""
        if not self.centers:
            return UNSEEN
        return sum(center.kept(hyponymy) for center in self.centers) / len(self.centers)


@dataclass(frozen=True, slots=True)
class SceneEvidence:
    """The output sentence a Scene is matched to (``None``: none), with the evidence for its units.

    ``leaves`` are the Scene's tokens, as in :class:`~sema.model.scene_graph.Scene`; no score depends on them.
    """

    sentence: int | None
    main_relation: UnitEvidence
    participants: tuple[UnitEvidence, ...]
    leaves: Center = field(default=(), compare=False)

    def score(self, *, partial: bool, hyponymy: bool) -> float:
        """``1/2 (MR + mean Par)``, in [0, 1]; implicit units and a missing Participant always give 0.5."""
        relation = self.main_relation.whole(hyponymy)
        if not self.participants:
            return (relation + UNSEEN) / 2
        kept = sum(unit.fraction(hyponymy) if partial else unit.whole(hyponymy) for unit in self.participants)
        return (relation + kept / len(self.participants)) / 2

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the sentence and, for each center, its tokens and links (``null``: lost)."""

        def plain(center: CenterEvidence) -> dict[str, Any]:
            links = [link and [link.source, link.output, str(link.kind)] for link in center.links]
            return {"tokens": list(center.tokens), "links": links}

        return {
            "sentence": self.sentence,
            "main_relation": list(map(plain, self.main_relation.centers)),
            "participants": [list(map(plain, participant.centers)) for participant in self.participants],
            "leaves": list(self.leaves),
        }


@dataclass(frozen=True)
class Evidence:
    """The evidence of all scene metrics: one source (or source sentence) against one output.

    ``has_scenes`` tells whether the source had Scenes of its own; if not, ``scenes`` holds the stand-in made of the
    root's minimal centers, which counts for SEMA and not for SAMSA.
    """

    scenes: tuple[SceneEvidence, ...]
    sentences: int
    has_scenes: bool = True

    def mean(self, *, partial: bool, hyponymy: bool) -> float:
        """The mean Scene score, in [0, 1]."""
        if not self.scenes or not self.sentences:
            return 0.0
        return sum(scene.score(partial=partial, hyponymy=hyponymy) for scene in self.scenes) / len(self.scenes)
