"""From the bytes of a UCCA standard XML document to a scene graph: streaming, bounded, with the line of every error.

Two steps: ``read_elements`` collects nodes and edges from the XML, ``build_graph`` checks that they form a passage.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from typing import NoReturn
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, InputSource, Locator

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import create_parser

from sema.errors import InputError
from sema.model.scene_graph import TERMINAL, SceneGraph
from sema.model.text import is_punctuation

MAX_ELEMENTS = 1_000_000
"""Most XML elements in a document (a token takes about ten)."""
MAX_DEPTH = 16
"""Deepest nesting of XML elements; the format itself has five levels."""
MAX_NESTING = 500
"""Deepest nesting of units; annotated passages stay below 30."""

CATEGORIES = frozenset((*"ACDEFGHLNPQRSTU", "LA", "LR", "Terminal"))
"""UCCA's foundational layer; a category by any other name would make Scenes vanish without a word."""
LINK_RELATION = "LR"
LINK_ARGUMENT = "LA"
_REMEDY = "name a UCCA standard XML file"


@dataclass(slots=True)
class Node:
    """A ``node`` element: a token (layer 0) or a unit (layer 1)."""

    name: str
    kind: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)


@dataclass(slots=True)
class Edge:
    """An ``edge`` element below a node."""

    target: str
    kind: str
    line: int
    attributes: dict[str, str] = field(default_factory=dict)
    tags: list[str] = field(default_factory=list)

    @property
    def categories(self) -> tuple[str, ...]:
        """The categories, each once; files older than UCCA 2 have them in ``type``."""
        return tuple(dict.fromkeys(self.tags)) or ((self.kind,) if self.kind else ())

    def marked(self, name: str) -> bool:
        """Whether the attribute is set to true."""
        return _is_true(self.attributes.get(name))


@dataclass(slots=True)
class Elements:
    """A document's content: the passage's ID and attributes, its tokens and units by ID in document order."""

    passage_id: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    tokens: dict[str, Node] = field(default_factory=dict)
    units: dict[str, Node] = field(default_factory=dict)


def _is_true(value: str | None) -> bool:
    return value is not None and value.lower() == "true"


class LineHandler(ContentHandler):
    """A SAX handler with the parser's current line."""

    def __init__(self) -> None:
        super().__init__()
        self._place: Locator | None = None

    @property
    def line(self) -> int | None:
        """The 1-based line."""
        return self._place.getLineNumber() if self._place else None

    def setDocumentLocator(self, locator: Locator) -> None:
        """Store the parser's locator (SAX calls this first)."""
        self._place = locator


class IsSiteXml(Exception):
    """The document is site XML, for :mod:`sema_ucca.site_xml` to read."""


def read_elements(data: bytes) -> Elements:
    """Parse a document.

    Raises:
        InputError: with the line, for anything that is not UCCA standard XML.
        IsSiteXml: it is UCCA's older format.
    """
    handler = _Handler()
    parse_document(data, handler)
    return handler.elements


def parse_document(data: bytes, handler: LineHandler) -> None:
    """Parse a document with a handler; ``InputError`` with the line if it is not well-formed or has a DTD."""
    # In one piece: fed in blocks, a long attribute would be read from its start for each of them.
    parser = create_parser(bufsize=len(data) + 1, forbid_dtd=True)
    parser.setContentHandler(handler)
    source = InputSource()
    source.setByteStream(io.BytesIO(data))
    try:
        parser.parse(source)
    except InputError:
        raise
    except DefusedXmlException as error:
        raise InputError(
            "a document type declaration, which UCCA XML never needs and which can hide an attack; remove it",
            line=handler.line,
        ) from error
    except SAXParseException as error:
        raise InputError(f"not well-formed XML: {error.getMessage()}; {_REMEDY}", line=error.getLineNumber()) from error
    except (SAXException, ValueError, LookupError) as error:  # an encoding that expat or Python does not know
        raise InputError(f"not readable as XML: {error}; {_REMEDY}", line=handler.line) from error


