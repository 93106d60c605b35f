"""UCCA English Wiki as sentence graphs, cut by the annotation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise

from sema_ucca.ucca_xml import read_passage

from sema.datasets.folder import data_folder
from sema.model.scene_graph import PARALLEL_SCENE, SceneGraph
from training.ucca.passages import split_passage

FINAL_MARKS = frozenset({".", "!", "?", "...", "…"})
CLOSING_MARKS = frozenset({")", "]", "}", "”", "’", "''"})
QUOTE = '"'
LINKER = "L"


def annotated_sentences(graph: SceneGraph) -> list[tuple[int, int]]:
    """The sentences of a passage (half-open token ranges): a final mark ends one where the annotation lets it.

    No unit has words on both sides of a boundary, except one that spans sentences itself: a unit (a quotation, say)
    with a parallel Scene that ends at the mark and another that begins after it with a capital letter. The points in
    *Warner Bros. purchased* and *3.5 million* end nothing: the unit that goes on there is not a series of Scenes.
    """
    spans, begin = [], 0
    words = [token for token in range(len(graph.tokens)) if not graph.graph.nodes[token]["punctuation"]]
    yields = {unit: graph.tokens_below(unit, remote=False) for unit in graph.units() if unit != graph.root}
    extents = {unit: (min(tokens), max(tokens)) for unit, tokens in yields.items() if tokens}
    for before, after in pairwise(words):
        marks = [index for index in range(before, after) if graph.tokens[index] in FINAL_MARKS]
        if marks and _may_end(graph, extents, before, after):
            end = _behind(graph, begin, marks[-1] + 1, after)
            spans.append((begin, end))
            begin = end
    return [*spans, (begin, len(graph.tokens))] if begin < len(graph.tokens) else spans


def _may_end(graph: SceneGraph, extents: dict[str, tuple[int, int]], before: int, after: int) -> bool:
    across = [unit for unit, (first, last) in extents.items() if first <= before and after <= last]
    if not across:
        return True
    if not graph.tokens[after][:1].isupper():
        return False
    lowest = min(across, key=lambda unit: (extents[unit][1] - extents[unit][0], -across.index(unit)))
    children = [
        (extents[child], categories)
        for child, categories, remote in graph.edges(lowest)
        if not remote and child in extents and isinstance(child, str)
    ]
    ends = any(last == before and PARALLEL_SCENE in categories for (_, last), categories in children)
    begins = any(first == after and {PARALLEL_SCENE, LINKER} & set(categories) for (first, _), categories in children)
    return ends and begins


def _behind(graph: SceneGraph, begin: int, end: int, most: int) -> int:
    """The end of a sentence with its final mark before ``end``: after the marks that close what it opened."""
    while end < most:
        mark = graph.tokens[end]
        closes = mark == QUOTE and graph.tokens[begin:end].count(QUOTE) % 2 == 1
        if not closes and mark not in CLOSING_MARKS:
            break
        end += 1
    return end


def wiki_passages(part: str) -> Iterator[SceneGraph]:
    """The passages of ``train`` or ``dev``, as SemEval 2019 Task 1 split them."""
    folder = data_folder("ucca", "english-wiki")
    for number in json.loads((folder / "split.json").read_text(encoding="utf-8"))[part]:
        yield read_passage(folder / "xml" / f"ucca_passage{number}.xml")


def wiki_graphs(part: str) -> list[SceneGraph]:
    """The sentence graphs of ``train`` or ``dev``, in the order of the split."""
    return [
        sentence for passage in wiki_passages(part) for sentence in split_passage(passage, annotated_sentences(passage))
    ]
