"""UCCA's files as a scene format of the engine (entry-point group ``sema.scene_formats``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sema.files.scene_formats import SceneFormat
from sema.model.scene_graph import PARALLEL_SCENE, SceneGraph
from sema_ucca.ucca_xml import read_passage, write_file
from sema_ucca.validity import valid_graph


def join_sentences(graphs: Sequence[SceneGraph]) -> SceneGraph:
    """One passage of several sentences, whose tokens follow one another.

    A sentence's parallel Scenes become the passage's; a root that is not built of parallel Scenes becomes one H unit of
    the passage, so that its children do not mix with other sentences' at the top.
    """
    if len(graphs) == 1:
        return graphs[0]
    marks = [index in graph.punctuation for graph in graphs for index in range(len(graph.tokens))]
    passage = SceneGraph(
        [word for graph in graphs for word in graph.tokens], {index for index, mark in enumerate(marks) if mark}
    )
    offset = 0
    for graph in graphs:
        names = {graph.root: passage.root}
        if not graph.children(graph.root, {PARALLEL_SCENE}):
            names[graph.root] = passage.add_child(passage.root, PARALLEL_SCENE)
        for unit in graph.units():
            if unit != graph.root:
                names[unit] = passage.add_unit(implicit=unit in graph.implicit)
        passage.add_edges_of(graph, names, offset)
        offset += len(graph.tokens)
    return passage


def ucca_xml() -> SceneFormat:
    """The format that TUPA and UCCAApp write; each file is one passage in one graph.

    UCCA's toolkit validates what is written: units of other parsers that break its rules are changed, so that their
    Scenes may read otherwise.
    """

    def write(graphs: Sequence[SceneGraph], path: Path) -> None:
        write_file(valid_graph(join_sentences(graphs)), path)

    return SceneFormat(".xml", "UCCA standard XML", lambda path: [read_passage(path)], write)
