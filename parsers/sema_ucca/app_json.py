"""UCCAApp's JSON: a task as the application exports it, and as UCCA's toolkit writes it (``to_json``).

``tokens`` are in the order of ``index_in_task``; those that need no annotation are punctuation. ``annotation_units``
are the units, each with its path in the tree (``tree_id``), its parent's, its categories by name or, through the
project's layers, by number, and all tokens below it. A remote copy names the unit that it repeats. Punctuation
outside units goes below the root. Details follow UCCA's toolkit (``from_json``).

The same checks apply as to UCCA standard XML (:mod:`sema_ucca.elements`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from sema.errors import InputError
from sema.model.scene_graph import CATEGORIES, TERMINAL
from sema_ucca.elements import MARK, Elements, Node
from sema_ucca.xml_tree import MAX_ELEMENTS

UNCERTAIN = "uncertain"
_NO_CATEGORY = frozenset({UNCERTAIN, "unanalyzable", "coordinatedmainrel."})
"""Categories of the application that describe a unit without naming its kind."""
_TAGS = MappingProxyType(
    {name.casefold().replace(" ", ""): tag for tag, name in CATEGORIES.items()}
    | {tag.casefold(): tag for tag in CATEGORIES}
)
_REMEDY = "give the JSON of a finished annotation task, as UCCAApp exports it"

Entry = dict[str, Any]


def is_app_json(data: bytes) -> bool:
    """Whether a document begins as JSON does."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"[")


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
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"is no task of UCCAApp's ({type(error).__name__}: {error}); {_REMEDY}") from error


class _TaskReader:
    """Turns a task into nodes and edges; remote copies are resolved after all units are read."""

    def __init__(self, task: Entry) -> None:
        tokens, units = task["tokens"], task["annotation_units"]
        if len(tokens) + len(units) > MAX_ELEMENTS:
            raise InputError(f"more than {MAX_ELEMENTS} tokens and units; split the passage")
        passage = task.get("passage") or {}
        self.elements = Elements(str(passage.get("id") or task.get("manager_comment") or task.get("id") or "1"))
        self._layers = dict(_categories_of_layers(task.get("project") or {}))
        self._token_of = {
            str(token["id"]): self.elements.add_token(
                str(token["text"]), punctuation=not token.get("require_annotation", True)
            )
            for token in sorted(tokens, key=lambda token: int(token["index_in_task"]))
        }
        self._node_of: dict[str, Node] = {}
        """The node of every unit that is not a copy, by its path."""
        self._holder: dict[str, Node] = {}
        """The innermost unit of each token."""
        self._root = self.elements.add_unit()
        ordered = sorted(units, key=lambda unit: len(str(unit["tree_id"]).split("-")))
        for unit in ordered:
            if not unit.get("is_remote_copy"):
                self._read(unit)
        for unit in ordered:
            if unit.get("is_remote_copy"):
                target = self._find(unit, "cloned_from_tree_id")
                self._link(self._find(unit, "parent_tree_id"), target, unit, remote=True)
        self._place_tokens()

    def _read(self, unit: Entry) -> None:
        """A unit of the tree, and the tokens below it."""
        path = str(unit["tree_id"])
        if path in self._node_of:
            raise InputError(f"two units have the tree_id {path!r}; export the task again")
        if unit.get("parent_tree_id") is None:
            self._node_of[path] = self._root
            return
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
        for token in tokens:
            self._holder[token.name] = node

    def _link(self, parent: Node, target: Node, unit: Entry, *, remote: bool = False) -> None:
        """Link two units by the categories of an entry."""
        names = [self._category_name(category, unit) for category in unit.get("categories") or ()]
        plain = [name.casefold().replace(" ", "").replace("_", "") for name in names]
        unknown = [name for name, key in zip(names, plain, strict=True) if key not in _TAGS and key not in _NO_CATEGORY]
        if unknown:
            raise InputError(
                f"unit {unit['tree_id']} has the category {unknown[0][:40]!r}, which UCCA's foundational layer lacks; "
                "export the task of that layer"
            )
        tags = [_TAGS[key] for key in plain if key in _TAGS]
        if not tags:
            raise InputError(f"unit {unit['tree_id']} has no category; finish its annotation")
        parent.link(target.name, tags, remote=remote, uncertain=UNCERTAIN in plain)

    def _category_name(self, category: Entry, unit: Entry) -> str:
        """A category's name; for a category of a refining layer, the name of the one that it refines."""
        known = self._layers.get(str(category.get("id")), category)
        met: list[Entry] = []
        while known.get("parent") and known not in met:
            met.append(known)
            parent: Entry = known["parent"]
            known = self._layers.get(str(parent.get("id")), parent)
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

    def _place_tokens(self) -> None:
        for token in self.elements.tokens.values():
            holder = self._holder.get(token.name, self._root)
            if token.kind == "Punctuation" and holder.kind != MARK:
                holder = self.elements.add_mark(holder)
            holder.link(token.name, [TERMINAL])


def _categories_of_layers(project: Mapping[str, Any]) -> Iterator[tuple[str, Entry]]:
    """The categories of the project's layer and of those it builds on, by number."""
    layer = project.get("layer")
    while layer:
        for category in layer.get("categories") or ():
            yield str(category["id"]), category
        layer = layer.get("parent")
