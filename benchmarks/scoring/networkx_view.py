"""What networkx graphs would cost: reading a sentence's Scenes from the table, and from networkx.

    python -m benchmarks.scoring.networkx_view

A scene graph is a table of units; ``SceneGraph.graph`` makes a networkx graph of it when a user asks. If extractors
returned networkx graphs, every sentence would pay for one.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from benchmarks.records import CommandLine, Figures, run
from benchmarks.sets import turkcorpus
from sema.languages import find_language
from sema.model.scene_graph import SceneGraph


def main(argv: Sequence[str] | None = None) -> None:
    """Print milliseconds for each sentence."""
    limit = 5 if CommandLine(__doc__).parse(argv).smoke else None
    parts = find_language("en").parts()
    sentences = [text.words for text in parts.segmenter.segment(turkcorpus("test")[0][:limit])]
    milliseconds: dict[str, float] = {}
    for title, through in (("Scenes from the table", False), ("through networkx", True)):
        graphs = parts.extractor.extract(sentences)
        start = time.perf_counter()
        for graph in graphs:
            read(graph, through)
        milliseconds[title] = 1000 * (time.perf_counter() - start) / len(graphs)
    table = Figures("scoring.networkx", "milliseconds for each sentence", digits=2, data="TurkCorpus test")
    for title, value in milliseconds.items():
        table.row(title, {"ms": value}, n=len(sentences))


def read(graph: SceneGraph, through: bool) -> None:
    """Read the Scenes, from a networkx graph if asked."""
    if through:
        _ = graph.graph
    graph.scenes()


if __name__ == "__main__":
    run(main)
