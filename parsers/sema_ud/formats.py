"""CoNLL-U as a scene format of the engine (entry-point group ``sema.scene_formats``)."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from sema.files.scene_formats import SceneFormat
from sema.languages import RunOptions
from sema.model.scene_graph import SceneGraph


def conllu(options: RunOptions) -> SceneFormat:
    """UD trees, a file a passage; Scenes are found by ``options.heads``."""
    from sema_ud.conllu import read_trees
    from sema_ud.extraction import ExtractionOptions, Heads, extract_scenes

    extraction = ExtractionOptions(heads=cast(Heads, options.heads))

    def read(path: Path) -> list[SceneGraph]:
        return [extract_scenes(tree, extraction) for tree in read_trees(path)]

    return SceneFormat(".conllu", "CoNLL-U", read)
