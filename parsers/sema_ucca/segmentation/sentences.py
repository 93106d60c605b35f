"""Sentence boundaries over English tokens: a logistic classifier over the places where a sentence can end.

A place is a full stop, question mark, exclamation mark, ellipsis or abbreviation, with the closing quotes and brackets
that follow it. Colons and semicolons end no sentence. The features (``boundary_features``) look at the words, their case and the white
space around the place; the weights (``boundaries.json``) are trained by ``python -m sema_ucca.segmentation.training``.
White space alone ends a sentence only at the line breaks that ``line_ends`` names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from sema.text import Token
from sema_ucca.segmentation.wordlists import ABBREVIATIONS, CLOSED_CLASS, SPEECH_VERBS, TITLES

_QUOTES = frozenset(('"', "'", "”", "’", "''", "’’", "»", "`"))
_BRACKETS = frozenset(")]}")
_OPENERS = frozenset(("(", "[", "{", "“", "‘", "``", "«"))
_FINAL = frozenset(".!?…")
_BULLET = re.compile(r"(?:[-*•·◦▪‣●–—]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+\S")
_LINE_BREAK = re.compile(r"[\r\n\x0b\x0c\u2028\u2029]")


class Candidate(NamedTuple):
    """A place where a sentence can end: the token that ends it, the token after its closers, and the closers' kinds."""

    final: int
    after: int
    closers: str


def candidates(raw: str, tokens: Sequence[Token]) -> Iterator[Candidate]:
    """The places inside ``tokens`` where a sentence can end, in order."""
    count = len(tokens)
    for index in range(count - 1):
        text = tokens[index].text
        last = text[-1]
        if last not in _FINAL:
            continue
        after = index + 1
        closers = ""
        while after < count and len(closers) < 4:
            following = tokens[after].text
            attached = tokens[after].start == tokens[after - 1].end
            if following in _BRACKETS:
                closers += ")"
            elif following in _QUOTES and (attached or _closes(raw, tokens, after)):
                closers += '"'
            else:
                break
            after += 1
        if after < count:
            yield Candidate(index, after, closers)


def _closes(raw: str, tokens: Sequence[Token], index: int) -> bool:
    """Whether a quote with white space before it closes: it is a closing sign, or text follows it at a distance too."""
    source = raw[tokens[index].start : tokens[index].end]
    if source in ("''", "”", "’’", "»"):
        return True
    if source in ("``", "`", "'"):
        return False
    return _open_quote(tokens, index) and (index + 1 == len(tokens) or tokens[index + 1].start > tokens[index].end)


def _open_quote(tokens: Sequence[Token], index: int) -> bool:
    """Whether the double quotes in the 60 tokens before ``index`` are odd in number."""
    return sum(token.text in ('"', "“", "”") for token in tokens[max(0, index - 60) : index]) % 2 == 1


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


def boundary_features(raw: str, tokens: Sequence[Token], place: Candidate, first: int, case: str) -> list[str]:
    """What the classifier sees of a place; ``first`` is the token at which the current sentence starts.

    ``case`` is the text's ``case_habit``.
    """
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
        shape += case
    word = following.lower()
    second = tokens[after + 1].text if after + 1 < len(tokens) else "$"
    apart = "_" if not abbreviation and final and token.start > tokens[final - 1].end else ""
    spacing = apart + "." + ("_" if tokens[after].start > tokens[after - 1].end else "")
    length = final - first
    size = str(length) if length < 3 else "3-5" if length < 6 else "6+"
    depth = _depth(tokens, first, final) - closers.count(")")
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
        features += [
            f"a={stem}",
            f"a,n={stem} {shape}",
            f"a,p={kind} {before} {shape}",
            f"a,closed={word in CLOSED_CLASS} {shape}",
        ]
    else:
        features += [
            f"k,n={kind} {word}",
            f"p={kind} {before}",
            f"p,n={kind} {before} {shape} {spacing}",
            f"l={kind} {min(len(stem), 4)}",
        ]
        if stem.isdigit():
            features.append(f"item={size} {min(len(stem), 3)} {apart} {shape}")
        elif kind == ".":
            features.append(f"w={stem}")
    if closers or kind in ("...", "!?", "!", "?"):
        speech = word in SPEECH_VERBS or second.lower() in SPEECH_VERBS
        features += [f"q={closers} {_open_quote(tokens, final)} {shape}", f"speech={speech} {closers} {shape}"]
    return features


