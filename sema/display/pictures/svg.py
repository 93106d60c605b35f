"""Shared by the pictures: escaped elements, text widths, colours for light and dark."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

FONT_SIZE = 15  # the size of words in the picture's units (pixels at its natural size)

_NARROW = frozenset("iljtfrI.,;:'|!()[]{}`- ")
_WIDE = frozenset("mwMW@%—")


@cache
def asset(name: str, package: str = "sema.display") -> str:
    """The text of a file among a package's templates; ``sema.css`` includes the pictures' colours."""
    text = files(package).joinpath("templates", name).read_text(encoding="utf-8")
    return text + "\n" + asset("pictures.css") if name == "sema.css" else text


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """The approximate width of a text; East Asian characters are square."""
    return size * sum(map(_char_width, text))


def right_to_left(words: Iterable[str]) -> bool:
    """Whether most letters of the words belong to right-to-left scripts."""
    letters = Counter(unicodedata.bidirectional(char) for word in words for char in word)
    return letters["R"] + letters["AL"] > letters["L"]


def is_square(char: str) -> bool:
    """Whether a character is East Asian and as wide as it is high."""
    return unicodedata.east_asian_width(char or " ") in "WF"


def _char_width(char: str) -> float:
    if unicodedata.combining(char):
        return 0.0
    if is_square(char):
        return 1.0
    if char in _NARROW:
        return 0.34
    return 0.78 if char in _WIDE or char.isupper() else 0.56


def element(name: str, content: str = "", **attributes: object) -> str:
    """An element of markup ``content`` and escaped attributes; their names lose a final ``_``, others become ``-``."""
    from xml.sax.saxutils import quoteattr  # imports HTTP and TLS

    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_plain(value))}"
        for key, value in attributes.items()
        if value is not None and value != ""
    )
    return f"<{name}{given}>{content}</{name}>" if content else f"<{name}{given}/>"


def label(x: float, y: float, text: str, *, size: float = FONT_SIZE, anchor: str = "middle", class_: str = "") -> str:
    """A piece of text, escaped; unprintable characters become the replacement character."""
    return element("text", clean(text), x=x, y=y, font_size=size, text_anchor=anchor, class_=class_)


def clean(text: str) -> str:
    """The text escaped for XML, quotes too, with unprintable characters replaced."""
    from xml.sax.saxutils import escape

    shown = "".join(char if char in "\t\n" or char.isprintable() or char == " " else "�" for char in text)
    return escape(shown, {'"': "&quot;"})


def picture(width: float, height: float, title: str, parts: Iterable[str], *, styled: bool = True) -> str:
    """The whole picture. ``styled`` embeds the colours; otherwise the page that shows it must have ``sema.css``."""
    sheet = f"<style>\n.sema-svg{{color-scheme:light dark}}\n{asset('pictures.css')}</style>" if styled else ""
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sema-svg" role="img" aria-label="{clean(title)}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}">'
        f"<title>{clean(title)}</title>{sheet}"
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>{body}</svg>'
    )


def _plain(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
