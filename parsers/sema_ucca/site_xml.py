"""UCCA site XML: the format of the annotation application before UCCAApp, used by older annotations.

``units/unit`` holds the paragraphs; below them units contain each other as in the text. A word has a unit of its
own; a discontiguous unit is several chunks that name one entry of ``unitGroups``; remote units and linkages name other
units by their ``id``; an implicit unit is an element without content. Details follow UCCA's toolkit (``from_site``).

Reading yields the same elements as UCCA standard XML (:mod:`sema_ucca.ucca_xml_reader`): the same checks apply.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NoReturn
from xml.sax.xmlreader import AttributesImpl

from sema.errors import InputError
from sema.model.scene_graph import CATEGORIES, PUNCTUATION, TERMINAL
from sema_ucca.ucca_xml_reader import (
    LINK_ARGUMENT,
    LINK_RELATION,
    MAX_ELEMENTS,
    MAX_NESTING,
    Edge,
    Elements,
    LineHandler,
    Node,
    parse_document,
)

ROOT = "1.1"
_TYPES = MappingProxyType(
    {name.casefold(): category for category, name in CATEGORIES.items()} | {"linked u": "H", "role marker": "R"}
)
"""Categories by the names that the application has for them."""


@dataclass(slots=True)
class _Element:
    tag: str
    attributes: dict[str, str]
    line: int
    children: list[_Element] = field(default_factory=list)
    text: str = ""

    @property
    def id(self) -> str:
        return self.attributes.get("id", "")

    def first(self, tag: str) -> _Element | None:
        return next((child for child in self.children if child.tag == tag), None)

    def walk(self) -> Iterator[_Element]:
        """The element and all below it, in the document's order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            stack.extend(reversed(element.children))


class _Tree(LineHandler):
    """Collects a document's elements as a tree with line numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.top = _Element("", {}, 0)
        self._open = [self.top]
        self._count = 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        """Open an element."""
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise InputError(f"more than {MAX_ELEMENTS} elements; split the file into passages", line=self.line)
        if len(self._open) > MAX_NESTING:
            raise InputError(f"units are nested more than {MAX_NESTING} deep; split the passage", line=self.line)
        element = _Element(name, dict(attrs.items()), self.line or 0)
        self._open[-1].children.append(element)
        self._open.append(element)

    def endElement(self, name: str) -> None:
        """Close an element."""
        self._open.pop()

    def characters(self, content: str) -> None:
        """Keep the text of the innermost element."""
        self._open[-1].text += content


def read_site_elements(data: bytes) -> Elements:
    """The passage's ID, tokens and units of a site XML document.

    Raises:
        InputError: with the line, for anything that is not valid site XML.
    """
    tree = _Tree()
    parse_document(data, tree)
    return _SiteReader(tree.top.children[0]).elements


class _SiteReader:
    """Turns the tree into nodes and edges; references to other units are resolved after all units are read."""

    def __init__(self, root: _Element) -> None:
        self.elements = Elements()
        units = root.first("units")
        if units is None or units.first("unit") is None:
            _fail(root, "the passage has no units; name a UCCA site XML file")
        attributes, groups = root.first("attrib"), root.first("unitGroups")
        self.elements.passage_id = units.attributes.get("passageID", "")
        self.elements.attributes = attributes.attributes if attributes else {}
        self._groups = {group.id: group for group in (groups.children if groups else ())}
        self._named: dict[str, str] = {}
        """The node of every unit, by the site's ID."""
        self._waiting: list[tuple[str, _Element]] = []
        self._top = self._add(Node(ROOT, "FN", root.line))
        paragraphs = [paragraph for unit in units.children for paragraph in unit.children]
        for number, paragraph in enumerate(paragraphs, start=1):
            for element in paragraph.children:
                self._read(element, self._top, number)
        for parent, element in self._waiting:
            self._refer(self.elements.units[parent], element)

    def _add(self, node: Node) -> Node:
        self.elements.units[node.name] = node
        return node

    def _new(self, element: _Element, parent: Node, kind: str = "FN") -> Node:
        """A unit below ``parent``, with the element's categories on the edge."""
        node = self._add(Node(f"1.{len(self.elements.units) + 1}", kind, element.line))
        marks = {"uncertain": "true"} if element.attributes.get("uncertain") == "true" else {}
        categories = [PUNCTUATION] if kind == "PNCT" else _categories(element)
        parent.edges.append(Edge(node.name, categories[0], element.line, marks, categories))
        return node

    def _read(self, element: _Element, parent: Node, paragraph: int) -> None:
        if element.tag in ("remoteUnit", "linkage"):
            self._waiting.append((parent.name, element))
        elif element.tag == "implicitUnit":
            node = self._new(element, parent)
            node.attributes["implicit"] = "true"
            self._named[element.id] = node.name
        elif element.tag != "unit":
            _fail(element, f"an element {element.tag[:40]!r}, which site XML does not have; remove it")
        elif (word := element.first("word")) is not None:
            self._read_word(element, word, parent, paragraph)
        else:
            self._read_unit(element, parent, paragraph)

    def _read_word(self, element: _Element, word: _Element, parent: Node, paragraph: int) -> None:
        punctuation = element.attributes.get("type") == "Punctuation"
        name = f"0.{len(self.elements.tokens) + 1}"
        attributes = {"text": html.unescape(word.text.strip()), "paragraph": str(paragraph)}
        kind = "Punctuation" if punctuation else "Word"
        self.elements.tokens[name] = Node(name, kind, word.line, attributes)
        if punctuation:
            parent = self._new(element, parent, "PNCT")
            self._named[element.id] = parent.name
        parent.edges.append(Edge(name, TERMINAL, word.line))

    def _read_unit(self, element: _Element, parent: Node, paragraph: int) -> None:
        group_id = element.attributes.get("unitGroupID")
        group = element if group_id is None else self._groups.get(group_id)
        if group is None:
            _fail(element, f"no unit group has the id {group_id!r} of this chunk; correct unitGroupID")
        known = self._named.get(group.id) if group is not element else None
        node = self._new(group, parent) if known is None else self.elements.units[known]
        self._named[group.id] = self._named[element.id] = node.name
        children = element.children if known is not None or group is element else [*element.children, *group.children]
        for child in children:
            self._read(child, node, paragraph)

    def _refer(self, parent: Node, element: _Element) -> None:
        """Add a remote edge or a linkage; all its units are known."""
        if element.tag == "remoteUnit":
            marks, categories = {"remote": "true"}, _categories(element)
            parent.edges.append(Edge(self._find(element.id, element), categories[0], element.line, marks, categories))
            return
        arguments = [self._find(name, element) for name in element.attributes.get("args", "").split(",")]
        linkage = self._add(Node(f"1.{len(self.elements.units) + 1}", "LKG", element.line))
        linkage.edges = [
            Edge(name, role, element.line, {}, [role])
            for name, role in [(parent.name, LINK_RELATION), *((name, LINK_ARGUMENT) for name in arguments)]
        ]

    def _find(self, name: str, element: _Element) -> str:
        if name not in self._named:
            _fail(element, f"no unit has the id {name!r} that this {element.tag} names; correct the id")
        return self._named[name]


def _categories(element: _Element) -> list[str]:
    names = element.attributes.get("type", "").split("|")
    unknown = [name for name in names if name.casefold() not in _TYPES]
    if unknown:
        _fail(element, f"unit {element.id!r} is of type {unknown[0][:40]!r}, which UCCA lacks; correct its type")
    return [_TYPES[name.casefold()] for name in names]


def _fail(element: _Element, message: str) -> NoReturn:
    raise InputError(message, line=element.line or None)
