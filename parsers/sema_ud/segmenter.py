"""Sentences and words of any language, by a network that joins atoms to words and ends sentences.

An end of line ends a sentence, unless the line was only wrapped; a web or e-mail address is one word; no word has a
space in it. Everything else is learned from the treebanks, so that the words are those that the parser was trained on
(:mod:`sema_ud.atoms`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sema_reader.pieces import UNSPACED

from sema.model.text import Text, Token
from sema.runtime.batching import equal_batches
from sema.runtime.threads import available_cores, each
from sema_ud.atoms import Atom, atoms
from sema_ud.networks import CUTTER, Networks

WINDOW, OVERLAP = 240, 80
"""Pieces that are read in one pass, and those that two passes over a long text share."""
ENDS_FROM = -2.0
"""A sentence ends above this logit: the network misses more than it invents (``weights/CARD.md``)."""
_BATCH_PIECES = 768
ADDRESSES = re.compile(
    r"(?:https?://|www\.)[!-~]*[/-9A-Za-z]|(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+"
    r"|(?<!\w)\w{1,63}(?:\.\w{1,63}){0,6}\.(?:gov|org|edu|net|com|co)(?:\.\w+)*(?![\w\u00c0-\u058f\u1e00-\u1fff])",
    re.ASCII,
)
"""No letter of an alphabet with capitals, and no accent, follows a domain; letters of other scripts may."""
_LINE = re.compile(r"[^\r\n\u2028\u2029\v\f]+")
_ITEM = re.compile(r"(?:[-*•·◦▪‣●–—]|\(?(?:\d{1,3}|\w)[.)])\s")
"""The sign or number before an item of a list, or the dash before direct speech."""
Scores = NDArray[np.float32]


@dataclass(frozen=True)
class Parts:
    """A text's atoms, and for each whether it belongs to the word before it and whether a sentence ends with it."""

    atoms: Sequence[Atom]
    joined: Sequence[bool]
    ends: Sequence[bool]


class UniversalSegmenter:
    """Segments texts of a language; every character but white space is in a token."""

    def __init__(self, code: str, *, threads: int | None = None, folder: Path | None = None) -> None:
        """Choose the language; arguments as for :class:`sema_ud.parser.UniversalParser`."""
        self._networks = Networks(code, folder, CUTTER)
        self.signature = self._networks.signature
        self._threads = threads or available_cores()

    def segment(self, texts: Sequence[str]) -> list[Text]:
        """Segment each text; offsets are into the text as given."""
        lines = [_lines(text) for text in texts]
        found = iter(self.parts([text[a:b] for text, spans in zip(texts, lines, strict=True) for a, b in spans]))
        return [
            _text(text, [(start, next(found)) for start, _ in spans]) for text, spans in zip(texts, lines, strict=True)
        ]

    def parts(self, texts: Sequence[str]) -> list[Parts]:
        """Each text's atoms, joined to words and divided into sentences; no text may be empty."""
        divided = [atoms(text) for text in texts]
        cuts = [self._networks.cutter.cut(text, parts) for text, parts in zip(texts, divided, strict=True)]
        passes = [(number, *window) for number, cut in enumerate(cuts) for window in _windows(len(cut.ids))]
        scores = [np.zeros((2, len(cut.ids)), np.float32) for cut in cuts]

        def work(indexes: list[int]) -> None:
            chosen = [passes[index] for index in indexes]
            pieces = [(cuts[number].ids[window], cuts[number].marks[window]) for number, window, _ in chosen]
            for (number, window, kept), read in zip(chosen, self._read(pieces), strict=True):
                scores[number][:, window][:, kept] = read[:, kept]

        sizes = [window.stop - window.start + 2 for _, window, _ in passes]
        each(work, equal_batches(sizes, _BATCH_PIECES), self._threads)
        return [self._decided(*one) for one in zip(texts, divided, (cut.firsts for cut in cuts), scores, strict=True)]

    def _read(self, chosen: Sequence[tuple[list[int], list[int]]]) -> list[Scores]:
        """The scores (2, pieces) of pieces given by ids and marks: to join the word before, to end a sentence."""
        given = self._networks.inputs([ids for ids, _ in chosen])
        marks = np.zeros(given["mask"].shape, np.int64)
        for row, (ids, own) in enumerate(chosen):
            marks[row, 1 : len(ids) + 1] = own
        joined, ends = self._networks.run(CUTTER, {**given, "marks": marks})
        return [np.stack([joined[row], ends[row]])[:, 1 : len(ids) + 1] for row, (ids, _) in enumerate(chosen)]

    @staticmethod
    def _decided(text: str, parts: Sequence[Atom], firsts: Sequence[int], scores: Scores) -> Parts:
        at_firsts = scores[:, list(firsts)]
        joined = [score > 0 and not atom.spaced for score, atom in zip(at_firsts[0].tolist(), parts, strict=True)]
        ends = (at_firsts[1] > ENDS_FROM).tolist()
        for match in ADDRESSES.finditer(text):
            inside = [place for place, atom in enumerate(parts) if match.start() <= atom.start < match.end()]
            for place in inside[1:]:
                joined[place], ends[place - 1] = True, False
            joined[inside[0]] = False
            if inside[-1] + 1 < len(parts):
                joined[inside[-1] + 1] = False
        for place in range(1, len(parts)):
            if joined[place]:
                ends[place - 1] = False  # no sentence ends within a word
        return Parts(parts, joined, ends)


