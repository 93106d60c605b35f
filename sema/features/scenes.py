"""Features of Scenes: how far the source's are kept and the output's supported. Any language."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from sema.features.base import FeatureGroup, average, ratio
from sema.meaning.evidence import find
from sema.metrics.scene_metrics import FAMILY
from sema.model.evidence import SceneEvidence
from sema.model.fact import FactReader
from sema.model.item import Item, Need
from sema.model.meaning import Words

if TYPE_CHECKING:
    from sema.model.language import Parts


class ScenesKept(FeatureGroup):
    """The scene metrics, their components, and the support of the output's Scenes."""

    name = "scenes"
    description = "SEMA and SAMSA, main relations and Participants kept, output Scenes that the source supports"
    requires = frozenset({Need.SCENES, Need.OUTPUT_SCENES})
    features: ClassVar[Mapping[str, str]] = {
        **{name: f"{name}, 0-1" for name in FAMILY},
        "matched": "share of the source's Scenes that a sentence of the output was found for",
        "relations_kept": "share of main relations that are kept",
        "participants_kept": "share of Participants that are kept",
        "whole_scenes": "share of Scenes that are kept whole",
        "least_scene": "score of the Scene that is kept least",
        "scenes_per_output_sentence": "the source's Scenes for each sentence of the output",
        "scene_ratio": "Scenes of the output for each Scene of the source",
        "supported": "share of the words of the output's Scenes that are linked, mean over Scenes",
        "least_supported": "the same for the Scene that is supported least",
        "relations_supported": "share of the output's main relations that are linked",
        "together": "share of the kept Participants that stand in one output Scene with their main relation",
        "bare_output_scenes": "share of the output's Scenes without a Participant",
    }

    def values(self, item: Item) -> Sequence[float]:
        """The Scene features of one item."""
        evidence = item.evidence
        scenes = [scene for part in evidence for scene in part.scenes]
        scores = [scene.score(partial=True, hyponymy=True) for scene in scenes]
        participants = [unit.fraction(True) for scene in scenes for unit in scene.participants]
        sentences = len(item.output.sentences)
        return [
            *(average([metric(part) for part in evidence]) for metric in FAMILY.values()),
            ratio(sum(scene.sentence is not None for scene in scenes), len(scenes)),
            average([scene.main_relation.whole(True) * (scene.sentence is not None) for scene in scenes]),
            average(participants, 1.0),
            ratio(sum(score == 1 for score in scores), len(scenes)),
            min(scores, default=0.0),
            ratio(len(scenes), sentences),
            *_output_side(item, scenes),
        ]


def _output_side(item: Item, kept: Sequence[SceneEvidence]) -> list[float]:
    """The Scene ratio, and how far the output's Scenes are supported by links."""
    shares: list[float] = []
    relations: list[bool] = []
    bare = 0
    leaves_of: list[list[frozenset[int]]] = []
    for graph, links in zip(item.output_graphs, item.links, strict=True):
        linked = {link.output for link in links}
        found = graph.scenes()
        leaves_of.append([frozenset(scene.leaves) for scene in found])
        for scene in found:
            bare += not scene.participants
            shares.append(ratio(sum(token in linked for token in scene.leaves), len(scene.leaves)))
            relations.append(any(token in linked for center in scene.main_relation for token in center))
    return [
        ratio(len(shares), len(kept)),
        average(shares),
        min(shares, default=0.0),
        ratio(sum(relations), len(relations)),
        _together(kept, leaves_of),
        ratio(bare, len(shares)),
    ]


def _together(kept: Sequence[SceneEvidence], leaves_of: Sequence[Sequence[frozenset[int]]]) -> float:
    """The share of kept Participants in the same output Scene as their main relation."""
    pairs = joined = 0
    for scene in kept:
        if scene.sentence is None:
            continue
        relation = _targets(scene.main_relation.centers)
        for unit in scene.participants:
            found = _targets(unit.centers)
            if relation and found:
                pairs += 1
                joined += any(relation & leaves and found & leaves for leaves in leaves_of[scene.sentence])
    return ratio(joined, pairs, 1.0)


def _targets(centers: Sequence[object]) -> set[int]:
    return {link.output for center in centers for link in center.links if link is not None}  # type: ignore[attr-defined]


class MeaningKept(FeatureGroup):
    """``meaning`` without the learned reader, and the least kept and supported words."""

    name = "meaning"
    description = "meaning kept and supported by links and facts alone, and the words that fare worst"
    requires = frozenset({Need.LINK_WEIGHTS, Need.GRAPHS, Need.OUTPUT_SCENES})
    features: ClassVar[Mapping[str, str]] = {
        "recall": "share of the source's meaning that is kept, 0-1",
        "precision": "share of the output's meaning that is supported, 0-1",
        "least_kept": "mean probability of being kept for the fifth of the source's words that fare worst",
        "least_supported": "mean probability of being supported for the fifth of the output's words that fare worst",
    }

    def __init__(self) -> None:
        self._fact_readers: Sequence[FactReader] = ()
        self._function_words: Collection[str] = ()

    def bind(self, parts: Parts) -> MeaningKept:
        """The group with the language's fact readers and function words."""
        bound = MeaningKept()
        bound._fact_readers, bound._function_words = parts.fact_readers, parts.function_words
        return bound

    def values(self, item: Item) -> Sequence[float]:
        """The shares for one item."""
        found = find([item], self._fact_readers, self._function_words)[0].evidence
        return [found.recall, found.precision, _worst(found.source), _worst(found.output)]


def _worst(words: Words) -> float:
    counted = zip(words.probabilities, words.weights, strict=True)
    ordered = sorted(probability for probability, weight in counted if weight)
    return average(ordered[: max(1, len(ordered) // 5)])
