"""Constituents of a sentence by its scene graph: where a rule of several words may apply.

PPDB's rules have a syntactic category (Xu et al. 2016, Table 1), such as VP/PP: a verb phrase that lacks something. The
shipped parser has no phrase categories. Its units, and runs of neighbours below one unit, stand for them.
"""

from __future__ import annotations

from itertools import pairwise

from sema.model.scene_graph import SceneGraph


def constituents(graph: SceneGraph) -> set[tuple[int, int]]:
    """The stretches of tokens, start and end, that are units or neighbours below one unit; of one token or more."""
    spans: set[tuple[int, int]] = set()
    for unit in graph.units():
        pieces = sorted(
            (tokens[0], tokens[-1] + 1)
            for child, _, remote in graph.edges(unit)
            if not remote and (tokens := _tokens(graph, child)) and tokens[-1] - tokens[0] == len(tokens) - 1
        )
        for first, (start, end) in enumerate(pieces):
            spans.add((start, end))
            for (_, before), (after, last) in pairwise(pieces[first:]):
                if before != after:
                    break
                spans.add((start, last))
    return spans


def _tokens(graph: SceneGraph, child: str | int) -> tuple[int, ...]:
    if isinstance(child, int):
        return (child,)
    return tuple(graph.tokens_below(child, remote=False, punctuation=True))