def _kind(text: str) -> tuple[str, str]:
    """What a final token is; for an abbreviation with the word it abbreviates (in lower case), else without."""
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


def _depth(tokens: Sequence[Token], first: int, final: int) -> int:
    """How many brackets are open at ``final`` since ``first``; of a long sentence the last 200 tokens count."""
    depth = 0
    for index in range(max(first, final - 200), final):
        text = tokens[index].text
        if text in ("(", "["):
            depth += 1
        elif text in (")", "]"):
            depth -= 1
    return depth


def case_habit(raw: str) -> str:
    """What a lower-case word says in this text: nothing (``0``), little as the text begins with one (``1``), or all."""
    if not any(map(str.isupper, raw)):
        return "0"
    start = next(filter(str.isalpha, raw), "")
    return "1" if start.islower() else ""


@cache
def _weights() -> dict[str, float]:
    """The classifier's weights, by feature."""
    file = resources.files(__package__).joinpath("boundaries.json")
    weights: dict[str, float] = json.loads(file.read_text(encoding="utf-8"))["weights"]
    return weights


def line_ends(raw: str, tokens: Sequence[Token]) -> set[int]:
    """The tokens before which a line break ends the sentence.

    It does so at a blank line, before a bullet, after a sign that ends sentences, and where the next line starts with
    no lower-case letter although its first word would have fitted on this one, so that the break was meant.
    """
    if _LINE_BREAK.search(raw) is None:
        return set()
    ends: set[int] = set()
    lines = raw.splitlines()
    width = max(map(len, lines))
    for index in range(1, len(tokens)):
        before, after = tokens[index - 1], tokens[index]
        gap = raw[before.end : after.start]
        breaks = len(_LINE_BREAK.findall(gap.replace("\r\n", "\n")))
        if not breaks:
            continue
        line_start = max(raw.rfind("\n", 0, before.end), raw.rfind("\r", 0, before.end)) + 1
        if (
            breaks > 1
            or _BULLET.match(raw, after.start)
            or before.text[-1] in "!?…"
            or (before.text == "." and not after.text[0].islower())
            or (not after.text[0].islower() and before.end - line_start + 1 + len(after.text) <= width * 0.9)
        ):
            ends.add(index)
    return ends


def split(
    raw: str, tokens: Sequence[Token], weights: dict[str, float] | None = None, threshold: float = 0.0
) -> list[tuple[int, int]]:
    """Split tokens into sentences: half-open token ranges that cover all of them."""
    if not tokens:
        return []
    weights = _weights() if weights is None else weights
    case = case_habit(raw)
    forced = line_ends(raw, tokens)
    bias = weights[""]
    starts = set(forced)
    first = 0
    pending = sorted(forced)
    position = 0
    for place in candidates(raw, tokens):
        while position < len(pending) and pending[position] <= place.final:
            first = max(first, pending[position])
            position += 1
        if place.after in starts or place.final < first:
            continue
        score = bias + sum(weights.get(name, 0.0) for name in boundary_features(raw, tokens, place, first, case))
        if score > threshold:
            starts.add(place.after)
            first = place.after
    return _ranges(starts, len(tokens))


def _ranges(starts: Collection[int], count: int) -> list[tuple[int, int]]:
    """Half-open ranges between the sentence starts."""
    marks = [0, *sorted(starts), count]
    return [(a, b) for a, b in zip(marks, marks[1:], strict=False) if b > a]
