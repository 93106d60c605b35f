"""A source's Scenes: those of its sentences' graphs, in the token indexes of the whole."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sema.analysis.matching import AS_PUBLISHED, Matching, OutputLinks, gather_evidence
from sema.model.evidence import Evidence
from sema.model.links import Link
from sema.model.scene_graph import Scene, SceneGraph
from sema.model.text import Text


@dataclass(frozen=True)
class SourceAnalysis:
    """A source's Scenes in matching order, over the token indexes of ``text``; none where they are not needed.

    ``sentence_of[i]`` is the source sentence of Scene ``i``, by its first non-remote token; ``stand_ins`` holds,
    per sentence, the Scene that stands in for a sentence without Scenes, else ``None``.
    """

    text: Text
    scenes: tuple[Scene, ...] = ()
    sentence_of: tuple[int, ...] = ()
    stand_ins: tuple[Scene | None, ...] = ()
    graphs: tuple[SceneGraph, ...] = field(default=(), repr=False)

    @classmethod
    def from_graphs(cls, text: Text, graphs: Sequence[SceneGraph]) -> SourceAnalysis:
        """Join the graphs of consecutive stretches of ``text`` (its sentences, or the whole of it in one graph)."""
        scenes: list[Scene] = []
        firsts: list[int] = []
        marks: set[int] = set()
        offset = 0
        for graph in graphs:
            for unit, scene in zip(graph.scene_units(), graph.scenes(), strict=True):
                scenes.append(scene.shifted(offset))
                own = graph.tokens_below(unit, remote=False) or scene.leaves
                firsts.append(offset + (own[0] if own else 0))
            marks.update(offset + mark for mark in graph.punctuation)
            offset += len(graph.tokens)
        sentence_of = tuple(bisect_right(text.sentences, (first, len(text.tokens))) - 1 for first in firsts)
        stand_ins: list[Scene | None] = [None] * len(text.sentences)
        for index in set(range(len(stand_ins))) - set(sentence_of):
            start, end = text.sentences[index]
            if len(graphs) == len(text.sentences):
                stand_ins[index] = graphs[index].root_scene().shifted(start)
            else:
                every = range(start, end)
                tokens = tuple(token for token in every if token not in marks) or tuple(every)
                stand_ins[index] = Scene((tokens,), (), tokens)
        return cls(text, tuple(scenes), sentence_of, tuple(stand_ins), tuple(graphs))

    def to_dict(self) -> dict[str, Any]:
        """The shape that ``sema scenes`` prints, without the item's number."""
        return {
            "tokens": list(self.text.words),
            "sentences": [list(span) for span in self.text.sentences],
            "scenes": [scene.to_dict() for scene in self.scenes],
        }

    def evidence(
        self, links: Sequence[Sequence[Link]], *, segment: bool, matching: Matching = AS_PUBLISHED
    ) -> tuple[Evidence, ...]:
        """The evidence against an output whose sentences have ``links``: as a whole, or per source sentence."""
        found = OutputLinks(links)
        if not segment:
            stand_in = None if self.scenes else self._whole()
            return (gather_evidence(self.scenes, found, without_scenes=stand_in, matching=matching),)
        scenes: list[list[Scene]] = [[] for _ in self.stand_ins]
        for scene, sentence in zip(self.scenes, self.sentence_of, strict=True):
            scenes[sentence].append(scene)
        return tuple(
            gather_evidence(of_sentence, found, without_scenes=stand_in, matching=matching, one_to_one=False)
            for of_sentence, stand_in in zip(scenes, self.stand_ins, strict=True)
        )

    def _whole(self) -> Scene:
        """The Scene that stands in for a source without Scenes."""
        scenes = [scene for scene in self.stand_ins if scene is not None]
        centers = tuple(center for scene in scenes for center in scene.main_relation)
        return Scene(centers, (), tuple(leaf for scene in scenes for leaf in scene.leaves))
