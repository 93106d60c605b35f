"""UCCA standard XML, which UCCA's toolkit, TUPA and UCCAApp write: to scene graphs and back.

Format: FORMAT.md of UniversalConceptualCognitiveAnnotation/docs. Layer 0 holds the tokens, layer 1 the units; an edge
carries its categories in ``category`` children (UCCA 2), or in ``type`` alone (UCCA 1.x files). In the graph a unit
keeps its ID as its name, a token becomes its 0-based index; ``graph.extra[None]["passage_id"]`` is the passage's ID.
Linkage nodes of older corpora, annotators' remarks and other attributes are not read.

Input is untrusted. As in defusedxml, every document type declaration is refused before it takes effect, so no entity is
ever defined, expanded or fetched; the limits hold while expat reads, and it knows the line of every element. A passage
is checked before it becomes a graph.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn
from xml.parsers import expat

from sema.errors import InputError
from sema.files.replacing import replacing
from sema.model.scene_graph import CATEGORIES, PUNCTUATION, TERMINAL, Node, SceneGraph
from sema.model.text import is_punctuation

if TYPE_CHECKING:
    import networkx as nx

MAX_BYTES = 64 * 2**20
"""Largest file that is read (the largest published passage has 0.4 MB)."""
MAX_ELEMENTS = 1_000_000
"""Most XML elements in a document (a token takes about ten)."""
MAX_DEPTH = 500
"""Deepest nesting of XML elements; standard XML has five levels."""
REMEDY = "name a UCCA standard XML file"
MAX_NESTING = 500
"""Deepest nesting of units; annotated passages stay below 30."""
ROOT = "1.1"
"""The name that UCCA's toolkit insists on for the root."""
LINKAGE = frozenset(("LR", "LA"))
"""Categories of linkage nodes, which stand beside the tree."""
KNOWN = frozenset(CATEGORIES) | {TERMINAL} | LINKAGE
"""UCCA's foundational layer; a category by any other name would make Scenes vanish silently."""

