"""Scene graphs as constituency trees over words, and back.

A chart parser finds trees; a scene graph is more than one. The tree of a graph

* stands over the words alone: punctuation is left out, and put back under the lowest unit around it;
* names a unit by its categories (``A``, ``A|S`` for two, in alphabetical order);
* joins a unit and an only child of the same yield in one label (``H+P``), from the outside in;
* cuts a discontinuous unit in pieces; a later piece is marked (``C*``) and, on the way back, rejoined with the nearest
  earlier sibling of the same categories (``C**``: with the one before that, and so on);
* leaves out implicit units, which have no words, and lists remote edges beside the tree, by their units.

After Jiang et al. (SemEval 2019, section 3), but for the treatment of discontinuity.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sema.model.scene_graph import PUNCTUATION, SceneGraph

CHAIN = "+"
TOGETHER = "|"
LATER = "*"


class UnitRef(NamedTuple):
    """A unit of a tree: the span of its first piece (words, half-open) and its place in that span's chain."""

    start: int
    end: int
    level: int


class RemoteEdge(NamedTuple):
    """A remote edge between two units of a tree, with its categories as a label (``A``, ``A|S``)."""

    parent: UnitRef
    child: UnitRef
    label: str


@dataclass(frozen=True)
class Tree:
    """A labelled constituency tree: ``spans`` maps word spans to labels; ``words`` gives each word's token index."""

    words: tuple[int, ...]
    spans: dict[tuple[int, int], str]
    remotes: tuple[RemoteEdge, ...] = ()


def tree_of(graph: SceneGraph) -> Tree:
    """The tree of a scene graph."""
    return _Flattener(graph).tree()


class _Flattener:
    """Walks a graph from its root and collects spans."""

    def __init__(self, graph: SceneGraph) -> None:
        self.graph = graph
        self.words = tuple(i for i in range(len(graph.tokens)) if not graph.graph.nodes[i]["punctuation"])
        self.place = {token: place for place, token in enumerate(self.words)}
        self.yields: dict[str, frozenset[int]] = {}
        self.spans: dict[tuple[int, int], list[str]] = {}
        self.refs: dict[str, UnitRef] = {}

    def tree(self) -> Tree:
        self._measure(self.graph.root, set())
        self._place(self.graph.root, (0, len(self.words)))
        return Tree(
            self.words,
            {span: CHAIN.join(labels) for span, labels in self.spans.items()},
            tuple(sorted(self._remotes())),
        )

    def _measure(self, unit: str, above: set[str]) -> frozenset[int]:
        """A unit's words over primary edges; of several primary parents a unit belongs to the first that reaches it."""
        found: set[int] = set()
        for child, _, remote in self.graph.edges(unit):
            if remote or child in self.yields or child in above:
                continue
            if isinstance(child, str):
                found |= self._measure(child, above | {unit})
            elif child in self.place:
                found.add(self.place[child])
        self.yields[unit] = frozenset(found)
        return self.yields[unit]

    def _place(self, unit: str, piece: tuple[int, int]) -> None:
        """Record the children's pieces that lie in one piece of a unit."""
        for child, categories, remote in self.graph.edges(unit):
            if remote or not isinstance(child, str) or PUNCTUATION in categories:
                continue
            label = TOGETHER.join(sorted(categories))
            inside = sorted(word for word in self.yields.get(child, ()) if piece[0] <= word < piece[1])
            for span in _runs(inside):
                chain = self.spans.setdefault(span, [])
                if child in self.refs:
                    chain.append(label + LATER * self._rank(unit, child, label, span[0]))
                else:
                    self.refs[child] = UnitRef(*span, len(chain))
                    chain.append(label)
                self._place(child, span)

    def _rank(self, unit: str, child: str, label: str, start: int) -> int:
        """How many children with the child's categories begin between it (included) and its piece at ``start``."""
        begins = [
            min(self.yields[other])
            for other, categories, remote in self.graph.edges(unit)
            if not remote
            and isinstance(other, str)
            and TOGETHER.join(sorted(categories)) == label
            and self.yields.get(other)
        ]
        return sum(min(self.yields[child]) <= begin < start for begin in begins)

    def _remotes(self) -> Iterator[RemoteEdge]:
        for unit, parent in self.refs.items():
            for child, categories, remote in self.graph.edges(unit):
                if remote and isinstance(child, str) and child in self.refs:
                    yield RemoteEdge(parent, self.refs[child], TOGETHER.join(sorted(categories)))


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The maximal contiguous runs of ascending numbers, half-open."""
    start = 0
    for index in range(1, len(places) + 1):
        if index == len(places) or places[index] != places[index - 1] + 1:
            yield places[start], places[index - 1] + 1
            start = index


def graph_of(tokens: Sequence[str], tree: Tree) -> SceneGraph:
    """The scene graph of a tree over a sentence's tokens; tokens that are not among its words are punctuation."""
    words = set(tree.words)
    graph = SceneGraph(tokens, [index for index in range(len(tokens)) if index not in words])
    spans = sorted(tree.spans, key=lambda span: (span[0], -span[1]))
    units: dict[UnitRef, str] = {}
    home = [graph.root] * len(tokens)  # the lowest unit around a token
    high = [graph.root] * len(tokens)  # the lowest one that has units below it
    stack: list[tuple[int, str]] = []
    for index, (start, end) in enumerate(spans):
        while stack and stack[-1][0] <= start:
            stack.pop()
        unit = stack[-1][1] if stack else graph.root
        for level, label in enumerate(tree.spans[start, end].split(CHAIN)):
            unit = units[UnitRef(start, end, level)] = _piece(graph, unit, label)
        stack.append((end, unit))
        reach = range(tree.words[start], tree.words[end - 1] + 1)
        home[reach.start : reach.stop] = [unit] * len(reach)
        if index + 1 < len(spans) and spans[index + 1][0] < end:
            high[reach.start : reach.stop] = [unit] * len(reach)
    for token in range(len(tokens)):
        if token in words:
            graph.add_edge(home[token], token)
        else:
            graph.add_child(high[token], PUNCTUATION, tokens=(token,))
    for parent, child, label in tree.remotes:
        above, below = units[parent], units[child]
        if above != below and not graph.graph.has_edge(above, below):
            graph.add_edge(above, below, *label.split(TOGETHER), remote=True)
    return graph


def _piece(graph: SceneGraph, parent: str, label: str) -> str:
    """The unit that a label stands for: a new child, or the earlier sibling that a later piece belongs to."""
    name = label.rstrip(LATER)
    categories = tuple(name.split(TOGETHER))
    rank = len(label) - len(name)
    if rank:
        earlier = [child for child, found, _ in graph.edges(parent) if found == categories and isinstance(child, str)]
        if earlier:
            return earlier[-min(rank, len(earlier))]
    return graph.add_child(parent, *categories)
