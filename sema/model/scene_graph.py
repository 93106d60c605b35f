"""The scene graph: a table of units, its view as a ``networkx`` graph, and Scenes as metrics read them.

Parsers fill the table, and metrics read Scenes from it. Scoring builds no ``networkx`` graph, which would cost more for
each sentence than reading its Scenes (``benchmarks/results/finished.md``); :attr:`SceneGraph.graph` is that view.

Schema of the ``networkx`` graph (one graph holds one sentence, or one passage as annotated):

* a leaf is a token: its node is the token's index (``int``), with attributes ``text`` and ``punctuation``;
* a unit is any other node (``str``), with attribute ``implicit`` (an omitted unit that has no token);
* an edge runs from a unit to a child, with ``categories`` (a non-empty tuple of UCCA category abbreviations, or
  ``(TERMINAL,)`` when the child is a leaf) and ``remote``.

UCCA: Abend and Rappoport (ACL 2013); minimal centers and Scenes as SAMSA reads them: Sulem et al. (NAACL 2018),
section 4.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from sema.model.pictures import Pictured
from sema.model.text import Signed, is_punctuation

if TYPE_CHECKING:
    import networkx as nx

MAIN_RELATIONS = frozenset({"P", "S"})
PARTICIPANT = "A"
CENTER = "C"
PARALLEL_SCENE = "H"
PUNCTUATION = "U"
TERMINAL = "Terminal"
CATEGORIES = {
    "H": "Parallel Scene", "P": "Process", "S": "State", "A": "Participant", "D": "Adverbial", "C": "Center",
    "E": "Elaborator", "N": "Connector", "R": "Relator", "F": "Function", "G": "Ground", "L": "Linker", "T": "Time",
    "Q": "Quantifier", "U": "Punctuation",
}  # fmt: skip

Node = str | int
"""A node of a scene graph: a unit's name, or a token's index."""

Table = dict[str, dict[Node, tuple[tuple[str, ...], bool]]]
"""Every unit, the root first, with its children: their categories (``(TERMINAL,)`` for a token), and whether the edge
is remote."""

Center = tuple[int, ...]
"""A minimal center: the indexes of its non-punctuation tokens, ascending."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One Scene as metrics read it: token indexes only.

    ``main_relation`` and each entry of ``participants`` are minimal centers; an empty tuple is an implicit unit. A
    Participant that several edges lead to appears once.
    ``leaves`` are the Scene's tokens, remote ones included and punctuation left out, ascending; ``own_leaves`` are
    those outside its nested Scenes (empty if not computed).
    """

    main_relation: tuple[Center, ...]
    participants: tuple[tuple[Center, ...], ...]
    leaves: tuple[int, ...]
    own_leaves: tuple[int, ...] = field(default=(), compare=False)

    def shifted(self, offset: int) -> Scene:
        """The same Scene with ``offset`` added to every token index."""
        if not offset:
            return self

        def move(center: Center) -> Center:
            return tuple(token + offset for token in center)

        return Scene(
            tuple(map(move, self.main_relation)),
            tuple(tuple(map(move, centers)) for centers in self.participants),
            move(self.leaves),
            move(self.own_leaves),
        )

    def to_dict(self) -> dict[str, Any]:
        """The shape that ``sema scenes`` prints."""
        return {
            "main_relation": [list(center) for center in self.main_relation],
            "participants": [[list(center) for center in centers] for centers in self.participants],
            "leaves": list(self.leaves),
        }


class SceneGraph(Pictured):
    """A directed graph of units over tokens, with UCCA categories on its edges (schema: see the module).

    Attributes:
        tokens: the tokens' texts.
        punctuation: the indexes of punctuation tokens.
        root: the root unit.
        implicit: the units that are implicit.
        extra: what a file says besides, by token, unit or edge (unit, child), or for the whole graph (``None``).
    """

    def __init__(
        self, tokens: Sequence[str], punctuation: Collection[int] | None = None, *, root: str | None = None
    ) -> None:
        """``punctuation`` has the indexes of punctuation tokens (default: by character), ``root`` the root's name."""
        if punctuation is None:
            punctuation = [index for index, text in enumerate(tokens) if is_punctuation(text)]
        self.tokens: tuple[str, ...] = tuple(tokens)
        self.punctuation: frozenset[int] = frozenset(punctuation)
        self.implicit: set[str] = set()
        self.extra: defaultdict[Node | tuple[str, Node] | None, dict[str, Any]] = defaultdict(dict)
        self._table: Table = {}
        self._scenes: dict[str, Scene] | None = None
        self.root: str = self.add_unit(root)

    @classmethod
    def from_tables(
        cls, tokens: Sequence[str], punctuation: Collection[int], below: Table, *, implicit: Collection[str] = ()
    ) -> SceneGraph:
        """A graph from ready-made tables, used without checks: for parsers, whose graphs are always valid."""
        graph = cls(tokens, punctuation, root=next(iter(below)))
        graph._table = below
        graph.implicit.update(implicit)
        return graph

    @property
    def graph(self) -> nx.DiGraph[Node]:
        """The graph as networkx has it, made from the table at each access; it cannot be changed."""
        import networkx as nx

        extra = self.extra.get
        graph: nx.DiGraph[Node] = nx.DiGraph(**extra(None, {}))
        for index, text in enumerate(self.tokens):
            graph.add_node(index, text=text, punctuation=index in self.punctuation, **extra(index, {}))
        for unit in self._table:
            graph.add_node(unit, implicit=unit in self.implicit, **extra(unit, {}))
        for unit, children in self._table.items():
            for child, (categories, remote) in children.items():
                graph.add_edge(unit, child, categories=categories, remote=remote, **extra((unit, child), {}))
        nx.freeze(graph)
        return graph

    def add_unit(self, name: str | None = None, *, implicit: bool = False) -> str:
        """Add a unit and return its node; the name is made up when none is given."""
        if name is None:
            number = len(self._table) + 1
            while f"1.{number}" in self._table:  # a graph read from a file brings names of its own
                number += 1
            name = f"1.{number}"
        if name in self._table:
            raise ValueError(f"the scene graph already has a unit {name!r}")
        self._table[name], self._scenes = {}, None
        if implicit:
            self.implicit.add(name)
        return name

    def add_edge(self, parent: str, child: str | int, *categories: str, remote: bool = False) -> None:
        """Link ``parent`` to a unit under UCCA ``categories``, or to a token (``int``) as a terminal (no category)."""
        known: Collection[Node] = self._table
        if isinstance(child, int):
            if categories:
                raise ValueError(f"a token takes no category: put a unit between {parent!r} and token {child}")
            known, categories = range(len(self.tokens)), (TERMINAL,)
        elif not categories:
            raise ValueError(f"the edge {parent!r} -> {child!r} needs a category")
        if parent not in self._table or child not in known:
            raise ValueError(f"the edge {parent!r} -> {child!r} names a node that the graph lacks")
        if self.has_edge(parent, child):
            raise ValueError(f"the scene graph already has an edge {parent!r} -> {child!r}")
        self._table[parent][child], self._scenes = (categories, remote), None

    def add_child(self, parent: str, *categories: str, tokens: Iterable[int] = (), implicit: bool = False) -> str:
        """Add a unit below ``parent`` with ``tokens`` as its terminals; returns the unit."""
        unit = self.add_unit(implicit=implicit)
        self.add_edge(parent, unit, *categories)
        for token in tokens:
            self.add_edge(unit, token)
        return unit

    def has_unit(self, name: str) -> bool:
        """Whether the graph has a unit of that name."""
        return name in self._table

    def has_edge(self, parent: str, child: Node) -> bool:
        """Whether the graph has the edge."""
        return child in self._table[parent]

    def edges(self, unit: str) -> Iterator[tuple[str | int, tuple[str, ...], bool]]:
        """The children of a unit in the order they were added: (child, categories, remote)."""
        for child, (categories, remote) in self._table[unit].items():
            yield child, categories, remote

    def children(self, unit: str, categories: Set[str]) -> list[str]:
        """The child units of ``unit``, remote ones included, whose edges have any of ``categories``."""
        return [
            child
            for child, (labels, _) in self._table[unit].items()
            if isinstance(child, str) and not categories.isdisjoint(labels)
        ]

    def units(self) -> list[str]:
        """All units, the root first, in the order they were added."""
        return list(self._table)

    def tokens_below(self, unit: str, *, remote: bool = True, punctuation: bool = False) -> tuple[int, ...]:
        """The token indexes under ``unit``, ascending; with ``remote`` those reached over remote edges too."""
        marks: Collection[int] = () if punctuation else self.punctuation
        tokens: set[int] = set()
        seen = {unit}
        stack = [unit]
        while stack:
            for child, (_, is_remote) in self._table[stack.pop()].items():
                if is_remote and not remote:
                    continue
                if isinstance(child, int):
                    if child not in marks:
                        tokens.add(child)
                elif child not in seen:
                    seen.add(child)
                    stack.append(child)
        return tuple(sorted(tokens))

    def is_scene(self, unit: str) -> bool:
        """Whether the unit has a child of category P or S."""
        return any(not MAIN_RELATIONS.isdisjoint(categories) for categories, _ in self._table[unit].values())

    def minimal_centers(self, unit: str) -> tuple[Center, ...]:
        """The minimal centers of a unit (SAMSA, section 4.2), by first token, over all C children; none if implicit."""
        return self._centers([unit], set())

    def _centers(self, units: Iterable[str], seen: set[str]) -> tuple[Center, ...]:
        """The minimal centers of several units together; units in ``seen`` are skipped."""
        centers: set[Center] = set()
        stack = list(units)
        while stack:
            unit = stack.pop()
            if unit in seen:  # remote edges join paths and may form cycles
                continue
            seen.add(unit)
            heads = (self.children(unit, kinds) for kinds in (MAIN_RELATIONS, {PARALLEL_SCENE}, {CENTER}))
            if followed := next(filter(None, heads), None):
                stack += followed
            elif tokens := self.tokens_below(unit):
                centers.add(tokens)
        return tuple(sorted(centers))

    def scene_units(self) -> list[str]:
        """The units that are Scenes, in matching order: by first token of the primary yield, outer before inner."""
        return list(self._known_scenes())

    def _known_scenes(self) -> dict[str, Scene]:
        """The Scenes by their units, found once until the graph changes."""
        if self._scenes is None:
            self._scenes = {unit: self.scene(unit) for unit in self._ordered_scene_units()}
        return self._scenes

    def _ordered_scene_units(self) -> list[str]:
        depths = {self.root: 0}
        stack = [self.root]
        while stack:  # over primary edges; a unit has at most one such parent
            unit = stack.pop()
            new = [child for child in self._primary(unit) if child not in depths]
            depths.update(dict.fromkeys(new, depths[unit] + 1))
            stack += new

        def order(unit: str) -> tuple[int, int, int]:
            tokens = self.tokens_below(unit, remote=False) or self.tokens_below(unit)
            return tokens[0] if tokens else len(self.tokens), depths.get(unit, 0), -len(tokens)

        return sorted(filter(self.is_scene, self._table), key=order)

    def _primary(self, unit: str) -> Iterator[str]:
        """The child units over primary edges."""
        return (child for child, (_, remote) in self._table[unit].items() if isinstance(child, str) and not remote)

    def scene(self, unit: str) -> Scene:
        """The Scene view of a unit that is one."""
        relation = self._centers(self.children(unit, MAIN_RELATIONS), {unit})
        participants = [self._centers([child], {unit}) for child in self.children(unit, {PARTICIPANT})]
        leaves = self.tokens_below(unit)
        own, stack = set(leaves), list(self._primary(unit))
        while stack:
            child = stack.pop()
            if self.is_scene(child):
                own.difference_update(self.tokens_below(child, remote=False))
            else:
                stack += self._primary(child)
        return Scene(relation, _once(participants), leaves, tuple(sorted(own)))

    def scenes(self) -> list[Scene]:
        """All Scenes as views, in matching order."""
        return list(self._known_scenes().values())

    def root_scene(self) -> Scene:
        """The stand-in for a source without a Scene: the root's minimal centers as main relation, no Participant."""
        every = range(len(self.tokens))
        words = tuple(token for token in every if token not in self.punctuation) or tuple(every)
        return Scene(self.minimal_centers(self.root) or (words,), (), self.tokens_below(self.root) or words)

    def add_edges_of(self, graph: SceneGraph, names: Mapping[str, str], offset: int) -> None:
        """Add the edges of another graph: its units have other ``names`` here, its tokens come ``offset`` later."""
        for unit in graph.units():
            for child, categories, remote in graph.edges(unit):
                if isinstance(child, int):
                    self.add_edge(names[unit], child + offset)
                else:
                    self.add_edge(names[unit], names[child], *categories, remote=remote)

    @classmethod
    def join(cls, graphs: Sequence[SceneGraph]) -> SceneGraph:
        """One graph from those of consecutive stretches of a text, their roots below a new root (a single one: itself).

        For pictures: the new root is not a UCCA unit, and its edges are of category H.
        """
        if len(graphs) == 1:
            return graphs[0]
        joined = cls([token for graph in graphs for token in graph.tokens])
        offset = 0
        for graph in graphs:
            names = {unit: joined.add_unit() for unit in graph.units()}
            joined.add_edge(joined.root, names[graph.root], PARALLEL_SCENE)
            joined.add_edges_of(graph, names, offset)
            offset += len(graph.tokens)
        return joined


@runtime_checkable
class SceneExtractor(Signed, Protocol):
    """Turns tokenized sentences into scene graphs."""

    def extract(self, sentences: Sequence[Sequence[str]]) -> list[SceneGraph]:
        """One scene graph for each sentence; the graph's tokens are the sentence's, index for index."""


def _once(participants: list[tuple[Center, ...]]) -> tuple[tuple[Center, ...], ...]:
    """The Participants whose minimal centers are not all another's, as remote edges make them, and implicit ones."""
    sets = [frozenset(centers) for centers in participants]

    def repeated(place: int) -> bool:
        before, after = sets[:place], sets[place + 1 :]
        return any(sets[place] <= one for one in before) or any(sets[place] < one for one in after)

    return tuple(centers for place, centers in enumerate(participants) if not (centers and repeated(place)))
