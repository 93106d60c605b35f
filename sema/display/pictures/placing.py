"""Where a Scene is shown: in the output sentence that has most of its own words.

The published scores match a Scene by all of its leaves, nested Scenes included, and assign each sentence at most once
(SAMSA, section 4.1), so they may look in another sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sema.model.links import LinkKind

Scene = Mapping[str, Any]
LinksByToken = Sequence[Mapping[int, Sequence[Any]]]
"""For each output sentence the link of each source token: source index, index in the sentence, kind."""


def links_by_token(evidence: Mapping[str, Any]) -> LinksByToken:
    """Of several links of a token into a sentence one that is not hyponymy if possible; empty without links."""
    found: list[dict[int, Sequence[Any]]] = []
    for links in evidence.get("links", ()):
        found.append({})
        for link in links:
            if link[0] not in found[-1] or found[-1][link[0]][2] == LinkKind.HYPONYMY:
                found[-1][link[0]] = link
    return found


def leaves_of(scene: Scene) -> Sequence[int]:
    """The tokens of a Scene."""
    units = [scene["main_relation"], *scene["participants"]]
    return scene.get("leaves") or [token for unit in units for center in unit for token in center["tokens"]]


def place_of(scene: Scene, scenes: Sequence[Scene], links: LinksByToken) -> int | None:
    """The output sentence (from 0) that has most of a Scene's own words; without links, where it was counted.

    ``None`` if no sentence has any. ``scenes`` are all of the source's.
    """
    whole, counted = set(leaves_of(scene)), scene["sentence"]
    nested = {token for other in scenes if set(leaves_of(other)) < whole for token in leaves_of(other)}
    main = _tokens(scene["main_relation"])
    centers = main.union(*map(_tokens, scene["participants"]))
    found = [{token for token, link in own.items() if link[2] != LinkKind.HYPONYMY} for own in links]

    def rank(sentence: int) -> tuple[int, int, bool, int]:
        own = found[sentence] & ((whole - nested) | centers)
        return len(own), len(own & main), sentence == counted, -sentence

    best: int | None = max(range(len(links)), key=rank, default=counted)
    return None if best is None or (links and not rank(best)[0]) else best


def _tokens(unit: Sequence[Mapping[str, Any]]) -> set[int]:
    return {token for center in unit for token in center["tokens"]}
