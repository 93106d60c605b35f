"""UCCA site XML: the format of the annotation application before UCCAApp, used by older annotations.

``units/unit`` holds the paragraphs; below them units contain each other as in the text. A word has a unit of its
own; a discontiguous unit is several chunks that name one entry of ``unitGroups``; remote units and linkages name other
units by their ``id``; an implicit unit is an element without content. Details follow UCCA's toolkit (``from_site``).

The same checks apply as to UCCA standard XML (:mod:`sema_ucca.elements`).
"""

from __future__ import annotations

import html
from types import MappingProxyType

from sema.model.scene_graph import CATEGORIES, TERMINAL
from sema_ucca.elements import LINK_ARGUMENT, LINK_RELATION, Elements, Node
from sema_ucca.xml_tree import XmlElement

_TYPES = MappingProxyType(
    {name.casefold(): category for category, name in CATEGORIES.items()} | {"linked u": "H", "role marker": "R"}
)
"""Categories by the names that the application has for them."""


def read_site_elements(root: XmlElement) -> Elements:
    """The passage of a site XML document.

    Raises:
        InputError: with the line, for anything that is not valid site XML.
    """
    return _SiteReader(root).elements


class _SiteReader:
    """Turns the tree into nodes and edges; references to other units are resolved after all units are read."""

    def __init__(self, root: XmlElement) -> None:
        units = root.first("units")
        if units is None or units.first("unit") is None:
            root.fail("the passage has no units; name a UCCA site XML file")
        groups = root.first("unitGroups")
        self.elements = Elements(units.get("passageID"), root.listed("attrib"))
        self._groups = {group.get("id"): group for group in (groups.children if groups else ())}
        self._named: dict[str, Node] = {}
        """The node of every unit, by the site's ID."""
        self._waiting: list[tuple[Node, XmlElement]] = []
        top = self.elements.add_unit(root.line)
        paragraphs = [paragraph for unit in units.children for paragraph in unit.children]
        for number, paragraph in enumerate(paragraphs, start=1):
            for element in paragraph.children:
                self._read(element, top, number)
        for parent, element in self._waiting:
            self._refer(parent, element)

    def _new(self, element: XmlElement, parent: Node) -> Node:
        """A unit below ``parent``, with the element's categories on the edge."""
        node = self.elements.add_unit(element.line)
        uncertain = element.get("uncertain") == "true"
        parent.link(node.name, _categories(element), element.line, uncertain=uncertain)
        return node

    def _read(self, element: XmlElement, parent: Node, paragraph: int) -> None:
        if element.tag in ("remoteUnit", "linkage"):
            self._waiting.append((parent, element))
        elif element.tag == "implicitUnit":
            node = self._named[element.get("id")] = self._new(element, parent)
            node.attributes["implicit"] = "true"
        elif element.tag != "unit":
            element.fail(f"an element {element.tag[:40]!r}, which site XML does not have; remove it")
        elif (word := element.first("word")) is not None:
            self._read_word(element, word, parent, paragraph)
        else:
            self._read_unit(element, parent, paragraph)

    def _read_word(self, element: XmlElement, word: XmlElement, parent: Node, paragraph: int) -> None:
        punctuation = element.get("type") == "Punctuation"
        text = html.unescape("".join(word.texts).strip())
        token = self.elements.add_token(text, punctuation=punctuation, line=word.line, paragraph=str(paragraph))
        if punctuation:
            parent = self._named[element.get("id")] = self.elements.add_mark(parent, element.line)
        parent.link(token.name, [TERMINAL], word.line)

    def _read_unit(self, element: XmlElement, parent: Node, paragraph: int) -> None:
        group = element
        if (group_id := element.attributes.get("unitGroupID")) is not None:
            if group_id not in self._groups:
                element.fail(f"no unit group has the id {group_id!r} of this chunk; correct unitGroupID")
            group = self._groups[group_id]
        known = self._named.get(group_id) if group_id is not None else None
        node = known or self._new(group, parent)
        self._named[group.get("id")] = self._named[element.get("id")] = node
        children = element.children if known or group is element else [*element.children, *group.children]
        for child in children:
            self._read(child, node, paragraph)

    def _refer(self, parent: Node, element: XmlElement) -> None:
        """Add a remote edge or a linkage; all its units are known."""
        if element.tag == "remoteUnit":
            target = self._find(element.get("id"), element)
            parent.link(target, _categories(element), element.line, remote=True)
            return
        arguments = [self._find(name, element) for name in element.get("args").split(",")]
        linkage = self.elements.add_unit(element.line, "LKG")
        linkage.link(parent.name, [LINK_RELATION], element.line)
        for name in arguments:
            linkage.link(name, [LINK_ARGUMENT], element.line)

    def _find(self, name: str, element: XmlElement) -> str:
        if name not in self._named:
            element.fail(f"no unit has the id {name!r} that this {element.tag} names; correct the id")
        return self._named[name].name


def _categories(element: XmlElement) -> list[str]:
    names = element.get("type").split("|")
    unknown = [name for name in names if name.casefold() not in _TYPES]
    if unknown:
        element.fail(f"unit {element.get('id')!r} is of type {unknown[0][:40]!r}, which UCCA lacks; correct its type")
    return [_TYPES[name.casefold()] for name in names]
