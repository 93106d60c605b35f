"""An XML document as a tree of elements with their lines: bounded, safe with untrusted input.

defusedxml's SAX parser refuses every document type declaration before it takes effect, so no entity is ever defined,
expanded or fetched (lxml's equivalent is a set of switches to get right, and a compiled dependency); the limits below
hold while it reads, and it knows the line of every element.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, InputSource, Locator

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import create_parser

from sema.errors import InputError

MAX_ELEMENTS = 1_000_000
"""Most XML elements in a document (a token takes about ten)."""
MAX_DEPTH = 500
"""Deepest nesting of XML elements: standard XML has five levels, site XML nests them as units are nested."""
REMEDY = "name a UCCA standard XML file"


@dataclass(slots=True)
class XmlElement:
    """An element with its line, its children and the text directly in it, in pieces."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[XmlElement] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def get(self, name: str) -> str:
        """An attribute; empty if there is none."""
        return self.attributes.get(name, "")

    def all(self, tag: str) -> Iterator[XmlElement]:
        """The children of that name."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> XmlElement | None:
        """The first child of that name."""
        return next(self.all(tag), None)

    def listed(self, tag: str) -> dict[str, str]:
        """The attributes of the first child of that name; none without one."""
        child = self.first(tag)
        return {} if child is None else child.attributes

    def fail(self, message: str) -> NoReturn:
        """Raise an ``InputError`` about this element."""
        raise InputError(message, line=self.line)


def parse(data: bytes) -> XmlElement:
    """The outermost element; ``InputError`` with the line if the document is not well-formed or has a DTD."""
    builder = _Builder()
    # In one piece: fed in blocks, a long attribute would be read from its start for each of them.
    parser = create_parser(bufsize=len(data) + 1, forbid_dtd=True)
    parser.setContentHandler(builder)
    source = InputSource()
    source.setByteStream(io.BytesIO(data))
    try:
        parser.parse(source)
    except InputError:
        raise
    except DefusedXmlException as error:
        raise InputError(
            "a document type declaration, which UCCA XML never needs and which can hide an attack; remove it",
            line=builder.line,
        ) from error
    except SAXParseException as error:
        raise InputError(f"not well-formed XML: {error.getMessage()}; {REMEDY}", line=error.getLineNumber()) from error
    except (SAXException, ValueError, LookupError) as error:  # an encoding that expat or Python does not know
        raise InputError(f"not readable as XML: {error}; {REMEDY}", line=builder.line) from error
    return builder.document.children[0]


class _Builder(ContentHandler):
    def __init__(self) -> None:
        super().__init__()
        self.document = XmlElement("", {}, 0)
        self._open = [self.document]
        self._count = 0
        self._place: Locator | None = None

    @property
    def line(self) -> int:
        """The parser's current line, from 1; 0 before it starts."""
        return (self._place.getLineNumber() if self._place else None) or 0

    def setDocumentLocator(self, locator: Locator) -> None:
        self._place = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:
        element = XmlElement(name, dict(attrs.items()), self.line)
        self._count += 1
        if self._count > MAX_ELEMENTS:
            element.fail(f"more than {MAX_ELEMENTS} elements; split the file into passages")
        if len(self._open) > MAX_DEPTH:
            element.fail(f"elements are nested more than {MAX_DEPTH} deep; {REMEDY}")
        self._open[-1].children.append(element)
        self._open.append(element)

    def endElement(self, name: str) -> None:
        self._open.pop()

    def characters(self, content: str) -> None:
        self._open[-1].texts.append(content)
