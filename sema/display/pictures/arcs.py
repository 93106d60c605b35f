"""Word links between a source and its output as a picture: two lines of words with curves between them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sema.display.pictures.svg import FONT_SIZE, clean, element, label, picture, right_to_left, text_width
from sema.model.links import Alignment, LinkKind
from sema.model.text import is_punctuation

MARGIN, GAP, SENTENCE_GAP, RISE, BASE = 24.0, 11.0, 34.0, 190.0, 52.0
LEGEND_ROW = 30.0

Places = list[tuple[float, float]]  # the x positions of each word of a row: its start and its middle


def alignment_svg(shown: Alignment, *, styled: bool = True) -> str:
    """Draw links; words without one are struck out (source) or dotted (output), punctuation is not marked.

    ``styled``: whether the picture contains its own colours (:func:`sema.display.pictures.svg.picture`).
    """
    source, sentences, links = shown.source, shown.sentences, shown.links
    sides = ([source], sentences)
    ends = [_places(rows, MARGIN)[1] for rows in sides]
    (above,), below = (_places(rows, MARGIN + (max(ends) - end) / 2)[0] for rows, end in zip(sides, ends, strict=True))
    linked = [(row, link) for row, sentence in zip(below, links, strict=True) for link in sentence]
    parts = [_curve(above[link[0]][1], row[link[1]][1], link[2]) for row, link in linked]
    parts.append(label(MARGIN, 18, "source", size=11, anchor="start", class_="soft"))
    parts.append(label(MARGIN, BASE + RISE + 34, "output", size=11, anchor="start", class_="soft"))
    kept = {link[0] for _, link in linked}
    every = [word for words in sentences for word in words]
    parts += _words(source, above, BASE - 8, kept, "lost")
    for number, (words, row, sentence) in enumerate(zip(sentences, below, links, strict=True), start=1):
        if row and len(sentences) > 1:
            before = row[0][0] + (13 if right_to_left(every) else -13)
            parts.append(label(before, BASE + RISE + 8, str(number), size=11, class_="soft"))
        parts += _words(words, row, BASE + RISE + 10, {link[1] for link in sentence}, "added")
    height = BASE + RISE + 44 + LEGEND_ROW
    parts.append(_legend({link[2] for _, link in linked}, height))
    title = f"Word links: {' '.join(source)} / {' '.join(every)}"
    return picture(max(max(ends) + MARGIN, 560.0), height, title, parts, styled=styled)


def _places(rows: Sequence[Sequence[str]], x: float) -> tuple[list[Places], float]:
    """The places of all rows on one line from ``x`` on, and the line's end; Arabic runs from the end to ``x``."""
    start, end = x, 0.0
    result = []
    for number, row in enumerate(rows):
        x += SENTENCE_GAP if number else 0
        places = []
        for word in row:
            end = x + max(text_width(word), 0.6 * FONT_SIZE)
            places.append((x, (x + end) / 2))
            x = end + GAP
        result.append(places)
    if right_to_left(word for row in rows for word in row):
        result = [[(start + end - x, start + end - middle) for x, middle in places] for places in result]
    return result, end


def _words(words: Sequence[str], places: Places, y: float, linked: Collection[int], mark: str) -> list[str]:
    return [
        label(middle, y, word, class_="" if index in linked or is_punctuation(word) else mark)
        for index, (word, (_, middle)) in enumerate(zip(words, places, strict=True))
    ]


def _curve(x1: float, x2: float, kind: LinkKind) -> str:
    top, bottom, middle = BASE, BASE + RISE - 8, BASE + RISE / 2
    path = f"M{x1:.1f} {top:.0f}C{x1:.1f} {middle:.0f} {x2:.1f} {middle:.0f} {x2:.1f} {bottom:.0f}"
    return element("path", element("title", clean(kind)), d=path, class_=f"link k-{kind}")


def _legend(kinds: Collection[LinkKind], height: float) -> str:
    parts, x, y = [], MARGIN, height - 14
    for kind in (kind for kind in LinkKind if kind in kinds):
        parts.append(element("path", d=f"M{x:.0f} {y - 4:.0f}h30", class_=f"link k-{kind}"))
        parts.append(label(x + 36, y, kind, size=12, anchor="start", class_="soft"))
        x += 36 + text_width(kind, 12) + 22
    return "".join(parts)
