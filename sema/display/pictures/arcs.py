"""Word links between a source and its output as a picture: two lines of words with curves between them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sema.display.pictures.svg import FONT_SIZE, KINDS, clean, element, label, picture, text_width

MARGIN, GAP, SENTENCE_GAP, RISE, BASE = 24.0, 11.0, 34.0, 190.0, 52.0
LEGEND_ROW = 30.0

LinkRow = Sequence[object]
"""Source index, index in the output sentence, kind."""


def alignment_svg(
    source: Sequence[str],
    sentences: Sequence[Sequence[str]],
    links: Sequence[Sequence[LinkRow]],
    *,
    unmarked: Collection[str] = (),
    styled: bool = True,
) -> str:
    """Draw links; words without one are struck out (source) or dotted (output).

    Args:
        source: the source's words.
        sentences: the output's words, sentence by sentence.
        links: for each output sentence its links (source index, index in the sentence, kind).
        unmarked: words that are left as they are though nothing links them (punctuation).
        styled: whether the picture brings its colours along (:func:`sema.display.pictures.svg.picture`).
    """
    above = _places([source])
    below = _places(sentences)
    width = max([end for _, end in (*above[0], *(place for row in below for place in row))], default=0.0) + MARGIN
    shift_above = (width - MARGIN - _end(above)) / 2
    shift_below = (width - MARGIN - _end(below)) / 2
    kept = {int(str(link[0])) for sentence in links for link in sentence}
    parts: list[str] = []
    used: set[str] = set()
    for row, sentence in zip(below, links, strict=True):
        for source_index, output_index, kind in (link[:3] for link in sentence):
            used.add(str(kind))
            x1 = sum(above[0][int(str(source_index))]) / 2 + shift_above
            x2 = sum(row[int(str(output_index))]) / 2 + shift_below
            parts.append(_curve(x1, x2, str(kind)))
    parts.append(label(MARGIN, 18, "source", size=11, anchor="start", class_="soft"))
    parts.append(label(MARGIN, BASE + RISE + 34, "output", size=11, anchor="start", class_="soft"))
    for index, (word, (start, end)) in enumerate(zip(source, above[0], strict=True)):
        state = "" if index in kept or word in unmarked else "lost"
        parts.append(label((start + end) / 2 + shift_above, BASE - 8, word, class_=state))
    for number, (words, row, sentence) in enumerate(zip(sentences, below, links, strict=True)):
        found = {int(str(link[1])) for link in sentence}
        if row and len(sentences) > 1:
            parts.append(label(row[0][0] + shift_below - 13, BASE + RISE + 8, str(number + 1), size=11, class_="soft"))
        for index, (word, (start, end)) in enumerate(zip(words, row, strict=True)):
            state = "" if index in found or word in unmarked else "added"
            parts.append(label((start + end) / 2 + shift_below, BASE + RISE + 10, word, class_=state))
    width = max(width, 560.0)
    height = BASE + RISE + 44 + LEGEND_ROW
    return picture(width, height, _title(source, sentences), [*parts, _legend(used, height)], styled=styled)


def _places(rows: Sequence[Sequence[str]]) -> list[list[tuple[float, float]]]:
    """Where each word begins and ends, all rows on one line."""
    x = MARGIN
    result = []
    for number, row in enumerate(rows):
        x += SENTENCE_GAP if number else 0
        places = []
        for word in row:
            end = x + max(text_width(word), 0.6 * FONT_SIZE)
            places.append((x, end))
            x = end + GAP
        result.append(places)
    return result


def _end(rows: Sequence[Sequence[tuple[float, float]]]) -> float:
    return max((end for row in rows for _, end in row), default=0.0)


def _curve(x1: float, x2: float, kind: str) -> str:
    top, bottom, middle = BASE, BASE + RISE - 8, BASE + RISE / 2
    name = kind if kind in KINDS else KINDS[-1]
    path = f"M{x1:.1f} {top:.0f}C{x1:.1f} {middle:.0f} {x2:.1f} {middle:.0f} {x2:.1f} {bottom:.0f}"
    return element("path", element("title", clean(kind)), d=path, class_=f"link k-{name}")


def _legend(kinds: Collection[str], height: float) -> str:
    parts, x, y = [], MARGIN, height - 14
    for kind in (kind for kind in KINDS if kind in kinds):
        parts.append(element("path", d=f"M{x:.0f} {y - 4:.0f}h30", class_=f"link k-{kind}"))
        parts.append(label(x + 36, y, kind, size=12, anchor="start", class_="soft"))
        x += 36 + text_width(kind, 12) + 22
    return "".join(parts)


def _title(source: Sequence[str], sentences: Sequence[Sequence[str]]) -> str:
    return f"Word links: {' '.join(source)} / {' '.join(word for words in sentences for word in words)}"
