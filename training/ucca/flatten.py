"""Scene graphs as the constituency trees that the parser learns (:mod:`sema_ucca.trees`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sema_ucca.trees import CHAIN, LATER, TOGETHER, RemoteEdge, Tree, UnitRef

from sema.model.scene_graph import PUNCTUATION, SceneGraph


def tree_of(graph: SceneGraph) -> Tree:
    """The tree of a scene graph."""
    return _Flattener(graph).tree()


class _Flattener:
    """Walks a graph from its root and collects spans."""

    def __init__(self, graph: SceneGraph) -> None:
        self.graph = graph
        self.words = tuple(token for token in range(len(graph.tokens)) if token not in graph.punctuation)
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
        """A unit's words over primary edges; with several primary parents, a unit belongs to the first to reach it."""
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
