"""Features of Scenes: how complex they make a text, and how far they are kept and supported. Any language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sema.features.base import FeatureGroup, TextGroup, average, ratio, worst_fifth
from sema.metrics.scene_metrics import FAMILY
from sema.model.evidence import SceneEvidence, UnitEvidence
from sema.model.item import Item, Need
from sema.model.scene_graph import Scene, SceneGraph
from sema.model.text import Text

ROLES = {"H": "parallel", "A": "complement", "E": "relative", "D": "adverbial", "C": "center"}
"""The name of a Scene's role by its category."""
SHARES = {"E": "elaborators", "D": "adverbials", "T": "times", "Q": "quantifiers", "R": "relators", "L": "linkers"}


class ScenesKept(FeatureGroup, name="scenes"):
    """SEMA and SAMSA, main relations and Participants kept, output Scenes that the source supports.

    Features:
        sema: sema, 0-1
        sema_part: sema_part, 0-1
        sema_base: sema_base, 0-1
        samsa: samsa, 0-1
        samsa_abl: samsa_abl, 0-1
        matched: share of the source's Scenes that a sentence of the output was found for
        relations_kept: share of main relations that are kept
        participants_kept: share of Participants that are kept
        whole_scenes: share of Scenes that are kept whole
        least_scene: score of the Scene that is kept least
        scenes_per_output_sentence: the source's Scenes for each sentence of the output
        scene_ratio: Scenes of the output for each Scene of the source
        supported: share of the words of the output's Scenes that are linked, mean over Scenes
        least_supported: the same for the Scene that is supported least
        relations_supported: share of the output's main relations that are linked
        together: share of the kept Participants that stand in one output Scene with their main relation
        bare_output_scenes: share of the output's Scenes without a Participant
    """

    requires = frozenset({Need.SCENES, Need.OUTPUT_SCENES})

    def values(self, item: Item) -> Mapping[str, float]:
        scenes = [scene for part in item.evidence for scene in part.scenes]
        scores = [scene.score(partial=True, hyponymy=True) for scene in scenes]
        participants = [unit.fraction(True) for scene in scenes for unit in scene.participants]
        relations = [scene.main_relation.whole(True) * (scene.sentence is not None) for scene in scenes]
        return {
            **{name: average([metric(part) for part in item.evidence]) for name, metric in FAMILY.items()},
            "matched": ratio(sum(scene.sentence is not None for scene in scenes), len(scenes)),
            "relations_kept": average(relations),
            "participants_kept": average(participants, 1.0),
            "whole_scenes": ratio(sum(score == 1 for score in scores), len(scenes)),
            "least_scene": min(scores, default=0.0),
            "scenes_per_output_sentence": ratio(len(scenes), len(item.output.sentences)),
            **_output_side(item, scenes),
        }


def _output_side(item: Item, kept: Sequence[SceneEvidence]) -> dict[str, float]:
    """The Scene ratio, and how far the output's Scenes are supported by links."""
    scenes = [graph.scenes() for graph in item.output_graphs]
    shares: list[float] = []
    relations: list[bool] = []
    for of_sentence, links in zip(scenes, item.links, strict=True):
        linked = {link.output for link in links}
        shares += [ratio(sum(token in linked for token in scene.leaves), len(scene.leaves)) for scene in of_sentence]
        relations += [any(not linked.isdisjoint(center) for center in scene.main_relation) for scene in of_sentence]
    bare = sum(not scene.participants for of_sentence in scenes for scene in of_sentence)
    return {
        "scene_ratio": ratio(len(shares), len(kept)),
        "supported": average(shares),
        "least_supported": min(shares, default=0.0),
        "relations_supported": average(relations),
        "together": average(_together(kept, scenes), 1.0),
        "bare_output_scenes": ratio(bare, len(shares)),
    }


def _together(kept: Sequence[SceneEvidence], scenes: Sequence[Sequence[Scene]]) -> list[bool]:
    """For every kept Participant whether it is in the same output Scene as its main relation."""
    joined = []
    for scene in kept:
        relation = _targets(scene.main_relation)
        for participant in map(_targets, scene.participants):
            if scene.sentence is not None and relation and participant:
                leaves = [set(scene_given.leaves) for scene_given in scenes[scene.sentence]]
                joined.append(any(relation & own and participant & own for own in leaves))
    return joined


def _targets(unit: UnitEvidence) -> set[int]:
    return {link.output for center in unit.centers for link in center.links if link is not None}