def _lines(text: str) -> list[tuple[int, int]]:
    """The places of lines, each with those that it goes on in.

    A line that does not end a sentence goes on in one that begins in lower case. It goes on in any if no such line of
    the paragraph had room for the next word; a single one shows nothing.
    """
    found: list[tuple[int, int]] = []
    for lines in _paragraphs(text):
        breaks = [(text[slice(*one)].strip(), text[slice(*other)].strip()) for one, other in pairwise(lines)]
        goes_on = [_goes_on(*pair) for pair in breaks]
        needed = [len(f"{one} {other.split()[0]}") for one, other in compress(breaks, goes_on)]
        full = len(needed) > 1 and min(needed) > max(end - start for start, end in lines)
        found.append(lines[0])
        for (start, end), (_, after), going in zip(lines[1:], breaks, goes_on, strict=True):
            found.append((found.pop()[0] if going and (full or after[0].islower()) else start, end))
    return found


def _paragraphs(text: str) -> list[list[tuple[int, int]]]:
    """The places of lines, those without an empty line between them together."""
    found: list[list[tuple[int, int]]] = []
    for match in _LINE.finditer(text):
        if match[0].strip():
            if not found or len(text[found[-1][-1][1] : match.start()].splitlines()) > 1:
                found.append([])
            found[-1].append(match.span())
    return found


def _goes_on(before: str, after: str) -> bool:
    """Whether a line may go on in the next: it ends in a word or a comma, and the next is no item of a list.

    A point may be that of an abbreviation. Text without spaces between words is not wrapped between them.
    """
    last = before[-1]
    if UNSPACED.match(last) or UNSPACED.match(after) or _ITEM.match(after):
        return False
    return unicodedata.category(last)[0] in "LMN" or last in ",;-–" or (last == "." and after[0].islower())


def _text(raw: str, lines: Sequence[tuple[int, Parts]]) -> Text:
    tokens: list[Token] = []
    sentences: list[tuple[int, int]] = []
    for start, parts in lines:
        first = len(tokens)
        for atom, joined, ends in zip(parts.atoms, parts.joined, parts.ends, strict=True):
            begin, end = start + atom.start, start + atom.end
            if joined and len(tokens) > first:
                begin = tokens.pop().start
            tokens.append(Token(raw[begin:end], begin, end))
            if ends:
                sentences.append((first, len(tokens)))
                first = len(tokens)
        if len(tokens) > first:
            sentences.append((first, len(tokens)))
    return Text(raw, tuple(tokens), tuple(sentences))


def _windows(size: int) -> list[tuple[slice, slice]]:
    """The stretches of ``size`` pieces that are read at once, and of each the pieces whose results are used.

    Two neighbours share pieces: a piece's result comes from the one in which it stands nearer to the middle.
    """
    step, half = WINDOW - OVERLAP, OVERLAP // 2
    last = max(0, size - OVERLAP - 1) // step * step
    return [
        (
            slice(start, min(start + WINDOW, size)),
            slice(half if start else 0, WINDOW if start == last else WINDOW - half),
        )
        for start in range(0, last + 1, step)
    ]