_UNIT_ID = re.compile(r"1\.[0-9]+")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True)
class _Element:
    """An XML element with its line and its children; text is not kept."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[_Element] = field(default_factory=list)

    def get(self, name: str) -> str:
        """An attribute; empty if there is none."""
        return self.attributes.get(name, "")

    def all(self, tag: str) -> Iterator[_Element]:
        """The children of that name."""
        return (child for child in self.children if child.tag == tag)

    def listed(self, tag: str) -> dict[str, str]:
        """The attributes of the first child of that name; none without one."""
        child = next(self.all(tag), None)
        return {} if child is None else child.attributes

    def fail(self, message: str) -> NoReturn:
        """Raise an ``InputError`` about this element."""
        raise InputError(message, line=self.line)


class _Edge(NamedTuple):
    target: str
    categories: tuple[str, ...]
    remote: bool
    line: int


def read_passage(source: str | PathLike[str] | bytes) -> SceneGraph:
    """Read one passage from a file, or from the bytes of one.

    Raises ``InputError`` (file, line, remedy) for anything that is not a valid UCCA passage: unreadable or larger than
    ``MAX_BYTES``, not XML, a document type declaration, another XML layout, IDs that are missing, repeated or dangling,
    primary edges that form a cycle, units nested beyond ``MAX_NESTING``, a passage without tokens.
    """
    if isinstance(source, bytes):
        data, file = source, None
    else:
        data, file = _read_bytes(Path(source)), source
    try:
        if len(data) > MAX_BYTES:
            raise InputError(f"the file is larger than {MAX_BYTES >> 20} MiB; split it into passages")
        return _graph(_parse(data))
    except InputError as error:
        error.file = None if file is None else str(file)
        raise


def _parse(data: bytes) -> _Element:
    """The outermost element; ``InputError`` with the line if the document is not well-formed or has a DTD."""
    opened = [_Element("", {}, 0)]
    count = 0
    parser = expat.ParserCreate()

    def refuse_dtd(*_: object) -> NoReturn:
        message = "a document type declaration, which UCCA XML never needs and which can hide an attack; remove it"
        raise InputError(message, line=parser.CurrentLineNumber)

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        element = _Element(name, attributes, parser.CurrentLineNumber)
        count += 1
        if count > MAX_ELEMENTS:
            element.fail(f"more than {MAX_ELEMENTS} elements; split the file into passages")
        if len(opened) > MAX_DEPTH:
            element.fail(f"elements are nested more than {MAX_DEPTH} deep; {REMEDY}")
        opened[-1].children.append(element)
        opened.append(element)

    parser.StartDoctypeDeclHandler = refuse_dtd
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: opened.pop()
    try:
        parser.Parse(data, True)  # in one piece: in blocks, a long attribute would be read from its start for each
    except InputError:
        raise
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise InputError(f"not well-formed XML: {reason}; {REMEDY}", line=error.lineno) from error
    except (ValueError, LookupError) as error:  # an encoding that expat or Python does not know
        raise InputError(f"not readable as XML: {error}; {REMEDY}", line=parser.CurrentLineNumber) from error
    return opened[0].children[0]


def _read_bytes(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():  # a pipe or a device might never end
            raise InputError("is not a regular file; name a UCCA XML file", file=path)
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}; name a UCCA XML file", file=path) from error


def _graph(root: _Element) -> SceneGraph:
    """The scene graph of a document; ``InputError`` with the line if it is no passage."""
    if root.tag != "root":
        root.fail(f"the outermost element is {root.tag[:40]!r}, not 'root'; {REMEDY}")
    tokens: dict[str, _Element] = {}
    units: dict[str, _Element] = {}
    for layer in root.all("layer"):
        known = {"0": tokens, "1": units}.get(_required(layer, "layerID", "a layer"))
        if known is None:
            continue
        for node in layer.all("node"):
            name = _required(node, "ID", "a node")
            if name in tokens or name in units:
                node.fail(f"the node ID {name!r} is used twice; give every node an ID of its own")
            known[name] = node
    if not tokens:
        raise InputError(f"the passage has no tokens (no nodes in layer 0); {REMEDY}")
    order = _in_order(tokens)
    index = {name: position for position, name in enumerate(order)}
    edges = {name: _edges(unit, index, units) for name, unit in units.items()}
    edges = {name: own for name, own in edges.items() if not own or any(LINKAGE.isdisjoint(e.categories) for e in own)}
    texts = [_text(tokens[name]) for name in order]
    marks = [place for place, name in enumerate(order) if _is_mark(tokens[name])]
    graph = SceneGraph(texts, marks, root=_root(edges, units))
    graph.extra[None]["passage_id"] = root.get("passageID")
    for name in edges:
        if name != graph.root:
            graph.add_unit(name, implicit=_is_marked(units[name], "implicit"))
    for name, own in edges.items():
        children: dict[Node, tuple[tuple[str, ...], bool]] = {}
        for target, categories, remote, line in own:
            child = index.get(target, target)
            if isinstance(child, str) and not graph.has_unit(child):
                raise InputError(f"an edge leads to the linkage node {child!r}; correct toID", line=line)
            # categories of several edges between the same two units go on one, primary if any is
            before, far = children.get(child, ((), True))
            children[child] = tuple(dict.fromkeys((*before, *categories))), far and remote
        for child, (categories, remote) in children.items():
            graph.add_edge(name, child, *(() if isinstance(child, int) else categories), remote=remote)
    _check_nesting(graph, units)
    return graph


def _required(element: _Element, name: str, what: str) -> str:
    value = element.get(name)
    if not value:
        element.fail(f"{what} has no {name}; add it, or write the file again with UCCA's toolkit")
    return value


def _is_marked(element: _Element, mark: str) -> bool:
    return element.listed("attributes").get(mark, "").lower() == "true"


def _in_order(tokens: Mapping[str, _Element]) -> list[str]:
    """Tokens in the order of their IDs, as in UCCA's toolkit; in document order if the IDs are not numbered."""
    if all(re.fullmatch(r"0\.[0-9]{1,9}", name) for name in tokens):
        return sorted(tokens, key=lambda name: int(name[2:]))
    return list(tokens)


def _text(token: _Element) -> str:
    text = token.listed("attributes").get("text", "")
    if not text:
        token.fail(f"token {token.get('ID')!r} has no text; add it to the token's attributes")
    for edge in token.all("edge"):
        edge.fail(f"token {token.get('ID')!r} has an edge; only units have children")
    return text


def _is_mark(token: _Element) -> bool:
    kind = token.get("type")
    return kind == "Punctuation" if kind else is_punctuation(_text(token))


def _edges(unit: _Element, tokens: Mapping[str, int], units: Mapping[str, _Element]) -> list[_Edge]:
    """The edges of a unit; those that no scene graph can have are refused."""
    found = []
    name = unit.get("ID")
    for edge in unit.all("edge"):
        target = _required(edge, "toID", f"an edge of node {name!r}")
        tags = [tag for category in edge.all("category") if (tag := category.get("tag"))] or [edge.get("type")]
        categories = tuple(dict.fromkeys(filter(None, tags)))
        if target not in tokens and target not in units:
            edge.fail(f"no node has the ID {target!r} of this edge; correct toID")
        if not categories:
            edge.fail(f"an edge of node {name!r} has neither a category nor a type; add one")
        for category in categories:
            if category not in KNOWN:
                near = category.upper() if category.upper() in KNOWN else f"one of {' '.join(sorted(KNOWN))}"
                edge.fail(f"an edge of node {name!r} has the unknown category {category[:40]!r}; write {near}")
        if target in tokens and categories != (TERMINAL,):
            edge.fail(f"a token stands under {'|'.join(categories)[:40]!r}; put a unit in between")
        if target in units and TERMINAL in categories:
            edge.fail(f"a {TERMINAL} edge leads to unit {target!r}; give it a category")
        found.append(_Edge(target, categories, _is_marked(edge, "remote"), edge.line))
    return found


