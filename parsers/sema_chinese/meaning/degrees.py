"""Degrees: quantity, frequency, certainty, duty and permission; hedges."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
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
_FREQUENCY, _CERTAINTY, _HEDGE, _PERMISSION = "frequency", "certainty", "hedge", "permission"


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


@dataclass(frozen=True)
class Hedged:
    """A mark of uncertainty; a loose one can compensate for one elsewhere."""

    loose: bool = field(default=False, compare=False)


class Hedges(WordFacts):
    """An uncertain statement that lost its hedge."""

    kind = Kind.DEGREE

    def found(self, words: Words) -> Iterator[Fact]:
        """Every word after a hedge in its clause, then all hedges, then every other content word."""
        hedges = [(tokens, _scale(_CERTAINTY)[word]) for word, tokens in words.places(_scale(_CERTAINTY))]
        marked: dict[int, tuple[int, ...]] = {}
        for tokens, level in hedges:
            clause = words.clause(tokens[0])
            denied = any(may_deny(words.plain[t]) for t in range(clause.start, tokens[0]))
            target = next(iter(words.among(range(tokens[-1] + 1, clause.stop))), None)
            if level == 0 and not denied and target is not None:
                marked[target] = tokens  # 排除 了 纵火 的 可能 leaves nothing open
        for token, by in marked.items():
            yield Fact(self.kind, Hedged(), by, (token,), _HEDGE)
        for by, level in hedges:
            if level <= 1:
                yield Fact(self.kind, Hedged(loose=True), by, by, _HEDGE)
        for token in words.among(range(len(words.plain))):
            if token not in marked:
                yield Fact(self.kind, None, (token,), (token,), _HEDGE)

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """An omitted hedge."""
        if source.value is not None and not source.value.loose and output.value is None:
            return "{source} is gone"
        return None if source.value == output.value else ""
