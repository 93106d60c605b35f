"""Moving a scene graph to other tokens."""

from __future__ import annotations

from collections.abc import Sequence

from sema.errors import InputError
from sema.model.scene_graph import SceneGraph
from sema.model.text import is_punctuation


def retokenized(graph: SceneGraph, tokens: Sequence[str]) -> SceneGraph:
    """The same graph over other tokens of the same characters (white space aside).

    A token takes the place of the first old token that it shares characters with, or of the first word among them if
    there is one. So a token merged from several old ones stands where the first word of them stood, and tokens split
    from one old token stand side by side; signs split from a word become punctuation. Units that lose their last token
    are removed. ``InputError`` if the characters differ.
    """
    if tuple(tokens) == graph.tokens:
        return graph
    marked = [number in graph.punctuation for number in range(len(graph.tokens))]
    old = [number for number, text in enumerate(graph.tokens) for _ in "".join(text.split())]
    given, parsed = ("".join("".join(words).split()) for words in (tokens, graph.tokens))
    if given != parsed:
        at = next(
            (i for i, (a, b) in enumerate(zip(given, parsed, strict=False)) if a != b), min(len(given), len(parsed))
        )
        raise InputError(f"the tokens differ: {given[at : at + 20]!r} is {parsed[at : at + 20]!r} in the scene graph")
    moved: dict[int, list[int]] = {}
    position = 0
    for number, text in enumerate(tokens):
        width = len("".join(text.split()))
        if width:
            place = min(old[position : position + width], key=lambda old_token: (marked[old_token], old_token))
            moved.setdefault(place, []).append(number)
        position += width
    marks = {new for number, group in moved.items() if marked[number] for new in group}
    for number, group in moved.items():
        signs = {new for new in group if is_punctuation(tokens[new])}
        if not marked[number] and len(signs) < len(group):
            marks |= signs
    other = SceneGraph(tokens, marks, root=graph.root)
    gone = {
        unit
        for unit in graph.units()
        if (below := graph.tokens_below(unit, remote=False, punctuation=True)) and not moved.keys() & set(below)
    }
    for unit in graph.units():
        if unit not in gone and unit != graph.root:
            other.add_unit(unit, implicit=unit in graph.implicit)
    for unit in graph.units():
        for child, categories, remote in graph.edges(unit):
            if isinstance(child, int):
                for token in moved.get(child, ()):
                    other.add_edge(unit, token)
            elif unit not in gone and child not in gone:
                other.add_edge(unit, child, *categories, remote=remote)
                other.extra[unit, child] |= graph.extra.get((unit, child), {})
    other.extra[None] |= graph.extra.get(None, {})
    return other