class _Handler(LineHandler):
    """Collects the elements of a document as the parser meets them."""

    def __init__(self) -> None:
        super().__init__()
        self.elements = Elements()
        self._open: list[str] = []
        self._count = 0
        self._layer = ""
        self._node: Node | None = None
        self._edge: Edge | None = None

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        """Process one element by its name and its parent."""
        self._count += 1
        if self._count > MAX_ELEMENTS:
            self._fail(f"more than {MAX_ELEMENTS} elements; split the file into passages")
        if len(self._open) >= MAX_DEPTH:
            self._fail(f"elements are nested more than {MAX_DEPTH} deep; {_REMEDY}")
        parent = self._open[-1] if self._open else None
        self._open.append(name)
        if parent is None:
            self._start_root(name, attrs)
        elif (parent, name) == ("root", "attributes"):
            self.elements.attributes = dict(attrs.items())
        elif (parent, name) == ("root", "units"):
            raise IsSiteXml
        elif (parent, name) == ("root", "layer"):
            self._layer = self._required(attrs, "layerID", "a layer")
        elif (parent, name) == ("layer", "node") and self._layer in ("0", "1"):
            self._start_node(attrs)
        elif self._node is not None:
            self._start_inside(self._node, parent, name, attrs)

    def endElement(self, name: str) -> None:
        """Close an element."""
        self._open.pop()
        if name == "node":
            self._node = None
        elif name == "edge":
            self._edge = None

    def _fail(self, message: str) -> NoReturn:
        raise InputError(message, line=self.line)

    def _required(self, attrs: AttributesImpl, name: str, what: str) -> str:
        value = str(attrs.get(name, ""))
        if not value:
            self._fail(f"{what} has no {name}; add it, or write the file anew with UCCA's toolkit")
        return value

    def _start_root(self, name: str, attrs: AttributesImpl) -> None:
        if name != "root":
            self._fail(f"the outermost element is {name[:40]!r}, not 'root'; {_REMEDY}")
        self.elements.passage_id = str(attrs.get("passageID", ""))

    def _start_node(self, attrs: AttributesImpl) -> None:
        name = self._required(attrs, "ID", "a node")
        if name in self.elements.tokens or name in self.elements.units:
            self._fail(f"the node ID {name!r} is used twice; give every node an ID of its own")
        self._node = Node(name, str(attrs.get("type", "")), self.line or 0)
        (self.elements.tokens if self._layer == "0" else self.elements.units)[name] = self._node

    def _start_inside(self, node: Node, parent: str, name: str, attrs: AttributesImpl) -> None:
        if (parent, name) == ("node", "attributes"):
            node.attributes = dict(attrs.items())
        elif (parent, name) == ("node", "edge"):
            target = self._required(attrs, "toID", f"an edge of node {node.name!r}")
            self._edge = Edge(target, str(attrs.get("type", "")), self.line or 0)
            node.edges.append(self._edge)
        elif self._edge is not None and (parent, name) == ("edge", "attributes"):
            self._edge.attributes = dict(attrs.items())
        elif self._edge is not None and (parent, name) == ("edge", "category") and attrs.get("tag"):
            self._edge.tags.append(str(attrs["tag"]))


def build_graph(elements: Elements) -> SceneGraph:
    """The scene graph of a document's elements; ``InputError`` with the line if they do not make a passage."""
    if not elements.tokens:
        raise InputError(f"the passage has no tokens (no nodes in layer 0); {_REMEDY}")
    order = _token_order(elements.tokens)
    index = {node.name: position for position, node in enumerate(order)}
    graph = SceneGraph(
        [_token_text(node) for node in order],
        [position for position, node in enumerate(order) if _is_punctuation(node)],
        root=_root(elements),
    )
    for position, node in enumerate(order):
        graph.graph.nodes[position]["paragraph"] = _paragraph(node)
    graph.graph.graph["passage_id"] = elements.passage_id
    graph.graph.graph["attributes"] = elements.attributes
    graph.graph.graph["typed_edges"] = not any(edge.tags for unit in elements.units.values() for edge in unit.edges)
    linkages = []
    for unit in elements.units.values():
        if _is_linkage(unit):
            linkages.append((unit.name, tuple((edge.target, edge.categories[0]) for edge in unit.edges)))
        elif unit.name != graph.root:
            graph.add_unit(unit.name, implicit=_is_true(unit.attributes.get("implicit")))
            if _is_true(unit.attributes.get("uncertain")):
                graph.graph.nodes[unit.name]["uncertain"] = True
    if linkages:
        graph.graph.graph["linkages"] = tuple(linkages)
    for unit in elements.units.values():
        for edge in unit.edges:
            if edge.target not in index and edge.target not in elements.units:
                raise InputError(f"no node has the ID {edge.target!r} of this edge; correct toID", line=edge.line)
            if not _is_linkage(unit):
                _add_edge(graph, unit, edge, index.get(edge.target))
    _check_nesting(graph, elements)
    return graph


