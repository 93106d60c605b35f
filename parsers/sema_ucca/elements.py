"""A passage as files list it (tokens, and units with edges), and the scene graph that is built from it.

Every format of UCCA is read as :class:`Elements`; :func:`build_graph` checks that they form a passage.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sema.errors import InputError
from sema.model.scene_graph import PUNCTUATION, TERMINAL, SceneGraph
from sema.model.text import is_punctuation

if TYPE_CHECKING:
    import networkx as nx

MAX_NESTING = 500
"""Deepest nesting of units; annotated passages stay below 30."""

CATEGORIES = frozenset((*"ACDEFGHLNPQRSTU", "LA", "LR", "Terminal"))
"""UCCA's foundational layer; a category by any other name would make Scenes vanish silently."""
LINK_RELATION = "LR"
LINK_ARGUMENT = "LA"
ROOT = "1.1"
"""The name that UCCA's toolkit insists on for the root."""
MARK = "PNCT"
"""The kind of a unit that holds a mark of punctuation."""


@dataclass(slots=True)
class Edge:
    """An edge from a unit to a token or a unit, by name; ``line`` is its line in the file, if the file has lines."""

    target: str
    categories: tuple[str, ...]
    line: int | None = None
    remote: bool = False
    uncertain: bool = False


@dataclass(slots=True)
class Node:
    """A token or a unit with its edges; ``kind`` is *Word* or *Punctuation* of a token, where it is known."""

    name: str
    kind: str
    line: int | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)

    def link(
        self,
        target: str,
        categories: Iterable[str],
        line: int | None = None,
        *,
        remote: bool = False,
        uncertain: bool = False,
    ) -> None:
        """Add an edge; a category that is listed twice counts once."""
        self.edges.append(Edge(target, tuple(dict.fromkeys(categories)), line, remote, uncertain))


@dataclass(slots=True)
class Elements:
    """A file's content: the passage's ID and attributes, its tokens and units by ID in document order.

    ``typed_edges``: whether the categories of all edges are in ``type`` alone, as in files older than UCCA 2.
    """

    passage_id: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    typed_edges: bool = False
    tokens: dict[str, Node] = field(default_factory=dict)
    units: dict[str, Node] = field(default_factory=dict)

    def add_token(self, text: str, *, punctuation: bool, line: int | None = None, **attributes: str) -> Node:
        """Append a token."""
        name = f"0.{len(self.tokens) + 1}"
        kind = "Punctuation" if punctuation else "Word"
        self.tokens[name] = Node(name, kind, line, {"text": text, **attributes})
        return self.tokens[name]

    def add_unit(self, line: int | None = None, kind: str = "FN") -> Node:
        """Append a unit."""
        name = f"1.{len(self.units) + 1}"
        self.units[name] = Node(name, kind, line)
        return self.units[name]

    def add_mark(self, parent: Node, line: int | None = None) -> Node:
        """Append a unit for a punctuation mark below a unit."""
        unit = self.add_unit(line, MARK)
        parent.link(unit.name, [PUNCTUATION], line)
        return unit


def is_true(value: str | None) -> bool:
    """Whether an attribute is set to true."""
    return value is not None and value.lower() == "true"


def build_graph(elements: Elements) -> SceneGraph:
    """The scene graph of a document's elements; ``InputError`` with the line if they do not make a passage."""
    if not elements.tokens:
        raise InputError("the passage has no tokens (no nodes in layer 0); name a UCCA standard XML file")
    order = _token_order(elements.tokens)
    index = {node.name: position for position, node in enumerate(order)}
    graph = SceneGraph(
        [_token_text(node) for node in order],
        [position for position, node in enumerate(order) if _is_punctuation(node)],
        root=_root(elements),
    )
    graph.extra |= {position: {"paragraph": _paragraph(node)} for position, node in enumerate(order)}
    graph.extra[None] = {name: getattr(elements, name) for name in ("passage_id", "attributes", "typed_edges")}
    linkages = []
    for unit in elements.units.values():
        if _is_linkage(unit):
            linkages.append((unit.name, tuple((edge.target, edge.categories[0]) for edge in unit.edges)))
        elif unit.name != graph.root:
            graph.add_unit(unit.name, implicit=is_true(unit.attributes.get("implicit")))
            if is_true(unit.attributes.get("uncertain")):
                graph.extra[unit.name]["uncertain"] = True
    if linkages:
        graph.extra[None]["linkages"] = tuple(linkages)
    for unit in elements.units.values():
        gathered: dict[str | int, tuple[tuple[str, ...], bool]] = {}
        for edge in unit.edges:
            if edge.target not in index and edge.target not in elements.units:
                raise InputError(f"no node has the ID {edge.target!r} of this edge; correct toID", line=edge.line)
            if not _is_linkage(unit):
                child = index.get(edge.target, edge.target)
                _check_edge(graph, unit, edge, child)
                # categories of several edges between the same two units go on one, primary if any is
                categories, remote = gathered.get(child, ((), True))
                gathered[child] = tuple(dict.fromkeys((*categories, *edge.categories))), remote and edge.remote
                if edge.uncertain and isinstance(child, str):
                    graph.extra[unit.name, child]["uncertain"] = True
        for child, (categories, remote) in gathered.items():
            if isinstance(child, int):
                graph.add_edge(unit.name, child)
            else:
                graph.add_edge(unit.name, child, *categories, remote=remote)
    _check_nesting(graph, elements)
    return graph


