"""Sentence boundaries over English tokens: a logistic classifier over the places where a sentence can end.

A place is a full stop, question mark, exclamation mark, ellipsis or abbreviation, with the closing quotes and brackets
that follow it. Colons and semicolons end no sentence. The features (``boundary_features``) look at the words, their
case and the white space around the place; the weights (``weights/segmentation``) are trained by
``python -m training.english.boundaries``. White space alone ends a sentence only at the line breaks that
``line_ends`` names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import NamedTuple

from sema.model.text import Token
from sema_english.segmentation.tokenizer import ABBREVIATIONS, CLOSED_CLASS, TITLES
from sema_english.words import word_list

WEIGHTS = Path(__file__).parents[1] / "weights" / "segmentation" / "boundaries.json"
SPEECH_VERBS = word_list("segmentation", "speech verbs")
"""Verbs that go with a quotation: a quotation's own final sign before them does not end the sentence."""

_QUOTES = frozenset(('"', "'", "”", "’", "''", "’’", "»", "`"))
_BRACKETS = frozenset(")]}")
_OPENERS = frozenset(("(", "[", "{", "“", "‘", "``", "«"))
_FINAL = frozenset(".!?…")
_BULLET = re.compile(r"(?:[-*•·◦▪‣●–—]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+\S")
_LINE_BREAK = re.compile(r"\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]")


class Place(NamedTuple):
    """A place where a sentence can end: the token that ends it, the token after its closers, and the closers' kinds."""

    final: int
    after: int
    closers: str


class Passage:
    """A tokenized text with the counts of quotes and brackets that the features ask for, taken once for all places.

    ``case`` is what a lower-case word means in this text: nothing, since the text has no capital (``"0"``); little,
    since the text itself begins in lower case (``"1"``); or that no sentence starts there (``""``).
    """

    def __init__(self, raw: str, tokens: Sequence[Token]) -> None:
        self.raw = raw
        self.tokens = tokens
        start = next(filter(str.isalpha, raw), "")
        self.case = "0" if not any(map(str.isupper, raw)) else "1" if start.islower() else ""
        self._quotes = _running(tokens, ('"', "“", "”"), ())
        self._depths = _running(tokens, ("(", "["), (")", "]"))

    def depth(self, first: int, index: int) -> int:
        """How many brackets that opened at ``first`` or later are open before ``index``."""
        return self._depths[index] - self._depths[first] if self._depths else 0

    def in_quotes(self, index: int) -> bool:
        """Whether the 60 tokens before ``index`` have an odd number of double quotes."""
        return bool(self._quotes) and (self._quotes[index] - self._quotes[max(0, index - 60)]) % 2 == 1

    def places(self) -> Iterator[Place]:
        """The places inside the text where a sentence can end, in order."""
        tokens = self.tokens
        for final in range(len(tokens) - 1):
            if tokens[final].text[-1] not in _FINAL:
                continue
            after = final + 1
            closers = ""
            while after < len(tokens) and len(closers) < 4:
                if tokens[after].text in _BRACKETS:
                    closers += ")"
                elif tokens[after].text in _QUOTES and self._closes(after):
                    closers += '"'
                else:
                    break
                after += 1
            if after < len(tokens):
                yield Place(final, after, closers)

    def _closes(self, index: int) -> bool:
        """Whether a quote after a sign that ends sentences closes, by its position, its sign or the quotes before."""
        tokens = self.tokens
        if tokens[index].start == tokens[index - 1].end:
            return True
        sign = self.raw[tokens[index].start : tokens[index].end]
        if sign in ("''", "”", "’’", "»"):
            return True
        if sign in ("``", "`", "'"):
            return False
        return self.in_quotes(index) and (index + 1 == len(tokens) or tokens[index + 1].start > tokens[index].end)


def _running(tokens: Sequence[Token], plus: Collection[str], minus: Collection[str]) -> list[int]:
    """Before each token, the number of ``plus`` minus the number of ``minus`` so far; empty if there is neither."""
    steps = [(token.text in plus) - (token.text in minus) for token in tokens]
    return [0, *accumulate(steps)] if any(steps) else []


def _shape(word: str) -> str:
    """A word's shape as a sentence's first or last word: case, digits or the kind of sign."""
    first = word[0]
    if first.isalpha():
        if first.islower():
            return "low"
        if len(word) == 1 or (len(word) == 2 and word[1] == "."):
            return "X"
        if word.isupper():
            return "UP"
        return "Cap" if first.isupper() else "alpha"
    if first.isdigit():
        return "num"
    if word in _OPENERS:
        return "open"
    if word in _QUOTES:
        return "quote"
    if first in ",;:)]}%&/":
        return "mid"
    if first in "-–—":
        return "dash"
    if first in _FINAL:
        return "final"
    return "sign"


