"""UCCA standard XML (of UCCA's toolkit, TUPA and UCCAApp) to scene graphs and back; also reads site XML and JSON.

Format: FORMAT.md of UniversalConceptualCognitiveAnnotation/docs. Layer 0 holds the tokens, layer 1 the units; an edge
carries its categories in ``category`` children (UCCA 2), or in ``type`` alone (UCCA 1.x files). In the graph a unit
keeps its ID as its name, a token becomes its 0-based index. Beyond the schema of ``sema.model.scene_graph``:

* ``graph.extra[None]["passage_id"]``: the passage's ID; ``["attributes"]``: its attributes (``lang`` and others);
  ``["linkages"]``: the linkage nodes of older corpora as ``(ID, ((unit, "LR" | "LA"), …))``, kept for writing only;
* ``graph.extra[None]["typed_edges"]``: whether its edges had their categories in ``type`` alone, and are written so;
* ``paragraph`` on a token (1-based), ``uncertain`` on an edge or a unit that the annotator marked so.

Annotators' remarks, category slots and the ``extra`` bookkeeping of tools are not kept.

Input is untrusted: see :mod:`sema_ucca.xml_tree`.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from os import PathLike
from pathlib import Path

from sema.errors import InputError
from sema.files.replacing import replacing
from sema.model.scene_graph import PUNCTUATION, SceneGraph
from sema_ucca.elements import LINK_ARGUMENT, LINK_RELATION, MARK, ROOT, Elements, Node, build_graph, is_true
from sema_ucca.xml_tree import REMEDY, XmlElement, parse

MAX_BYTES = 64 * 2**20
"""Largest file that is read (the largest published passage has 0.4 MB)."""

_UNIT_ID = re.compile(r"1\.[0-9]+")
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def read_passage(source: str | PathLike[str] | bytes) -> SceneGraph:
    """Read one passage from a file, or from the bytes of one.

    Raises ``InputError`` (file, line, remedy) for anything that is not a valid UCCA passage: unreadable or larger than
    ``MAX_BYTES``, not XML, a document type declaration, another XML layout, IDs that are missing, repeated or dangling,
    primary edges that form a cycle, a passage without tokens; and beyond the limits of ``sema_ucca.xml_tree`` and
    of ``sema_ucca.elements``.
    """
    if isinstance(source, bytes):
        data, file = source, None
    else:
        data, file = _read_bytes(Path(source)), source
    try:
        if len(data) > MAX_BYTES:
            raise InputError(f"the file is larger than {MAX_BYTES >> 20} MiB; split it into passages")
        return _graph(data)
    except InputError as error:
        error.file = None if file is None else str(file)
        raise


def _graph(data: bytes) -> SceneGraph:
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):  # as JSON begins
        from sema_ucca.other_formats import read_app_elements

        return build_graph(read_app_elements(data))
    root = parse(data)
    if root.tag != "root":
        root.fail(f"the outermost element is {root.tag[:40]!r}, not 'root'; {REMEDY}")
    if root.first("units"):
        from sema_ucca.other_formats import read_site_elements

        return build_graph(read_site_elements(root))
    return build_graph(_read_elements(root))


def _read_elements(root: XmlElement) -> Elements:
    """The passage of a standard XML document."""
    elements = Elements(root.get("passageID"), root.listed("attributes"), typed_edges=True)
    for layer in root.all("layer"):
        nodes = {"0": elements.tokens, "1": elements.units}.get(_required(layer, "layerID", "a layer"))
        if nodes is None:
            continue
        for element in layer.all("node"):
            name = _required(element, "ID", "a node")
            if name in elements.tokens or name in elements.units:
                element.fail(f"the node ID {name!r} is used twice; give every node an ID of its own")
            nodes[name] = node = Node(name, element.get("type"), element.line, element.listed("attributes"))
            for edge in element.all("edge"):
                target, kind = _required(edge, "toID", f"an edge of node {name!r}"), edge.get("type")
                tags = [tag for category in edge.all("category") if (tag := category.get("tag"))]
                elements.typed_edges &= not tags
                marks = {mark: is_true(edge.listed("attributes").get(mark)) for mark in ("remote", "uncertain")}
                node.link(target, tags or ([kind] if kind else []), edge.line, **marks)
    return elements


def _required(element: XmlElement, name: str, what: str) -> str:
    value = element.get(name)
    if not value:
        element.fail(f"{what} has no {name}; add it, or write the file anew with UCCA's toolkit")
    return value


def write_passage(graph: SceneGraph, passage_id: str | None = None) -> bytes:
    """The passage as a standard XML document (UTF-8) that UCCA's toolkit reads.

    ``passage_id`` defaults to the one it was read with, or ``"1"``. Units keep their names if these are UCCA IDs under
    the root ``1.1``; else they are renumbered.

    Raises ``InputError`` if a token has a character that XML cannot carry.
    """
    names = _unit_ids(graph)
    about = graph.extra.get(None, {})
    if passage_id is None:
        passage_id = about.get("passage_id", "1")
    root = ElementTree.Element("root", annotationID="0", passageID=_xml_text(passage_id, "the passage ID"))
    ElementTree.SubElement(root, "attributes", about.get("attributes", {}))
    _write_tokens(graph, _layer(root, "0"))
    units = _layer(root, "1")
    typed = bool(about.get("typed_edges"))
    above = [(child, categories) for unit in names for child, categories, _ in graph.edges(unit)]
    parents = Counter(child for child, _ in above)
    punctuation = {child for child, categories in above if categories == (PUNCTUATION,) and parents[child] == 1}
    for unit, name in names.items():
        node = ElementTree.SubElement(units, "node", ID=name, type=MARK if unit in punctuation else "FN")
        uncertain = graph.extra.get(unit, {}).get("uncertain", False)
        marks = _marks(implicit=unit in graph.implicit, uncertain=uncertain)
        ElementTree.SubElement(node, "attributes", marks)
        for child, categories, remote in graph.edges(unit):
            marks = _marks(remote=remote, uncertain=graph.extra.get((unit, child), {}).get("uncertain", False))
            target = f"0.{child + 1}" if isinstance(child, int) else names[child]
            _write_edge(node, target, categories, marks, typed)
    _write_linkages(graph, units, names, typed)
    ElementTree.indent(root)
    document = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{document}\n'.encode()


def write_file(graph: SceneGraph, file: str | PathLike[str]) -> None:
    """Write a passage to ``file``; its ID is the one it was read with, or the file's stem."""
    document = write_passage(graph, graph.extra.get(None, {}).get("passage_id", Path(file).stem))
    with replacing(Path(file)) as target:
        target.write(document)