def _root(edges: Mapping[str, list[_Edge]], units: Mapping[str, _Element]) -> str:
    """The unit that no primary edge leads to: ``1.1`` by the toolkit's convention, else the first such unit."""
    below = {edge.target for own in edges.values() for edge in own if not edge.remote}
    tops = [name for name in edges if name not in below]
    if edges and not tops:
        units[next(iter(edges))].fail("the units have no root: primary edges lead in a circle; correct toID")
    return ROOT if ROOT in tops or not tops else tops[0]


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


def _check_nesting(graph: SceneGraph, units: Mapping[str, _Element]) -> None:
    """Refuse primary edges that form a cycle, and units nested beyond ``MAX_NESTING``."""
    import networkx as nx

    primary = primary_units(graph)
    try:
        for depth, level in enumerate(nx.topological_generations(primary)):
            if depth > MAX_NESTING:
                units[level[0]].fail(f"units are nested more than {MAX_NESTING} deep; split the passage")
    except nx.NetworkXUnfeasible:
        first = min((units[unit] for unit, _ in nx.find_cycle(primary)), key=lambda unit: unit.line)
        first.fail(f"primary edges lead from unit {first.get('ID')!r} back to itself; correct toID")


def write_passage(graph: SceneGraph, passage_id: str = "1") -> bytes:
    """The passage as a standard XML document (UTF-8) that UCCA's toolkit reads.

    ``passage_id`` is the ID of a graph that was not read with one. Units keep their names if these are UCCA IDs under
    the root ``1.1``; else they are renumbered.

    Raises ``InputError`` if a token has a character that XML cannot carry.
    """
    names = _unit_ids(graph)
    passage_id = graph.extra.get(None, {}).get("passage_id", passage_id)
    root = ElementTree.Element("root", annotationID="0", passageID=_xml_text(passage_id, "the passage ID"))
    ElementTree.SubElement(root, "attributes")
    tokens, units = (ElementTree.SubElement(root, "layer", layerID=number) for number in "01")
    for layer in (tokens, units):
        ElementTree.SubElement(layer, "attributes")
    for index, text in enumerate(graph.tokens):
        kind = "Punctuation" if index in graph.punctuation else "Word"
        about = {"paragraph": "1", "paragraph_position": str(index + 1), "text": _xml_text(text, f"token {index + 1}")}
        _node(tokens, f"0.{index + 1}", kind, about)
    above = [(child, categories) for unit in names for child, categories, _ in graph.edges(unit)]
    parents = Counter(child for child, _ in above)
    marks = {child for child, categories in above if categories == (PUNCTUATION,) and parents[child] == 1}
    for unit, name in names.items():
        kind = "PNCT" if unit in marks else "FN"
        node = _node(units, name, kind, {"implicit": "True"} if unit in graph.implicit else {})
        for child, categories, remote in graph.edges(unit):
            target = f"0.{child + 1}" if isinstance(child, int) else names[child]
            edge = ElementTree.SubElement(node, "edge", toID=target, type=categories[0])
            ElementTree.SubElement(edge, "attributes", {"remote": "True"} if remote else {})
            for category in categories:
                ElementTree.SubElement(edge, "category", {"tag": category})
    ElementTree.indent(root)
    document = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{document}\n'.encode()


def _node(layer: ElementTree.Element, name: str, kind: str, attributes: dict[str, str]) -> ElementTree.Element:
    node = ElementTree.SubElement(layer, "node", ID=name, type=kind)
    ElementTree.SubElement(node, "attributes", attributes)
    return node


def write_file(graph: SceneGraph, file: str | PathLike[str]) -> None:
    """Write a passage to ``file``; its ID is the one it was read with, or the file's stem."""
    document = write_passage(graph, Path(file).stem)
    with replacing(Path(file)) as target:
        target.write(document)


def _unit_ids(graph: SceneGraph) -> dict[str, str]:
    """The ID to write for each unit, the root first; the toolkit insists on ``1.1`` as the root's."""
    units = [graph.root, *(unit for unit in graph.units() if unit != graph.root)]
    if graph.root == ROOT and all(_UNIT_ID.fullmatch(unit) for unit in units):
        return {unit: unit for unit in units}
    return {unit: f"1.{number}" for number, unit in enumerate(units, 1)}


def _xml_text(text: str, what: str) -> str:
    illegal = _NOT_XML.search(text)
    if illegal:
        raise InputError(f"{what} holds U+{ord(illegal[0]):04X}, which XML cannot carry; remove that character")
    return text
