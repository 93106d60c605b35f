"""The scene graph: a ``networkx`` schema for UCCA-style structures, and the Scene views that metrics read.

Schema (one graph holds one sentence, or one passage as annotated):

* a leaf is a token: its node is the token's index (``int``), with attributes ``text`` and ``punctuation``;
* a unit is any other node (``str``), with attribute ``implicit`` (an omitted unit that has no token);
* an edge runs from a unit to a child, with ``categories`` (a non-empty tuple of UCCA category abbreviations, or
  ``(TERMINAL,)`` when the child is a leaf) and ``remote``.

UCCA: Abend and Rappoport (ACL 2013); minimal centers and Scenes as SAMSA reads them: Sulem et al. (NAACL 2018),
section 4.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import networkx as nx

from sema.model.text import is_punctuation

TERMINAL = "Terminal"
PUNCTUATION = "U"
MAIN_RELATIONS = frozenset({"P", "S"})
PARTICIPANT = "A"
CENTER = "C"
PARALLEL_SCENE = "H"
CATEGORIES = {
    "H": "Parallel Scene",
    "P": "Process",
    "S": "State",
    "A": "Participant",
    "D": "Adverbial",
    "C": "Center",
    "E": "Elaborator",
    "N": "Connector",
    "R": "Relator",
    "F": "Function",
    "G": "Ground",
    "L": "Linker",
    "T": "Time",
    "Q": "Quantifier",
    "U": "Punctuation",
}

Node = str | int
"""A node of a scene graph: a unit's name, or a token's index."""

Center = tuple[int, ...]
"""A minimal center: the indexes of its non-punctuation tokens, ascending."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What a metric needs of one Scene: token indexes only.

    ``main_relation`` and each entry of ``participants`` are minimal centers; an empty tuple is an implicit unit.
    ``leaves`` are the Scene's tokens, remote ones included and punctuation left out, ascending.
    """

    main_relation: tuple[Center, ...]
    participants: tuple[tuple[Center, ...], ...]
    leaves: tuple[int, ...]

    def shifted(self, offset: int) -> Scene:
        """The same Scene with ``offset`` added to every token index."""
        if not offset:
            return self

        def move(centers: tuple[Center, ...]) -> tuple[Center, ...]:
            return tuple(tuple(token + offset for token in center) for center in centers)

        return Scene(
            move(self.main_relation),
            tuple(move(centers) for centers in self.participants),
            tuple(token + offset for token in self.leaves),
        )

    @property
    def tokens(self) -> set[int]:
        """All tokens that it speaks of: its leaves, and those of its minimal centers."""
        units = (self.main_relation, *self.participants)
        return {*self.leaves, *(token for centers in units for center in centers for token in center)}

    def to_dict(self) -> dict[str, Any]:
        """The shape that ``sema scenes`` prints."""
        return {
            "main_relation": [list(center) for center in self.main_relation],
            "participants": [[list(center) for center in centers] for centers in self.participants],
            "leaves": list(self.leaves),
        }


Attributes = dict[str, Any]


class SceneGraph:
    """A directed graph of units over tokens, with UCCA categories on its edges (schema: see the module).

    The graph itself is :attr:`graph`. It is made when somebody first asks for it: Scenes are read off plain tables,
    which take less time to fill and to walk.
    """

    def __init__(
        self, tokens: Sequence[str], punctuation: Collection[int] | None = None, *, root: str | None = None
    ) -> None:
        """Start a graph of ``tokens``; ``punctuation`` holds the indexes of punctuation tokens (default: by character).

        ``root`` names the root unit (default: a made-up name).
        """
        self.tokens: tuple[str, ...] = tuple(tokens)
        self._graph: nx.DiGraph[Node] | None = None
        self._nodes: dict[Node, Attributes] = {}
        self._below: dict[Node, dict[Node, Attributes]] = {}
        for index, text in enumerate(self.tokens):
            mark = is_punctuation(text) if punctuation is None else index in punctuation
            self._nodes[index] = {"text": text, "punctuation": mark}
            self._below[index] = {}
        self.root: str = self.add_unit(root)

    @property
    def graph(self) -> nx.DiGraph[Node]:
        """The graph, to read and to change."""
        if self._graph is None:
            graph: nx.DiGraph[Node] = nx.DiGraph()
            graph.add_nodes_from(self._nodes.items())
            graph.add_edges_from((u, v, data) for u, children in self._below.items() for v, data in children.items())
            # From here on the graph is what there is, and the tables are its own: networkx's views of them cost several
            # times the walk itself, and every Scene is walked many times.
            self._graph, self._nodes, self._below = graph, graph._node, graph._adj  # type: ignore[attr-defined]
        return self._graph

    def add_unit(self, name: str | None = None, *, implicit: bool = False) -> str:
        """Add a unit and return its node; the name is made up when none is given."""
        if name is None:
            number = len(self._nodes) - len(self.tokens) + 1
            while f"1.{number}" in self._nodes:  # a graph read from a file brings names of its own
                number += 1
            name = f"1.{number}"
        if name in self._nodes:
            raise ValueError(f"the scene graph already has a unit {name!r}")
        if self._graph is not None:
            self._graph.add_node(name, implicit=implicit)
        else:
            self._nodes[name], self._below[name] = {"implicit": implicit}, {}
        return name

    def add_edge(self, parent: str, child: str | int, *categories: str, remote: bool = False) -> None:
        """Link ``parent`` to a unit under UCCA ``categories``, or to a token (``int``) as a terminal (no category)."""
        if isinstance(child, int):
            if categories:
                raise ValueError(f"a token takes no category: put a unit between {parent!r} and token {child}")
            categories = (TERMINAL,)
        elif not categories:
            raise ValueError(f"the edge {parent!r} -> {child!r} needs a category")
        if parent not in self._nodes or child not in self._nodes:
            raise ValueError(f"the edge {parent!r} -> {child!r} names a node that the graph lacks")
        if child in self._below[parent]:
            raise ValueError(f"the scene graph already has an edge {parent!r} -> {child!r}")
        if self._graph is not None:
            self._graph.add_edge(parent, child, categories=categories, remote=remote)
        else:
            self._below[parent][child] = {"categories": categories, "remote": remote}

    def add_child(self, parent: str, *categories: str, tokens: Iterable[int] = (), implicit: bool = False) -> str:
        """Add a unit below ``parent`` with ``tokens`` as its terminals; returns the unit."""
        unit = self.add_unit(implicit=implicit)
        self.add_edge(parent, unit, *categories)
        for token in tokens:
            self.add_edge(unit, token)
        return unit

    def edges(self, unit: str) -> Iterator[tuple[str | int, tuple[str, ...], bool]]:
        """The children of a unit in the order they were added: (child, categories, remote)."""
        for child, data in self._below[unit].items():
            yield child, data["categories"], data["remote"]

    def children(self, unit: str, categories: Set[str]) -> list[str]:
        """The child units, remote ones included, that stand under ``unit`` by any of ``categories``."""
        return [
            child
            for child, data in self._below[unit].items()
            if isinstance(child, str) and not categories.isdisjoint(data["categories"])
        ]

    def units(self) -> list[str]:
        """All units, the root first, in the order they were added."""
        return [node for node in self._nodes if isinstance(node, str)]

    def tokens_below(self, unit: str, *, remote: bool = True, punctuation: bool = False) -> tuple[int, ...]:
        """The token indexes under ``unit``, ascending; with ``remote`` those reached over remote edges too."""
        nodes, below = self._nodes, self._below
        found: set[int] = set()
        seen = {unit}
        stack = [unit]
        while stack:
            for child, data in below[stack.pop()].items():
                if data["remote"] and not remote:
                    continue
                if isinstance(child, int):
                    if punctuation or not nodes[child]["punctuation"]:
                        found.add(child)
                elif child not in seen:
                    seen.add(child)
                    stack.append(child)
        return tuple(sorted(found))

    def is_scene(self, unit: str) -> bool:
        """Whether the unit has a child of category P or S."""
        return any(not MAIN_RELATIONS.isdisjoint(data["categories"]) for data in self._below[unit].values())

    def minimal_centers(self, unit: str) -> tuple[Center, ...]:
        """The minimal centers of a unit (SAMSA, section 4.2), in the order of their first tokens; none if implicit.

        C children are followed down, all of them. A Scene stands for its main relation, a unit of parallel Scenes
        for all of them.
        """
        return self._centers([unit], set())

    def _centers(self, units: list[str], seen: set[str]) -> tuple[Center, ...]:
        """The minimal centers of several units together; what ``seen`` holds is not entered."""
        found: set[Center] = set()
        stack = list(units)
        while stack:
            unit = stack.pop()
            if unit in seen:  # remote edges make units meet, and may lead back to where we came from
                continue
            seen.add(unit)
            for categories in (MAIN_RELATIONS, {PARALLEL_SCENE}, {CENTER}):
                followed = self.children(unit, categories)
                if followed:
                    stack += followed
                    break
            else:
                tokens = self.tokens_below(unit)
                if tokens:
                    found.add(tokens)
        return tuple(sorted(found))

    def scene_units(self) -> list[str]:
        """The units that are Scenes, in matching order: by first token of the primary yield, outer before inner."""
        scenes = [unit for unit in self.units() if self.is_scene(unit)]
        depth = self._depths()

        def order(unit: str) -> tuple[int, int, int]:
            primary = self.tokens_below(unit, remote=False) or self.tokens_below(unit)
            first = primary[0] if primary else len(self.tokens)
            return first, depth.get(unit, 0), -len(primary)

        return sorted(scenes, key=order)

    def _depths(self) -> dict[str, int]:
        """Each unit's distance from the root over primary edges, of which a unit has one at most above it."""
        depths = {self.root: 0}
        stack = [self.root]
        while stack:
            node = stack.pop()
            for child, _, remote in self.edges(node):
                if isinstance(child, str) and not remote and child not in depths:
                    depths[child] = depths[node] + 1
                    stack.append(child)
        return depths

    def scene(self, unit: str) -> Scene:
        """The Scene view of a unit that is one."""
        relation = self._centers(self.children(unit, MAIN_RELATIONS), {unit})
        participants = tuple(self._centers([child], {unit}) for child in self.children(unit, {PARTICIPANT}))
        return Scene(relation, participants, self.tokens_below(unit))

    def scenes(self) -> list[Scene]:
        """All Scenes as views, in matching order."""
        return [self.scene(unit) for unit in self.scene_units()]

    def root_scene(self) -> Scene:
        """The stand-in for a source without a Scene: the root's minimal centers as main relation, no Participant."""
        words = tuple(token for token in range(len(self.tokens)) if not self._nodes[token]["punctuation"])
        everything = words or tuple(range(len(self.tokens)))
        leaves = self.tokens_below(self.root) or everything
        return Scene(self.minimal_centers(self.root) or (everything,), (), leaves)

    @classmethod
    def join(cls, graphs: Sequence[SceneGraph]) -> SceneGraph:
        """One graph of consecutive stretches of a text, their roots below a root of its own (a single one: itself).

        For pictures: the root of several is no unit of UCCA, and its edges are of category H.
        """
        if len(graphs) == 1:
            return graphs[0]
        joined = cls([token for graph in graphs for token in graph.tokens])
        offset = 0
        for graph in graphs:
            names = {unit: joined.add_unit() for unit in graph.units()}
            joined.add_edge(joined.root, names[graph.root], PARALLEL_SCENE)
            for unit in graph.units():
                for child, categories, remote in graph.edges(unit):
                    if isinstance(child, int):
                        joined.add_edge(names[unit], child + offset)
                    else:
                        joined.add_edge(names[unit], names[child], *categories, remote=remote)
            offset += len(graph.tokens)
        return joined

    def to_svg(self, *, styled: bool = True) -> str:
        """The graph as a picture; ``styled=False`` leaves the colours to the page that shows it."""
        from sema.drawing.trees import Edge, tree_svg

        edges = [
            Edge(unit, child, () if isinstance(child, int) else categories, remote)
            for unit in self.units()
            for child, categories, remote in self.edges(unit)
        ]
        return tree_svg(self.tokens, self.root, edges, names=CATEGORIES, styled=styled)

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _repr_html_(self) -> str:
        return f'<div style="overflow-x:auto">{self.to_svg()}</div>'


@runtime_checkable
class SceneExtractor(Protocol):
    """Turns tokenized sentences into scene graphs."""

    @property
    def signature(self) -> str:
        """Name, version and the model's hash, for the result's signature."""
        ...

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        """One scene graph for each sentence; the graph's tokens are the sentence's, index for index."""
        ...