def _read_bytes(path: Path) -> bytes:
    try:
        if path.is_dir():
            raise InputError("is a folder; name one UCCA XML file", file=path)
        if path.exists() and not path.is_file():  # a pipe or a device might never end
            raise InputError("is not a regular file; name a UCCA XML file", file=path)
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise InputError("does not exist; name a UCCA XML file", file=path) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        if isinstance(error, InputError):
            raise
        raise InputError(f"cannot be read: {getattr(error, 'strerror', None) or error}", file=path) from error


def _marks(**marks: bool) -> dict[str, str]:
    """The marks of a unit or an edge, as in the XML."""
    return {name: "True" for name, marked in marks.items() if marked}


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


def _layer(root: ElementTree.Element, number: str) -> ElementTree.Element:
    layer = ElementTree.SubElement(root, "layer", layerID=number)
    ElementTree.SubElement(layer, "attributes")
    return layer


def _write_tokens(graph: SceneGraph, layer: ElementTree.Element) -> None:
    positions: dict[int, int] = {}
    for index, text in enumerate(graph.tokens):
        paragraph = graph.extra.get(index, {}).get("paragraph", 1)
        positions[paragraph] = positions.get(paragraph, 0) + 1
        kind = "Punctuation" if index in graph.punctuation else "Word"
        node = ElementTree.SubElement(layer, "node", ID=f"0.{index + 1}", type=kind)
        place = {"paragraph": str(paragraph), "paragraph_position": str(positions[paragraph])}
        ElementTree.SubElement(node, "attributes", {**place, "text": _xml_text(text, f"token {index + 1}")})


def _write_edge(
    node: ElementTree.Element, target: str, categories: tuple[str, ...], marks: dict[str, str], typed: bool
) -> None:
    """An edge; ``typed`` writes its category in ``type`` alone, an edge for each category."""
    for kind in categories if typed else categories[:1]:
        edge = ElementTree.SubElement(node, "edge", toID=target, type=kind)
        ElementTree.SubElement(edge, "attributes", marks)
        for category in () if typed else categories:
            ElementTree.SubElement(edge, "category", {"tag": category})


def _write_linkages(graph: SceneGraph, layer: ElementTree.Element, names: dict[str, str], typed: bool) -> None:
    taken = set(names.values())
    for name, arguments in graph.extra.get(None, {}).get("linkages", ()):
        kept = [(names[unit], role) for unit, role in arguments if unit in names]
        if not {LINK_RELATION, LINK_ARGUMENT} <= {role for _, role in kept}:
            continue
        number = len(taken) + 1
        while name in taken or not _UNIT_ID.fullmatch(name):
            name, number = f"1.{number}", number + 1
        taken.add(name)
        node = ElementTree.SubElement(layer, "node", ID=name, type="LKG")
        ElementTree.SubElement(node, "attributes")
        for target, role in kept:
            _write_edge(node, target, (role,), {}, typed)
