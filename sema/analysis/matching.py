"""Matches Scenes to output sentences, and finds the links of every minimal center.

The map M* of SAMSA (Sulem et al., NAACL 2018, section 4.1).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from sema.model.evidence import CenterEvidence, Evidence, SceneEvidence, UnitEvidence
from sema.model.links import Link, LinkKind
from sema.model.scene_graph import Center, Scene

VERSION = "v2"
"""The version of the matching rules. In ``v1`` a Scene without a sentence scored 0 altogether, and a sentence of a
passage with as many Scenes as the output has sentences was matched one to one."""


@dataclass(frozen=True, kw_only=True)
class Matching:
    """How Scenes are matched to sentences (``match.order``, ``match.leaves``); the defaults are as published."""

    order: Annotated[
        Literal["text", "assignment"],
        "where there are as many Scenes as sentences: in turn (as published), or the best total",
    ] = "text"
    leaves: Annotated[
        Literal["all", "own"], "the words of a Scene that look for its sentence: all, or those in no inner Scene"
    ] = "all"

    @property
    def signature(self) -> str:
        """The version, and every deviation from the published rules."""
        order = "" if self.order == "text" else f",order={self.order}"
        leaves = "" if self.leaves == "all" else f",leaves={self.leaves}"
        return f"{VERSION}{order}{leaves}"

    def match(self, scenes: Sequence[Scene], links: OutputLinks, *, one_to_one: bool = True) -> list[int | None]:
        """Give each Scene the output sentence that holds most of its leaves, by links other than hyponymy.

        With as many Scenes as sentences, each sentence is given only once, unless ``one_to_one`` is off (a passage's
        sentences against the whole output: SEMA, section 4.2). Otherwise the map is many-to-one. A Scene stays
        unmatched (``None``) and takes no sentence if none of its leaves is linked to a sentence that it could have.

        As published, Scenes are taken in the order given, and ties go to the earlier sentence.
        """
        counts = [
            Counter(sentence for leaf in set(self._leaves(scene)) for sentence in links.holders.get(leaf, ()))
            for scene in scenes
        ]
        exclusive = one_to_one and len(scenes) == len(links)
        if exclusive and self.order == "assignment":
            return _assigned([[count[sentence] for sentence in range(len(links))] for count in counts])
        matched: list[int | None] = []
        given: set[int] = set()
        for count in counts:
            free = [sentence for sentence in count if sentence not in given]
            best = min(free, key=lambda sentence: (-count[sentence], sentence), default=None)
            matched.append(best)
            if exclusive and best is not None:
                given.add(best)
        return matched

    def _leaves(self, scene: Scene) -> Sequence[int]:
        return (scene.own_leaves or scene.leaves) if self.leaves == "own" else scene.leaves


def _assigned(scores: Sequence[Sequence[int]]) -> list[int | None]:
    """The one-to-one map with the most linked leaves; ties are broken by keeping the order."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    size = len(scores)
    place = np.arange(size)
    moved = (place[:, None] - place) ** 2  # its sum over a map is less than size ** 3
    table = np.array(scores, np.int64).reshape(size, size)
    _, sentences = linear_sum_assignment(table * size**3 - moved, maximize=True)
    return [int(sentence) if scores[scene][sentence] else None for scene, sentence in enumerate(sentences)]


AS_PUBLISHED = Matching()


class OutputLinks:
    """The links to an output's sentences; ``holders`` has each token's sentences by links other than hyponymy."""

    def __init__(self, links: Sequence[Sequence[Link]]) -> None:
        self._by_token = [_by_token(sentence) for sentence in links]
        self.holders: defaultdict[int, list[int]] = defaultdict(list)
        for sentence, found in enumerate(self._by_token):
            for token, link in found.items():
                if link.kind is not LinkKind.HYPONYMY:
                    self.holders[token].append(sentence)

    def __len__(self) -> int:
        return len(self._by_token)

    def look_up(self, unit: Sequence[Center], sentence: int | None) -> UnitEvidence:
        """The links of a unit's minimal centers to a sentence: each token's link, or ``None`` if it has none."""
        found = {} if sentence is None else self._by_token[sentence]
        return UnitEvidence(tuple(CenterEvidence(center, tuple(map(found.get, center))) for center in unit if center))


def _by_token(links: Sequence[Link]) -> dict[int, Link]:
    """Each source token's link; if links drawn by people give it several, the first one other than hyponymy."""
    found: dict[int, Link] = {}
    for link in links:
        if link.source not in found or found[link.source].kind is LinkKind.HYPONYMY:
            found[link.source] = link
    return found


def gather_evidence(
    scenes: Sequence[Scene],
    links: OutputLinks,
    *,
    without_scenes: Scene | None = None,
    matching: Matching = AS_PUBLISHED,
    one_to_one: bool = True,
) -> Evidence:
    """Match Scenes to output sentences and look up the links of every minimal center.

    ``without_scenes`` stands in when ``scenes`` is empty (:meth:`sema.model.scene_graph.SceneGraph.root_scene`);
    ``one_to_one`` is for :meth:`Matching.match`.
    """
    counted = scenes or ([] if without_scenes is None else [without_scenes])
    evidence = [
        SceneEvidence(
            sentence,
            links.look_up(scene.main_relation, sentence),
            tuple(links.look_up(unit, sentence) for unit in scene.participants),
            scene.leaves,
        )
        for scene, sentence in zip(counted, matching.match(counted, links, one_to_one=one_to_one), strict=True)
    ]
    return Evidence(tuple(evidence), len(links), has_scenes=bool(scenes))
