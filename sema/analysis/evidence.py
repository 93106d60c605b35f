"""Scenes matched to output sentences, and what became of every minimal center there."""

from __future__ import annotations

from collections.abc import Sequence

from sema.analysis.matching import Matching
from sema.model.evidence import CenterEvidence, Evidence, SceneEvidence, UnitEvidence
from sema.model.links import Link, LinkKind
from sema.model.scene_graph import Center, Scene

AS_PUBLISHED = Matching()


def gather_evidence(
    scenes: Sequence[Scene],
    links: Sequence[Sequence[Link]],
    *,
    without_scenes: Scene | None = None,
    matching: Matching = AS_PUBLISHED,
    one_to_one: bool = True,
) -> Evidence:
    """Match Scenes to output sentences and look up what became of every minimal center.

    ``without_scenes`` stands in when ``scenes`` is empty (:meth:`sema.model.scene_graph.SceneGraph.root_scene`);
    ``one_to_one`` is for :meth:`~sema.analysis.matching.Matching.match`.
    """
    stand_in = [without_scenes] if not scenes and without_scenes is not None else []
    counted = list(scenes) or stand_in
    by_token = [_by_token(sentence) for sentence in links]
    linked = [{token for token, link in found.items() if link.kind is not LinkKind.HYPONYMY} for found in by_token]
    evidence = []
    for scene, sentence in zip(counted, matching.match(counted, linked, one_to_one=one_to_one), strict=True):
        found = {} if sentence is None else by_token[sentence]

        def look_up(centers: Sequence[Center], found: dict[int, Link] = found) -> UnitEvidence:
            return UnitEvidence(
                tuple(
                    CenterEvidence(center, tuple(found.get(token) for token in center)) for center in centers if center
                )
            )

        evidence.append(
            SceneEvidence(
                sentence,
                look_up(scene.main_relation),
                tuple(look_up(unit) for unit in scene.participants),
                scene.leaves,
            )
        )
    return Evidence(tuple(evidence), len(links), has_scenes=bool(scenes))


def _by_token(links: Sequence[Link]) -> dict[int, Link]:
    """Each source token's link; the first one other than hyponymy where links that people drew give it several."""
    found: dict[int, Link] = {}
    for link in links:
        if link.source not in found or found[link.source].kind is LinkKind.HYPONYMY:
            found[link.source] = link
    return found
