"""What the pictures share: elements with everything escaped, how wide a text is, colours for light and dark."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

FONT_SIZE = 15
"""Of words, in the picture's units (pixels where it is shown at its own size)."""

_NARROW = frozenset("iljtfrI.,;:'|!()[]{}`- ")
_WIDE = frozenset("mwMW@%—")

KINDS = ("exact", "form", "synonym", "paraphrase", "contextual", "hyponymy")
"""The kinds of links, the surest first; every other kind is drawn like the last."""

STYLE = """
.sema-svg{--ink:#1d2430;--soft:#667085;--line:#98a2b3;--scene:#0b6e6e;--remote:#a15c07;--paper:#fff;
--k-exact:#5b6472;--k-form:#0b7285;--k-synonym:#2b59c3;--k-paraphrase:#8437b5;--k-contextual:#a15c07;--k-hyponymy:#b42346}
@media (prefers-color-scheme:dark){.sema-svg{--ink:#e6e9ef;--soft:#9aa4b5;--line:#5f6b7d;--scene:#58c7c2;
--remote:#e0a458;--paper:#14181f;--k-exact:#a9b3c1;--k-form:#57c4d8;--k-synonym:#8fb0ff;--k-paraphrase:#d09bf5;
--k-contextual:#e8b365;--k-hyponymy:#ff8fa6}}
@media print{.sema-svg{--ink:#000;--soft:#444;--line:#777;--scene:#0b6e6e;--remote:#a15c07;--paper:#fff}}
.sema-svg text{font-family:system-ui,-apple-system,"Segoe UI","Noto Sans","Noto Sans CJK SC","PingFang SC",sans-serif;
fill:var(--ink)}
.sema-svg .paper{fill:var(--paper)}
.sema-svg .soft{fill:var(--soft)}
.sema-svg .halo{stroke:var(--paper);stroke-width:4px;paint-order:stroke;stroke-linejoin:round}
.sema-svg path,.sema-svg line{fill:none;stroke:var(--line);stroke-width:1.4}
.sema-svg .remote{stroke:var(--remote);stroke-dasharray:5 4}
.sema-svg text.remote{fill:var(--remote);stroke:none}
.sema-svg circle{fill:var(--paper);stroke:var(--line);stroke-width:1.4}
.sema-svg circle.scene{fill:var(--scene);stroke:var(--scene)}
.sema-svg text.main{font-weight:700;fill:var(--scene)}
.sema-svg .lost{fill:var(--k-hyponymy);text-decoration:line-through}
.sema-svg .added{fill:var(--k-contextual);text-decoration:underline dotted}
.sema-svg path.link{stroke-width:1.8}
.sema-svg path.k-exact{stroke:var(--k-exact)}
.sema-svg path.k-form{stroke:var(--k-form);stroke-dasharray:9 3}
.sema-svg path.k-synonym{stroke:var(--k-synonym);stroke-width:2.6}
.sema-svg path.k-paraphrase{stroke:var(--k-paraphrase);stroke-dasharray:2 3}
.sema-svg path.k-contextual{stroke:var(--k-contextual);stroke-dasharray:6 3 1 3}
.sema-svg path.k-hyponymy{stroke:var(--k-hyponymy);stroke-dasharray:1 5;stroke-linecap:round;stroke-width:3}
"""


def text_width(text: str, size: float = FONT_SIZE) -> float:
    """About how wide a text is set; East Asian characters are square."""
    total = 0.0
    for char in text:
        if unicodedata.combining(char):
            continue
        if unicodedata.east_asian_width(char) in "WF":
            total += 1.0
        elif char in _NARROW:
            total += 0.34
        elif char in _WIDE or char.isupper():
            total += 0.78
        else:
            total += 0.56
    return total * size


def element(name: str, content: str = "", **attributes: object) -> str:
    """An element; ``content`` is markup, attributes are escaped; a trailing ``_`` and ``_`` for ``-`` in names."""
    given = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(_plain(value))}"
        for key, value in attributes.items()
        if value is not None and value != ""
    )
    return f"<{name}{given}>{content}</{name}>" if content else f"<{name}{given}/>"


def label(x: float, y: float, text: str, *, size: float = FONT_SIZE, anchor: str = "middle", class_: str = "") -> str:
    """A piece of text, escaped; control characters that XML has no place for are shown as a replacement mark."""
    return element("text", clean(text), x=x, y=y, font_size=size, text_anchor=anchor, class_=class_)


def clean(text: str) -> str:
    """The text as XML takes it."""
    return escape("".join(char if char in "\t\n" or char.isprintable() or char == " " else "�" for char in text))


def picture(width: float, height: float, title: str, parts: Iterable[str], *, styled: bool = True) -> str:
    """The whole picture. ``styled`` puts the colours in; without, the page that shows it must have :data:`STYLE`."""
    style = f"<style>{STYLE}</style>" if styled else ""
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="sema-svg" role="img" aria-label={quoteattr(clean(title))} '
        f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}">'
        f"<title>{clean(title)}</title>{style}"
        f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>{body}</svg>'
    )


def _plain(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
