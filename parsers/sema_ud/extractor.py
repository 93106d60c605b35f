"""Scenes of sentences, from a parser's dependency trees."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import cast

from sema.model.scene_graph import SceneGraph
from sema_ud.conventions import tree_rules
from sema_ud.extraction import PARTICIPANTS, ExtractionOptions, Heads, extract_scenes
from sema_ud.trees import TreeProvider


class DependencyExtractor:
    """A scene extractor: a provider's trees turned into Scenes by :mod:`sema_ud.extraction`."""

    def __init__(
        self,
        language: str,
        provider: TreeProvider,
        *,
        heads: str = "clauses",
        participants: Collection[str] = PARTICIPANTS,
    ) -> None:
        """``language``: the code of the language whose tree rules apply (:func:`sema_ud.conventions.tree_rules`)."""
        self.options = ExtractionOptions(cast(Heads, heads), participants, tree_rules(language))
        self.provider = provider
        self.signature = f"ud({self.options.signature},{self.provider.signature})"

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        """One scene graph for each sentence; the graph's tokens are the sentence's, index for index."""
        return [extract_scenes(tree, self.options) for tree in self.provider.parse(sentences)]
