"""SAMSA and SEMA: pure functions of a source's Scenes and its links to each output sentence.

SAMSA: Sulem, Abend and Rappoport (NAACL 2018), section 4.2. SEMA: ``sema.txt``, formulas 4 and 5. All scores are
percentages, 0-100. ``links[s]`` are the links to output sentence ``s``; an output without sentences scores 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sema.alignment.base import Link, LinkKind
from sema.matching import match_scenes
from sema.scenes import Center, Scene

UNSEEN = 0.5
"""The indicator of an implicit unit, and the Participant term of a Scene that has none."""


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
    """Which output sentence a Scene went to (``None``: none) and what became of its main relation and Participants."""

    sentence: int | None
    main_relation: UnitEvidence
    participants: tuple[UnitEvidence, ...]

    def score(self, *, partial: bool, hyponymy: bool) -> float:
        """``1/2 (MR + mean Par)``, in [0, 1]; 0 for a Scene that matched no sentence."""
        if self.sentence is None:
            return 0.0
        relation = self.main_relation.whole(hyponymy)
        if not self.participants:
            return (relation + UNSEEN) / 2
        kept = sum(unit.fraction(hyponymy) if partial else unit.whole(hyponymy) for unit in self.participants)
        return (relation + kept / len(self.participants)) / 2

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the sentence and, for each center, its tokens and links (``null``: lost)."""

        def unit(evidence: UnitEvidence) -> list[dict[str, Any]]:
            return [
                {
                    "tokens": list(center.tokens),
                    "links": [None if link is None else list(link) for link in center.links],
                }
                for center in evidence.centers
            ]

        return {
            "sentence": self.sentence,
            "main_relation": unit(self.main_relation),
            "participants": [unit(participant) for participant in self.participants],
        }


@dataclass(frozen=True)
class Evidence:
    """What the whole family is computed from: one source (or source sentence) against one output.

    ``has_scenes`` tells whether the source had Scenes of its own; without, ``scenes`` holds the stand-in made of the
    root's minimal centers, which counts for SEMA and not for SAMSA.
    """

    scenes: tuple[SceneEvidence, ...]
    sentences: int
    has_scenes: bool = True

    def scores(self) -> dict[str, float]:
        """All five metrics, 0-100."""
        return {name: round(100 * metric(self), 10) for name, metric in FAMILY.items()}

    def mean(self, *, partial: bool, hyponymy: bool) -> float:
        """The mean Scene score, in [0, 1]."""
        if not self.scenes or not self.sentences:
            return 0.0
        return sum(scene.score(partial=partial, hyponymy=hyponymy) for scene in self.scenes) / len(self.scenes)


def gather_evidence(
    scenes: Sequence[Scene], links: Sequence[Sequence[Link]], *, without_scenes: Scene | None = None
) -> Evidence:
    """Match Scenes to output sentences and look up what became of every minimal center.

    ``without_scenes`` stands in when ``scenes`` is empty (:meth:`sema.scenes.SceneGraph.root_scene`).
    """
    stand_in = [without_scenes] if not scenes and without_scenes is not None else []
    counted = list(scenes) or stand_in
    by_token: list[dict[int, Link]] = [{link.source: link for link in sentence} for sentence in links]
    linked = [{token for token, link in found.items() if link.kind is not LinkKind.HYPONYMY} for found in by_token]
    evidence = []
    for scene, sentence in zip(counted, match_scenes(counted, linked), strict=True):
        found = {} if sentence is None else by_token[sentence]

        def look_up(centers: Sequence[Center], found: dict[int, Link] = found) -> UnitEvidence:
            return UnitEvidence(
                tuple(
                    CenterEvidence(center, tuple(found.get(token) for token in center)) for center in centers if center
                )
            )

        evidence.append(
            SceneEvidence(sentence, look_up(scene.main_relation), tuple(look_up(unit) for unit in scene.participants))
        )
    return Evidence(tuple(evidence), len(links), has_scenes=bool(scenes))


def _samsa_abl(evidence: Evidence) -> float:
    if not evidence.has_scenes or len(evidence.scenes) < evidence.sentences:
        return 0.0
    return evidence.mean(partial=False, hyponymy=False)


def _samsa(evidence: Evidence) -> float:
    if not evidence.scenes:
        return 0.0
    return _samsa_abl(evidence) * evidence.sentences / len(evidence.scenes)


FAMILY = {
    "sema": lambda evidence: evidence.mean(partial=True, hyponymy=True),
    "sema_part": lambda evidence: evidence.mean(partial=True, hyponymy=False),
    "sema_base": lambda evidence: evidence.mean(partial=False, hyponymy=False),
    "samsa": _samsa,
    "samsa_abl": _samsa_abl,
}


def scene_scores(
    scenes: Sequence[Scene], links: Sequence[Sequence[Link]], *, without_scenes: Scene | None = None
) -> dict[str, float]:
    """The five metrics of the family from Scenes and links alone, 0-100 (see the module for the papers).

    A source without a Scene: SAMSA and SAMSA-abl are 0; SEMA scores ``without_scenes``, or 0 where none is given.
    """
    return gather_evidence(scenes, links, without_scenes=without_scenes).scores()
