"""Degrees: quantity, frequency, certainty, duty and permission."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from sema.model.fact import BECAME, Fact, Kind
from sema_chinese.listed import table, word_list
from sema_chinese.meaning.polarity import may_deny
from sema_chinese.meaning.words import WordFacts, Words

_LEAST = {"quantity": 2, "frequency": 2, "certainty": 2}
"""The distance on a scale from which two levels conflict, if not 1."""
_HALF_A_WORD = {1: "before one-character modals", 2: "before two-character modals"}
"""The characters before a modal, by its length, that make it part of another word (才能, 方可, 不能)."""
_NEVER = ("不", "没", "未")
_ALWAYS = 4
_FREQUENCY, _PERMISSION = "frequency", "permission"


@cache
def _scale(name: str) -> Mapping[str, int]:
    """The level of each word on a scale."""
    return {word: level for level, words in enumerate(table("degrees")[name]) for word in words}


class Degree(NamedTuple):
    """A level on a scale, and whom it concerns: all, only those (只有 持票 的), or the others (没有 票 的)."""

    scale: str
    level: int
    of: str = "all"


class Degrees(WordFacts):
    """A degree replaced by another on the same scale."""

    kind = Kind.DEGREE

    def found(self, words: Words) -> Iterator[Fact]:
        """Every word of a scale, anchored in the content words around it, a permission in those of its clause."""
        chars = words.spelling.chars
        for scale in table("degrees"):
            for word, tokens in words.places(_scale(scale)):
                at, level = words.spelling.starts[tokens[0]], _scale(scale)[word]
                if at and chars[at - 1] in table("grammar").get(_HALF_A_WORD.get(len(word)), ""):
                    continue
                if scale == _FREQUENCY and level == _ALWAYS and chars[at + len(word) :].startswith(_NEVER):
                    level = 0  # 从来 不, 一直 没有
                of, anchor = "all", words.near(tokens)
                if scale == _PERMISSION:
                    of = _whom(words, tokens[0])
                    anchor = words.among([t for t in words.clause(tokens[0]) if t not in tokens])
                yield Fact(self.kind, Degree(scale, level, of), tokens, anchor, scale)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Two levels that are far enough apart."""
        first, second = source.value, output.value
        if first.scale != second.scale or first.of != second.of:
            return ""
        return None if abs(first.level - second.level) < _LEAST.get(first.scale, 1) else BECAME


def _whom(words: Words, token: int) -> str:
    """Whom a permission concerns, by the words before it in its clause."""
    before = words.plain[words.clause(token).start : token]
    if not word_list("negation", "only").isdisjoint(before):
        return "those alone"
    return "the others" if any(map(may_deny, before)) else "all"