def boundary_features(passage: Passage, place: Place, first: int) -> list[str]:
    """The classifier's features of a place; ``first`` is the first token of the current sentence."""
    tokens = passage.tokens
    final, after, closers = place
    token = tokens[final]
    text = token.text
    stem, kind = _kind(text)
    abbreviation = bool(stem)
    previous = tokens[final - 1].text if final > first else "^"
    stem = stem or previous.lower()
    following = tokens[after].text
    shape = _shape(following)
    if shape == "low":
        shape += passage.case
    word = following.lower()
    second = tokens[after + 1].text if after + 1 < len(tokens) else "$"
    apart = "_" if not abbreviation and final and token.start > tokens[final - 1].end else ""
    spacing = apart + "." + ("_" if tokens[after].start > tokens[after - 1].end else "")
    length = final - first
    size = str(length) if length < 3 else "3-5" if length < 6 else "6+"
    depth = passage.depth(first, final) - closers.count(")")
    nesting = "-" if depth < 0 else "+" if depth else "0"
    before = _shape(previous)
    features = [
        f"k={kind}",
        f"k,s={kind}{spacing}",
        f"k,n={kind} {shape}",
        f"k,s,n={kind}{spacing} {shape}",
        f"k,s,c,n={kind}{spacing}{closers} {shape}",
        f"n={word}",
        f"n2={shape} {_shape(second)}",
        f"size={size} {kind}",
        f"size,n={size} {shape}",
        f"depth={nesting} {kind}",
        f"depth,n={nesting} {shape}",
        f"closed={word in CLOSED_CLASS} {kind} {shape}",
    ]
    if abbreviation:
        closed = word in CLOSED_CLASS
        features += [f"a={stem}", f"a,n={stem} {shape}", f"a,p={kind} {before} {shape}", f"a,closed={closed} {shape}"]
    else:
        features += [f"k,n={kind} {word}", f"p={kind} {before}", f"p,n={kind} {before} {shape} {spacing}"]
        if stem.isdigit():  # it may begin an item of a list
            features += [f"l={kind} number", f"item={size} {min(len(stem), 3)} {apart} {shape}"]
        else:
            features += [f"l={kind} {min(len(stem), 4)}", *([f"w={stem}"] if kind == "." else [])]
    if closers or kind in ("...", "!?", "!", "?"):
        speech = word in SPEECH_VERBS or second.lower() in SPEECH_VERBS
        features += [f"q={closers} {passage.in_quotes(final)} {shape}", f"speech={speech} {closers} {shape}"]
    return features


def _kind(text: str) -> tuple[str, str]:
    """The kind of a final token; for an abbreviation with its word in lower case."""
    if text[-1] == "." and text.strip("."):
        stem = text[:-1].lower()
        if len(stem) == 1:
            return stem, "initial"
        if "." in stem:
            return stem, "acronym"
        return stem, "title" if stem in TITLES else "abbreviation" if stem in ABBREVIATIONS else "unknown"
    if text in ".!?":
        return "", text
    return "", "!?" if "?" in text or "!" in text else "..."


@cache
def _weights() -> dict[str, float]:
    """The classifier's weights, by feature."""
    weights: dict[str, float] = json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"]
    return weights


def line_ends(raw: str, tokens: Sequence[Token]) -> list[int]:
    """The tokens before which a line break ends the sentence, in order.

    Such breaks are: a blank line; before a bullet; after a sign that ends sentences; and where the next line does not
    start in lower case although its first word would have fitted on this line, so that the break is deliberate.
    """
    starts = [match.end() for match in _LINE_BREAK.finditer(raw)]
    if not starts:
        return []
    marks = [0, *starts, len(raw)]
    width = max(end - start for start, end in pairwise(marks))
    ends: list[int] = []
    line = 0
    for index, after in enumerate(tokens):
        previous = line
        while marks[line + 1] <= after.start and line + 2 < len(marks):
            line += 1
        if line == previous or index == 0:
            continue
        before = tokens[index - 1]
        continued = after.text[0].islower()
        fits = before.end - marks[previous] + 1 + len(after.text) < width
        if (
            line > previous + 1
            or _BULLET.match(raw, after.start)
            or before.text[-1] in "!?…"
            or (not continued and (before.text == "." or fits))
        ):
            ends.append(index)
    return ends


def split(raw: str, tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Split tokens into sentences: half-open token ranges that cover all of them, none for no tokens."""
    if not tokens:
        return []
    passage = Passage(raw, tokens)
    weights = _weights()
    lines = line_ends(raw, tokens)
    starts = [0]
    line = 0
    for place in passage.places():
        while line < len(lines) and lines[line] <= place.final:
            if lines[line] > starts[-1]:
                starts.append(lines[line])
            line += 1
        if place.final < starts[-1] or (line < len(lines) and lines[line] <= place.after):
            continue
        features = boundary_features(passage, place, starts[-1])
        if weights[""] + sum(weights.get(name, 0.0) for name in features) > 0.0:
            starts.append(place.after)
    starts.extend(start for start in lines[line:] if start > starts[-1])
    return list(pairwise((*starts, len(tokens))))
