"""Structural complexity: Scenes, their nesting and their Participants. Any language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from sema.features.base import TextGroup, average, ratio
from sema.model.item import Need
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text

ROLES = {"H": "parallel", "A": "complement", "E": "relative", "D": "adverbial", "C": "center"}
"""The name of a Scene's role by its category."""
SHARES = {"E": "elaborators", "D": "adverbials", "T": "times", "Q": "quantifiers", "R": "relators", "L": "linkers"}


@dataclass
class _Counts:
    """What is counted in a text's scene graphs."""

    roles: Counter[str] = field(default_factory=Counter)
    categories: Counter[str] = field(default_factory=Counter)
    units: int = 0
    remote: int = 0
    nested: int = 0
    participants: list[int] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)
    leaf_depths: list[int] = field(default_factory=list)
    deepest: list[int] = field(default_factory=list)
    before_relation: list[float] = field(default_factory=list)
    bare_sentences: int = 0

    def add(self, graph: SceneGraph) -> None:
        """Count one graph."""
        scenes = set(graph.scene_units())
        self.bare_sentences += not scenes
        deepest = 0
        seen = {graph.root}
        stack: list[tuple[str, int, bool]] = [(graph.root, 0, graph.root in scenes)]
        while stack:
            unit, depth, inside = stack.pop()
            self.units += 1
            deepest = max(deepest, depth)
            for child, categories, remote in graph.edges(unit):
                if isinstance(child, int):
                    self.leaf_depths.append(depth)
                    continue
                self.remote += remote
                if remote or child in seen:
                    continue
                seen.add(child)
                self.categories.update(categories)
                if child in scenes:
                    self.roles.update(category for category in categories if category in ROLES)
                    self.nested += inside
                stack.append((child, depth + 1, inside or child in scenes))
        self.deepest.append(deepest)
        self._add_scenes(graph)

    def _add_scenes(self, graph: SceneGraph) -> None:
        for scene in graph.scenes():
            self.participants.append(len(scene.participants))
            self.lengths.append(len(scene.leaves))
            relation = [token for center in scene.main_relation for token in center]
            if relation and scene.leaves:
                self.before_relation.append(sum(token < min(relation) for token in scene.leaves))


class Structure(TextGroup):
    """Structural complexity from scene graphs; any language."""

    name = "structure"
    description = "structural complexity from scene graphs: depth, Scenes, their nesting, Participants and categories"
    requires = frozenset({Need.GRAPHS, Need.OUTPUT_SCENES})
    measures: ClassVar[Mapping[str, str]] = {
        "scenes": "Scenes",
        "scenes_per_sentence": "Scenes in a sentence",
        "words_per_scene": "words in a Scene, those of Scenes inside it too",
        "longest_scene": "words in the longest Scene",
        "participants": "Participants of a Scene",
        "most_participants": "most Participants of a Scene",
        "bare_scenes": "share of Scenes without a Participant",
        "nested": "share of Scenes inside another Scene",
        "remote": "shared Participants and other remote edges, for each Scene",
        "depth": "depth of the scene graph, the mean of the sentences",
        "deepest": "depth of the deepest scene graph",
        "leaf_depth": "mean depth of the tokens",
        "units": "units of the scene graph for each token",
        "before_relation": "words of a Scene before its main relation",
        **{f"{role}_scenes": f"Scenes that stand as {category}, for each sentence" for category, role in ROLES.items()},
        **{name: f"units of category {category}, for each sentence" for category, name in SHARES.items()},
        "sceneless": "share of the sentences without a Scene",
    }

    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Sequence[float]:
        """The measures of one text."""
        counts = _Counts()
        for graph in graphs:
            counts.add(graph)
        scenes, sentences = len(counts.lengths), max(1, len(graphs))
        return [
            scenes,
            scenes / sentences,
            average(counts.lengths),
            max(counts.lengths, default=0),
            average(counts.participants),
            max(counts.participants, default=0),
            ratio(counts.participants.count(0), scenes),
            ratio(counts.nested, scenes),
            ratio(counts.remote, scenes),
            average(counts.deepest),
            max(counts.deepest, default=0),
            average(counts.leaf_depths),
            ratio(counts.units, len(counts.leaf_depths)),
            average(counts.before_relation),
            *(counts.roles[category] / sentences for category in ROLES),
            *(counts.categories[category] / sentences for category in SHARES),
            counts.bare_sentences / sentences,
        ]
