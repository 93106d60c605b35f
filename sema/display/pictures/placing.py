"""Where a Scene is shown: in the output sentence that has most of its own words.

The published scores match a Scene by all of its leaves, nested Scenes included, and assign each sentence at most once
(SAMSA, section 4.1), so they may look in another sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sema.model.links import LinkKind

Center = Sequence[tuple[int, Sequence[Any] | None]]
"""A minimal center: each token with its link (source index, index in the sentence, kind), ``None`` if it has none."""


@dataclass(frozen=True)
class PlacedScene:
    """A source Scene as it is shown.

    Attributes:
        sentence: the output sentence (from 0) that has most of its own words; ``None``: none has any.
        counted: the sentence that the published scores looked in.
        leaves: its tokens.
        units: roles with their minimal centers, and the links of these into ``sentence``.
    """

    sentence: int | None
    counted: int | None
    leaves: Sequence[int]
    units: Sequence[tuple[str, Sequence[Center]]]


def placed_scenes(evidence: Mapping[str, Any]) -> list[PlacedScene]:
    """The Scenes of an item's evidence, each in the sentence that has its words; without links, as counted."""
    scenes = evidence.get("scenes", ())
    links = [_by_token(sentence) for sentence in evidence.get("links", ())]
    leaves = [_leaves(scene) for scene in scenes]
    return [_placed(scene, own, leaves, links) for scene, own in zip(scenes, leaves, strict=True)]


def _placed(
    scene: Mapping[str, Any],
    leaves: Sequence[int],
    others: Sequence[Sequence[int]],
    links: Sequence[Mapping[int, Sequence[Any]]],
) -> PlacedScene:
    counted = scene["sentence"]
    relation, *participants = units = [scene["main_relation"], *scene["participants"]]
    whole = set(leaves)
    nested = {token for other in others if set(other) < whole for token in other}
    main = {token for center in relation for token in center["tokens"]}
    centers = {token for unit in units for center in unit for token in center["tokens"]}
    found = [{token for token, link in own.items() if link[2] != LinkKind.HYPONYMY} for own in links]

    def rank(sentence: int) -> tuple[int, int, bool, int]:
        own = found[sentence] & ((whole - nested) | centers)
        return len(own), len(own & main), sentence == counted, -sentence

    best = max(range(len(links)), key=rank, default=counted)
    sentence = None if best is None or (links and not rank(best)[0]) else best

    def center(given: Mapping[str, Any]) -> Center:
        if sentence == counted:
            return [*zip(given["tokens"], given["links"], strict=True)]
        return [(token, None if sentence is None else links[sentence].get(token)) for token in given["tokens"]]

    roles = [("main relation", relation), *(("Participant", unit) for unit in participants)]
    return PlacedScene(sentence, counted, leaves, [(role, [center(one) for one in unit]) for role, unit in roles])


def _by_token(links: Sequence[Sequence[Any]]) -> dict[int, Sequence[Any]]:
    """Each source token's link into a sentence; of several, one that is not hyponymy if possible."""
    found: dict[int, Sequence[Any]] = {}
    for link in links:
        if link[0] not in found or found[link[0]][2] == LinkKind.HYPONYMY:
            found[link[0]] = link
    return found


def _leaves(scene: Mapping[str, Any]) -> list[int]:
    units = [scene["main_relation"], *scene["participants"]]
    return scene.get("leaves") or [token for unit in units for center in unit for token in center["tokens"]]
