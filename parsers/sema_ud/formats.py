"""CoNLL-U as a scene format of the engine (entry-point group ``sema.scene_formats``).

The extractor's option ``ud.heads`` also applies to given trees; ``conllu.heads`` and ``conll.heads`` apply only to
files with that suffix.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sema.files.scene_formats import SceneFormat
from sema.model.scene_graph import SceneGraph
from sema.options import family
from sema_ud.languages import HeadsOption


@family("ud")
def conllu(*, heads: HeadsOption = "clauses") -> SceneFormat:
    """UD trees, or trees with the labels of LTP and Baidu; each file is a passage."""

    def read(path: Path) -> list[SceneGraph]:
        from sema_ud.conllu import read_trees
        from sema_ud.extraction import extract_scenes

        return [extract_scenes(tree, heads=heads) for tree in read_trees(path)]

    return SceneFormat(".conllu", "CoNLL-U", read)


@family("ud")
def conll(*, heads: HeadsOption = "clauses") -> SceneFormat:
    """The same under the older file name ending that LTP's and Baidu's tools write."""
    return replace(conllu(heads=heads), suffix=".conll", name="CoNLL")
