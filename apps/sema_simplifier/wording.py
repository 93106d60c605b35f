"""From tokens back to text: unchanged words keep spelling and spaces; new words take over the case."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sema.model.text import Text
from sema_simplifier.decoding import Option

BRACKETS = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
QUOTES = {"``": '"', "''": '"', "“": '"', "”": '"', "’": "'", "‘": "'", "&quot;": '"', "&apos;": "'"}
_SIGNS = {escape: sign for sign, escape in BRACKETS.items()}
_NO_SPACE_BEFORE = frozenset({".", ",", ";", ":", "?", "!", "'s", "n't", "'", "-rrb-", "-rsb-", "%", ")", "]"})
_VOWEL = re.compile(r"(?!eu|ew|one\b|once|uni|use|usu|uk|ur[aeiou]|ut[ei])[aeiou]|hour|hono|heir|honest")


def folded(words: Sequence[str]) -> tuple[str, ...]:
    """Tokens as in rules: lower-cased, brackets as Penn Treebank writes them, quotes straight."""
    return tuple(BRACKETS.get(word) or QUOTES.get(word) or word.lower() for word in words)


def reworded(text: Text, applied: Sequence[Option]) -> str:
    """The text after the options were applied.

    A text whose tokens stand apart by single spaces stays one; in any other, signs are written as people write them,
    and a new word at the beginning of a sentence, or in the place of a capitalised word, is capitalised.
    """
    tokenized = text.raw == " ".join(text.words)
    pieces: list[str] = []
    place = 0
    for option in applied:
        pieces += _kept(text, place, option.start)
        pieces.append(_new(text, option, tokenized, pieces))
        place = option.start + option.length
    pieces += _kept(text, place, len(text.words))
    joined = Text.from_tokenized(" ".join(pieces)).raw if tokenized else " ".join("".join(pieces).split())
    first = next((char for char in text.raw if char.isalpha()), "")
    return joined[:1].upper() + joined[1:] if first.isupper() and not tokenized else joined


def _kept(text: Text, start: int, end: int) -> list[str]:
    """A stretch of the original text, with the space before it."""
    if start >= end:
        return []
    before = text.tokens[start - 1].end if start else 0
    return [text.raw[before : text.tokens[end - 1].end]]


def _new(text: Text, option: Option, tokenized: bool, pieces: list[str]) -> str:
    target = list(option.target)
    if pieces and target and target[0] not in _NO_SPACE_BEFORE:
        pieces[-1] = _article(pieces[-1], target[0])
    if tokenized:
        return " ".join(target)
    if target and text.words[option.start][:1].isupper() and target[0].islower():
        target[0] = target[0][:1].upper() + target[0][1:]
    first = text.tokens[option.start]
    before = text.raw[text.tokens[option.start - 1].end : first.start] if option.start else ""
    gap, written = before or " " * bool(option.start), ""
    for previous, word in zip(["", *target], target, strict=False):
        if previous:
            gap = "" if previous in ("-lrb-", "-lsb-", "(") else " "
        if previous == ".":
            word = word[:1].upper() + word[1:]
        written += ("" if word in _NO_SPACE_BEFORE else gap) + _SIGNS.get(word, word)
    return written


def _article(before: str, word: str) -> str:
    """*a* or *an* by the word that now follows."""
    article = re.search(r"(?<!\S)(an?)\s*$", before, re.IGNORECASE)
    if article is None:
        return before
    right = "an" if _VOWEL.match(word) else "a"
    written = right.capitalize() if article[1][0].isupper() and article[1] != "AN" else right
    return before[: article.start(1)] + written + before[article.end(1) :]
