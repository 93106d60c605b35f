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
from functools import lru_cache
from typing import NamedTuple

from sema.model.scene_graph import PUNCTUATION, TERMINAL, Node, SceneGraph

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
        below: set[int] = set()
        for child, _, remote in self.graph.edges(unit):
            if remote or child in self.yields or child in above:
                continue
            if isinstance(child, str):
                below |= self._measure(child, above | {unit})
            elif child in self.place:
                below.add(self.place[child])
        self.yields[unit] = frozenset(below)
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


Children = dict[Node, tuple[tuple[str, ...], bool]]
_TOKEN = ((TERMINAL,), False)
_MARK = ((PUNCTUATION,), False)


class Label(NamedTuple):
    """One unit's part of a label: its categories, and which earlier sibling it is a later piece of (0: none)."""

    name: str
    categories: tuple[str, ...]
    rank: int


@lru_cache(maxsize=4096)
def chain(label: str) -> tuple[Label, ...]:
    """The units of a span's label, from the outside in."""
    labels = []
    for part in label.split(CHAIN):
        name = part.rstrip(LATER)
        labels.append(Label(name, tuple(name.split(TOGETHER)), len(part) - len(name)))
    return tuple(labels)


@lru_cache(maxsize=1024)
def _name(number: int) -> str:
    return f"1.{number}"


def graph_of(tokens: Sequence[str], tree: Tree) -> SceneGraph:
    """The scene graph of a tree over a sentence's tokens; tokens that are not among its words are punctuation."""
    root = _name(1)
    below: dict[str, Children] = {root: {}}
    spans = sorted((start, -end, label) for (start, end), label in tree.spans.items())
    units: dict[tuple[int, int, int], str] = {}
    home = [root] * len(tokens)  # the lowest unit around a token
    high = [root] * len(tokens)  # the lowest one that has units below it
    stack: list[tuple[int, str]] = []
    for index, (start, minus, label) in enumerate(spans):
        end = -minus
        while stack and stack[-1][0] <= start:
            stack.pop()
        unit = stack[-1][1] if stack else root
        for level, part in enumerate(chain(label)):
            unit = units[start, end, level] = _piece(below, unit, part)
        stack.append((end, unit))
        first, last = tree.words[start], tree.words[end - 1] + 1
        home[first:last] = [unit] * (last - first)
        if index + 1 < len(spans) and spans[index + 1][0] < end:
            high[first:last] = [unit] * (last - first)
    words = set(tree.words)
    marks = [token for token in range(len(tokens)) if token not in words]
    for token in range(len(tokens)):
        if token in words:
            below[home[token]][token] = _TOKEN
        else:
            mark = _name(len(below) + 1)
            below[mark] = {token: _TOKEN}
            below[high[token]][mark] = _MARK
    for parent, child, label in tree.remotes:
        above, unit = units[parent], units[child]
        if above != unit and unit not in below[above]:
            below[above][unit] = (tuple(label.split(TOGETHER)), True)
    return SceneGraph.from_tables(tokens, marks, below)


def _piece(below: dict[str, Children], parent: str, label: Label) -> str:
    """The unit that a label stands for: a new child, or the earlier sibling that a later piece belongs to."""
    siblings = below[parent]
    if label.rank:
        earlier = [child for child, (categories, _) in siblings.items() if categories == label.categories]
        if earlier:
            return str(earlier[-min(label.rank, len(earlier))])
    unit = _name(len(below) + 1)
    below[unit] = {}
    siblings[unit] = (label.categories, False)
    return unit