def _token_order(tokens: dict[str, Node]) -> list[Node]:
    """Tokens in the order of their IDs, as UCCA's toolkit takes them; of the document if these are not numbered."""
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
    below = {edge.target for unit in elements.units.values() for edge in unit.edges if not edge.marked("remote")}
    tops = [unit for unit in elements.units.values() if unit.name not in below and not _is_linkage(unit)]
    if not tops:
        if elements.units:
            first = next(iter(elements.units.values()))
            raise InputError("the units have no root: primary edges lead in a circle; correct toID", line=first.line)
        return "1.1"  # tokens that nobody has annotated yet
    return next((unit.name for unit in tops if unit.name == "1.1"), tops[0].name)


def _add_edge(graph: SceneGraph, unit: Node, edge: Edge, token: int | None) -> None:
    """Add an edge; categories of several edges between the same two units are gathered on one, primary if any is."""
    if not edge.categories:
        raise InputError(f"an edge of node {unit.name!r} has neither a category nor a type; add one", line=edge.line)
    for category in edge.categories:
        if category not in CATEGORIES:
            near = category.upper() if category.upper() in CATEGORIES else f"one of {' '.join(sorted(CATEGORIES))}"
            raise InputError(
                f"an edge of node {unit.name!r} has the unknown category {category[:40]!r}; write {near}",
                line=edge.line,
            )
    if token is not None:
        if edge.categories != (TERMINAL,):
            categories = "|".join(edge.categories)[:40]
            raise InputError(f"a token stands under {categories!r}; put a unit in between", line=edge.line)
        if not graph.graph.has_edge(unit.name, token):
            graph.add_edge(unit.name, token)
        return
    if edge.target not in graph.graph:
        raise InputError(f"an edge leads to the linkage node {edge.target!r}; correct toID", line=edge.line)
    if TERMINAL in edge.categories:
        raise InputError(f"a {TERMINAL} edge leads to unit {edge.target!r}; give it a category", line=edge.line)
    if graph.graph.has_edge(unit.name, edge.target):
        data = graph.graph.edges[unit.name, edge.target]
        data["categories"] = tuple(dict.fromkeys((*data["categories"], *edge.categories)))
        data["remote"] = data["remote"] and edge.marked("remote")
    else:
        graph.add_edge(unit.name, edge.target, *edge.categories, remote=edge.marked("remote"))
    if edge.marked("uncertain"):
        graph.graph.edges[unit.name, edge.target]["uncertain"] = True


def _check_nesting(graph: SceneGraph, elements: Elements) -> None:
    """Refuse primary edges that form a cycle, and units nested beyond ``MAX_NESTING`` (parents before children)."""
    children = {
        unit: [child for child, _, remote in graph.edges(unit) if isinstance(child, str) and not remote]
        for unit in graph.units()
    }
    waiting = dict.fromkeys(children, 0)
    for below in children.values():
        for child in below:
            waiting[child] += 1
    depth = {unit: 0 for unit, count in waiting.items() if not count}
    stack = list(depth)
    while stack:
        unit = stack.pop()
        del waiting[unit]
        if depth[unit] > MAX_NESTING:
            line = elements.units[unit].line
            raise InputError(f"units are nested more than {MAX_NESTING} deep; split the passage", line=line)
        for child in children[unit]:
            depth[child] = max(depth.get(child, 0), depth[unit] + 1)
            waiting[child] -= 1
            if not waiting[child]:
                stack.append(child)
    if waiting:
        node = min((elements.units[unit] for unit in waiting), key=lambda node: node.line)
        raise InputError(f"primary edges lead from unit {node.name!r} back to itself; correct toID", line=node.line)