class MeaningKept(FeatureGroup, name="meaning"):
    """Meaning kept and supported by links and facts alone, and the words that fare worst.

    Features:
        recall: share of the source's meaning that is kept, 0-1
        precision: share of the output's meaning that is supported, 0-1
        least_kept: mean probability of being kept for the fifth of the source's words that fare worst
        least_supported: mean probability of being supported for the fifth of the output's words that fare worst
    """

    requires = frozenset({Need.MEANING_BY_LINKS, Need.LINK_WEIGHTS, Need.GRAPHS, Need.OUTPUT_SCENES})

    def values(self, item: Item) -> Mapping[str, float]:
        assert item.findings_by_links is not None
        source, output = item.findings_by_links.linked
        pairs = [zip(words.probabilities, words.weights, strict=True) for words in (source, output)]
        kept, supported = (worst_fifth(probability for probability, weight in words if weight) for words in pairs)
        return {
            "recall": source.share() if item.output.words else 0.0,
            "precision": output.share() if item.output.words else 0.0,
            "least_kept": kept,
            "least_supported": supported,
        }


class Structure(TextGroup, name="structure"):
    """Structural complexity from scene graphs: depth, Scenes, their nesting, Participants and categories.

    Features:
        scenes: Scenes
        scenes_per_sentence: Scenes in a sentence
        words_per_scene: words in a Scene, those of Scenes inside it too
        longest_scene: words in the longest Scene
        participants: Participants of a Scene
        most_participants: most Participants of a Scene
        bare_scenes: share of Scenes without a Participant
        nested: share of Scenes inside another Scene
        remote: shared Participants and other remote edges, for each Scene
        depth: depth of the scene graph, the mean of the sentences
        deepest: depth of the deepest scene graph
        leaf_depth: mean depth of the tokens
        units: units of the scene graph for each token
        before_relation: words of a Scene before its main relation
        parallel_scenes: Scenes that stand as H, for each sentence
        complement_scenes: Scenes that stand as A, for each sentence
        relative_scenes: Scenes that stand as E, for each sentence
        adverbial_scenes: Scenes that stand as D, for each sentence
        center_scenes: Scenes that stand as C, for each sentence
        elaborators: units of category E, for each sentence
        adverbials: units of category D, for each sentence
        times: units of category T, for each sentence
        quantifiers: units of category Q, for each sentence
        relators: units of category R, for each sentence
        linkers: units of category L, for each sentence
        sceneless: share of the sentences without a Scene
    """

    requires = frozenset({Need.GRAPHS, Need.OUTPUT_SCENES})

    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Mapping[str, float]:
        trees = list(map(_units, graphs))
        units = [unit for tree in trees for unit in tree]
        tokens, deepest = sum(unit.tokens for unit in units), [max(unit.depth for unit in tree) for tree in trees]
        categories = Counter(category for unit in units for category in unit.categories)
        roles = Counter(category for unit in units if unit.is_scene for category in unit.categories)
        scenes = [scene for graph in graphs for scene in graph.scenes()]
        lengths, participants = [len(scene.leaves) for scene in scenes], [len(scene.participants) for scene in scenes]
        relations = [[token for center in scene.main_relation for token in center] for scene in scenes]
        before = [
            sum(token < min(relation) for token in scene.leaves)
            for scene, relation in zip(scenes, relations, strict=True)
            if relation and scene.leaves
        ]
        sentences = max(1, len(graphs))
        return {
            "scenes": len(scenes),
            "scenes_per_sentence": len(scenes) / sentences,
            "words_per_scene": average(lengths),
            "longest_scene": max(lengths, default=0),
            "participants": average(participants),
            "most_participants": max(participants, default=0),
            "bare_scenes": ratio(participants.count(0), len(scenes)),
            "nested": ratio(sum(unit.is_scene and unit.inside for unit in units), len(scenes)),
            "remote": ratio(sum(unit.remote for unit in units), len(scenes)),
            "depth": average(deepest),
            "deepest": max(deepest, default=0),
            "leaf_depth": ratio(sum(unit.depth * unit.tokens for unit in units), tokens),
            "units": ratio(len(units), tokens),
            "before_relation": average(before),
            **{f"{role}_scenes": roles[category] / sentences for category, role in ROLES.items()},
            **{name: categories[category] / sentences for category, name in SHARES.items()},
            "sceneless": sum(not graph.scene_units() for graph in graphs) / sentences,
        }


class _Unit(NamedTuple):
    """A unit of a scene graph, with its numbers of tokens and remote edges; ``inside``: it is inside another Scene."""

    categories: tuple[str, ...]
    depth: int
    is_scene: bool
    inside: bool
    tokens: int
    remote: int


def _units(graph: SceneGraph) -> list[_Unit]:
    scenes, seen, units = set(graph.scene_units()), {graph.root}, []
    stack: list[tuple[str, tuple[str, ...], int, bool]] = [(graph.root, (), 0, False)]
    while stack:
        unit, categories, depth, inside = stack.pop()
        is_scene, tokens, remotes = unit in scenes, 0, 0
        for child, kinds, remote in graph.edges(unit):
            if isinstance(child, int):
                tokens += 1
            elif remote:
                remotes += 1
            elif child not in seen:
                seen.add(child)
                stack.append((child, kinds, depth + 1, inside or is_scene))
        units.append(_Unit(categories, depth, is_scene, inside, tokens, remotes))
    return units
