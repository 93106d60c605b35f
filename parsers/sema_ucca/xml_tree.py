"""An XML document as a tree of elements with their lines: bounded, safe with untrusted input.

As in defusedxml, every document type declaration is refused before it takes effect, so no entity is ever defined,
expanded or fetched; the limits below hold while expat reads, and it knows the line of every element.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.parsers import expat

from sema.errors import InputError

MAX_ELEMENTS = 1_000_000
"""Most XML elements in a document (a token takes about ten)."""
MAX_DEPTH = 500
"""Deepest nesting of XML elements; standard XML has five levels."""
REMEDY = "name a UCCA standard XML file"


@dataclass(slots=True)
class XmlElement:
    """An element with its line and its children; text is not kept."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[XmlElement] = field(default_factory=list)

    def get(self, name: str) -> str:
        """An attribute; empty if there is none."""
        return self.attributes.get(name, "")

    def all(self, tag: str) -> Iterator[XmlElement]:
        """The children of that name."""
        return (child for child in self.children if child.tag == tag)

    def listed(self, tag: str) -> dict[str, str]:
        """The attributes of the first child of that name; none without one."""
        child = next(self.all(tag), None)
        return {} if child is None else child.attributes

    def fail(self, message: str) -> NoReturn:
        """Raise an ``InputError`` about this element."""
        raise InputError(message, line=self.line)


def parse(data: bytes) -> XmlElement:
    """The outermost element; ``InputError`` with the line if the document is not well-formed or has a DTD."""
    opened = [XmlElement("", {}, 0)]
    count = 0
    parser = expat.ParserCreate()

    def refuse_dtd(*_: object) -> NoReturn:
        message = "a document type declaration, which UCCA XML never needs and which can hide an attack; remove it"
        raise InputError(message, line=parser.CurrentLineNumber)

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        element = XmlElement(name, attributes, parser.CurrentLineNumber)
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
