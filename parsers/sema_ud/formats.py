"""CoNLL-U as a scene format of the engine (entry-point group ``sema.scene_formats``).

The extractor's option ``ud.heads`` also applies to given trees; ``conllu.heads`` and ``conll.heads`` apply only to
files with that suffix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from sema.files.scene_formats import SceneFormat
from sema.model.scene_graph import SceneGraph
from sema.options import family
from sema_ud.languages import HeadsOption
from sema_ud.trees import TreeRule, tree_rules


@cache
def _rules() -> Sequence[TreeRule]:
    """Looking for installed rules takes longer than reading a file."""
    return tree_rules(None)


@family("ud")
def conllu(*, heads: HeadsOption = "clauses") -> SceneFormat:
    """UD trees; each file is a passage. The rules of all installed languages normalize the trees first."""

    def read(path: Path) -> list[SceneGraph]:
        from sema_ud.conllu import read_trees
        from sema_ud.extraction import extract_scenes

        return [extract_scenes(tree, heads=heads, rules=_rules()) for tree in read_trees(path)]

    return SceneFormat(".conllu", "CoNLL-U", read)


@family("ud")
def conll(*, heads: HeadsOption = "clauses") -> SceneFormat:
    """The same under the older file name ending that LTP's and Baidu's tools write."""
    return replace(conllu(heads=heads), suffix=".conll", name="CoNLL")
