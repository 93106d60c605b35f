"""The annotation application's own formats: UCCAApp's JSON, and the site XML of the application before it.

Both are read as UCCA's toolkit reads them (``from_json``, ``from_site``), and the same checks apply as to UCCA standard
XML (:mod:`sema_ucca.elements`).

In JSON, ``tokens`` are in the order of ``index_in_task``; those that need no annotation are punctuation.
``annotation_units`` are the units, each with its path in the tree (``tree_id``), its parent's, its categories by name
or, through the project's layers, by number, and all tokens below it. A remote copy names the unit that it repeats.

In site XML, ``units/unit`` holds the paragraphs; below them units contain each other as in the text. A word has a unit
of its own; a discontiguous unit is several chunks that name one entry of ``unitGroups``; remote units and linkages name
other units by their ``id``; an implicit unit is an element without content.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterable
from typing import Any

from sema.errors import InputError
from sema.model.scene_graph import CATEGORIES, TERMINAL
from sema_ucca.elements import LINK_ARGUMENT, LINK_RELATION, MARK, Elements, Node
from sema_ucca.xml_tree import MAX_ELEMENTS, XmlElement

_NAMED = {name.casefold(): tag for tag, name in CATEGORIES.items()}
"""Categories by their names."""
_SITE_TYPES = _NAMED | {"linked u": "H", "role marker": "R"}
_APP_TAGS = {name.replace(" ", ""): tag for name, tag in _NAMED.items()} | {tag.casefold(): tag for tag in CATEGORIES}
_UNCERTAIN = "uncertain"
_NO_CATEGORY = frozenset({_UNCERTAIN, "unanalyzable", "coordinatedmainrel."})
"""Categories of UCCAApp that describe a unit without naming its kind."""
_REMEDY = "give the JSON of a finished annotation task, as UCCAApp exports it"

Entry = dict[str, Any]


def read_app_elements(data: bytes) -> Elements:
    """The passage's ID, tokens and units of a task.

    Raises:
        InputError: it is not a valid task; ``line`` is set if it is not JSON.
    """
    try:
        task = json.loads(data)
    except json.JSONDecodeError as error:
        raise InputError(f"not well-formed JSON: {error.msg}; {_REMEDY}", line=error.lineno) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"not readable as JSON: {error}; {_REMEDY}") from error
    if not isinstance(task, dict) or "tokens" not in task:
        raise InputError(f"is JSON, but no task of UCCAApp's: it has no tokens; {_REMEDY}")
    if "annotation_units" not in task:
        raise InputError(f"is a task without annotation_units (a tokenization task?); {_REMEDY}")
    try:
        return _TaskReader(task).elements
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise InputError(f"is no task of UCCAApp's ({type(error).__name__}: {error}); {_REMEDY}") from error


class _TaskReader:
    """Turns a task into nodes and edges; remote copies are resolved after all units are read."""

    def __init__(self, task: Entry) -> None:
        tokens, units = task["tokens"], task["annotation_units"]
        if len(tokens) + len(units) > MAX_ELEMENTS:
            raise InputError(f"more than {MAX_ELEMENTS} tokens and units; split the passage")
        passage = task.get("passage") or {}
        self.elements = Elements(str(passage.get("id") or task.get("manager_comment") or task.get("id") or "1"))
        self._categories: dict[str, Entry] = {}
        """The categories of the project's layer and of those it builds on, by number."""
        layer = (task.get("project") or {}).get("layer")
        while layer:
            self._categories |= {str(category["id"]): category for category in layer.get("categories") or ()}
            layer = layer.get("parent")
        self._token_of = {
            str(token["id"]): self.elements.add_token(
                str(token["text"]), punctuation=not token.get("require_annotation", True)
            )
            for token in sorted(tokens, key=lambda token: int(token["index_in_task"]))
        }
        self._root = self.elements.add_unit()
        self._node_of: dict[str, Node] = {}
        """The node of every unit that is not a copy, by its path."""
        holder: dict[str, Node] = {}
        """The innermost unit of each token."""
        ordered = sorted(units, key=lambda unit: len(str(unit["tree_id"]).split("-")))
        for unit in ordered:
            if not unit.get("is_remote_copy"):
                holder |= self._read(unit)
        for unit in ordered:
            if unit.get("is_remote_copy"):
                target = self._find(unit, "cloned_from_tree_id")
                self._link(self._find(unit, "parent_tree_id"), target, unit, remote=True)
        for token in self.elements.tokens.values():
            unit = holder.get(token.name, self._root)
            if token.kind == "Punctuation" and unit.kind != MARK:
                unit = self.elements.add_mark(unit)
            unit.link(token.name, [TERMINAL])

    def _read(self, unit: Entry) -> dict[str, Node]:
        """Add a unit of the tree; returns it for each of the tokens below it."""
        path = str(unit["tree_id"])
        if path in self._node_of:
            raise InputError(f"two units have the tree_id {path!r}; export the task again")
        if unit.get("parent_tree_id") is None:
            self._node_of[path] = self._root
            return {}
        parent = self._find(unit, "parent_tree_id")
        implicit = unit.get("type") == "IMPLICIT"
        tokens = [] if implicit else [self._token(token, path) for token in unit.get("children_tokens") or ()]
        if len(tokens) == 1 and tokens[0].kind == "Punctuation":
            node = self.elements.add_mark(parent)
        else:
            node = self.elements.add_unit()
            self._link(parent, node, unit)
        self._node_of[path] = node
        if implicit:
            node.attributes["implicit"] = "true"
        return {token.name: node for token in tokens}

    def _link(self, parent: Node, target: Node, unit: Entry, *, remote: bool = False) -> None:
        """Link two units by the categories of an entry."""
        names = [self._category_name(category, unit) for category in unit.get("categories") or ()]
        plain = [name.casefold().replace(" ", "").replace("_", "") for name in names]
        for name, key in zip(names, plain, strict=True):
            if key not in _APP_TAGS and key not in _NO_CATEGORY:
                raise InputError(
                    f"unit {unit['tree_id']} has the category {name[:40]!r}, which UCCA's foundational layer lacks; "
                    "export the task of that layer"
                )
        tags = [_APP_TAGS[key] for key in plain if key in _APP_TAGS]
        if not tags:
            raise InputError(f"unit {unit['tree_id']} has no category; finish its annotation")
        parent.link(target.name, tags, remote=remote, uncertain=_UNCERTAIN in plain)

    def _category_name(self, category: Entry, unit: Entry) -> str:
        """A category's name; for a category of a refining layer, the name of the one that it refines."""
        known = self._categories.get(str(category.get("id")), category)
        met: list[Entry] = []
        while known.get("parent") and known not in met:
            met.append(known)
            parent: Entry = known["parent"]
            known = self._categories.get(str(parent.get("id")), parent)
        name = known.get("name") or category.get("name")
        if not name:
            raise InputError(
                f"unit {unit['tree_id']} has category {category.get('id')!r}, which no layer of the task has"
            )
        return str(name)

    def _token(self, token: Entry, path: str) -> Node:
        node = self._token_of.get(str(token["id"]))
        if node is None:
            raise InputError(f"unit {path} has token {token['id']!r}, which the task lacks; export the task again")
        return node

    def _find(self, unit: Entry, key: str) -> Node:
        node = self._node_of.get(str(unit.get(key)))
        if node is None:
            raise InputError(f"unit {unit['tree_id']} has the {key} {unit.get(key)!r}, which no unit has")
        return node


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
            self._read(paragraph.children, top, str(number))
        for parent, element in self._waiting:
            self._refer(parent, element)

    def _read(self, elements: Iterable[XmlElement], parent: Node, paragraph: str) -> None:
        for element in elements:
            if element.tag in ("remoteUnit", "linkage"):
                self._waiting.append((parent, element))
            elif element.tag == "implicitUnit":
                self._new(element, parent).attributes["implicit"] = "true"
            elif element.tag != "unit":
                element.fail(f"an element {element.tag[:40]!r}, which site XML does not have; remove it")
            elif (word := element.first("word")) is not None:
                self._read_word(element, word, parent, paragraph)
            else:
                self._read_unit(element, parent, paragraph)

    def _new(self, element: XmlElement, parent: Node) -> Node:
        """A unit below ``parent``, with the element's categories on the edge."""
        node = self._named[element.get("id")] = self.elements.add_unit(element.line)
        uncertain = element.get("uncertain") == "true"
        parent.link(node.name, _categories(element), element.line, uncertain=uncertain)
        return node

    def _read_word(self, element: XmlElement, word: XmlElement, parent: Node, paragraph: str) -> None:
        punctuation = element.get("type") == "Punctuation"
        text = html.unescape("".join(word.texts).strip())
        token = self.elements.add_token(text, punctuation=punctuation, line=word.line, paragraph=paragraph)
        if punctuation:
            parent = self._named[element.get("id")] = self.elements.add_mark(parent, element.line)
        parent.link(token.name, [TERMINAL], word.line)

    def _read_unit(self, element: XmlElement, parent: Node, paragraph: str) -> None:
        """A unit, or a chunk of one: its group has the categories, and what all chunks contain."""
        name = element.attributes.get("unitGroupID")
        if name is None:
            self._read(element.children, self._new(element, parent), paragraph)
            return
        group = self._groups.get(name) or element.fail(
            f"no unit group has the id {name!r} of this chunk; correct unitGroupID"
        )
        known = self._named.get(name)
        node = self._named[element.get("id")] = known or self._new(group, parent)
        self._read(element.children if known else [*element.children, *group.children], node, paragraph)

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
    for name in names:
        if name.casefold() not in _SITE_TYPES:
            element.fail(f"unit {element.get('id')!r} is of type {name[:40]!r}, which UCCA lacks; correct its type")
    return [_SITE_TYPES[name.casefold()] for name in names]