def _token_order(tokens: dict[str, Node]) -> list[Node]:
    """Tokens in the order of their IDs, as in UCCA's toolkit; in document order if the IDs are not numbered."""
    numbers = {name: match[1] for name in tokens if (match := re.fullmatch(r"0\.([0-9]{1,9})", name))}
    if len(numbers) < len(tokens):
        return list(tokens.values())
    return sorted(tokens.values(), key=lambda node: int(numbers[node.name]))


def _token_text(node: Node) -> str:
    text = node.attributes.get("text", "")
    if not text:
        raise InputError(f"token {node.name!r} has no text; add it to the token's attributes", line=node.line)
    if node.edges:
        raise InputError(f"token {node.name!r} has an edge; only units have children", line=node.edges[0].line)
    return text


def _is_punctuation(node: Node) -> bool:
    return node.kind == "Punctuation" if node.kind else is_punctuation(node.attributes["text"])


def _paragraph(node: Node) -> int:
    value = node.attributes.get("paragraph", "1")
    if not re.fullmatch("[0-9]{1,9}", value):
        raise InputError(f"the paragraph of token {node.name!r} is not a number: {value[:40]!r}", line=node.line)
    return int(value)


def _is_linkage(unit: Node) -> bool:
    return bool(unit.edges) and all(edge.categories[:1] in ((LINK_RELATION,), (LINK_ARGUMENT,)) for edge in unit.edges)


def _root(elements: Elements) -> str:
    """The unit that no primary edge leads to: ``1.1`` by the toolkit's convention, else the first such unit."""
    below = {edge.target for unit in elements.units.values() for edge in unit.edges if not edge.remote}
    tops = [unit for unit in elements.units.values() if unit.name not in below and not _is_linkage(unit)]
    if not tops:
        if elements.units:
            first = next(iter(elements.units.values()))
            raise InputError("the units have no root: primary edges lead in a circle; correct toID", line=first.line)
        return ROOT  # tokens that nobody has annotated yet
    return next((unit.name for unit in tops if unit.name == ROOT), tops[0].name)


def _check_edge(graph: SceneGraph, unit: Node, edge: Edge, child: str | int) -> None:
    """Refuse an edge that no scene graph can have."""
    if not edge.categories:
        raise InputError(f"an edge of node {unit.name!r} has neither a category nor a type; add one", line=edge.line)
    for category in edge.categories:
        if category not in CATEGORIES:
            near = category.upper() if category.upper() in CATEGORIES else f"one of {' '.join(sorted(CATEGORIES))}"
            raise InputError(
                f"an edge of node {unit.name!r} has the unknown category {category[:40]!r}; write {near}",
                line=edge.line,
            )
    if isinstance(child, int):
        if edge.categories != (TERMINAL,):
            categories = "|".join(edge.categories)[:40]
            raise InputError(f"a token stands under {categories!r}; put a unit in between", line=edge.line)
    elif not graph.has_unit(child):
        raise InputError(f"an edge leads to the linkage node {child!r}; correct toID", line=edge.line)
    elif TERMINAL in edge.categories:
        raise InputError(f"a {TERMINAL} edge leads to unit {child!r}; give it a category", line=edge.line)


def primary_units(graph: SceneGraph) -> nx.DiGraph[str]:
    """The units of a graph over its primary edges."""
    import networkx as nx

    primary: nx.DiGraph[str] = nx.DiGraph()
    for unit in graph.units():
        primary.add_node(unit)
        primary.add_edges_from(
            (unit, child) for child, _, remote in graph.edges(unit) if isinstance(child, str) and not remote
        )
    return primary


def _check_nesting(graph: SceneGraph, elements: Elements) -> None:
    """Refuse primary edges that form a cycle, and units nested beyond ``MAX_NESTING``."""
    import networkx as nx

    primary = primary_units(graph)
    try:
        for depth, units in enumerate(nx.topological_generations(primary)):
            if depth > MAX_NESTING:
                line = elements.units[units[0]].line
                raise InputError(f"units are nested more than {MAX_NESTING} deep; split the passage", line=line)
    except nx.NetworkXUnfeasible:
        cycle = [elements.units[unit] for unit, _ in nx.find_cycle(primary)]
        first = min(cycle, key=lambda node: node.line or 0)
        message = f"primary edges lead from unit {first.name!r} back to itself; correct toID"
        raise InputError(message, line=first.line) from None
