"""CoNLL-U as a scene format of the engine (entry-point group ``sema.scene_formats``)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from sema.files.scene_formats import SceneFormat
from sema.model.scene_graph import SceneGraph


def conllu(
    *, heads: Annotated[Literal["clauses", "root"], "a Scene for each clause, or one for each sentence"] = "clauses"
) -> SceneFormat:
    """UD trees; each file is a passage. The rules of all installed languages settle the trees before."""

    def read(path: Path) -> list[SceneGraph]:
        from sema_ud.conllu import read_trees
        from sema_ud.conventions import tree_rules
        from sema_ud.extraction import ExtractionOptions, extract_scenes

        options = ExtractionOptions(heads, rules=tree_rules(None))
        return [extract_scenes(tree, options) for tree in read_trees(path)]

    return SceneFormat(".conllu", "CoNLL-U", read)
