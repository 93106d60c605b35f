"""Degrees: quantity, frequency, certainty, duty and permission; hedges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.listed import table, word_list
from sema_chinese.meaning.polarity import may_deny
from sema_chinese.meaning.words import Words, read_words

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


class Degrees:
    """A degree replaced by another on the same scale."""

    kind = Kind.DEGREE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word of a scale."""
        words = read_words(text)
        return [fact for scale in table("degrees") for fact in self._of_scale(words, scale)]

    def _of_scale(self, words: Words, scale: str) -> list[Fact]:
        found = []
        for word, tokens in words.places(_scale(scale)):
            at, chars = words.spelling.starts[tokens[0]], words.spelling.chars
            if at and _is_cut(chars[at - 1], word):
                continue
            level = _scale(scale)[word]
            if scale == _FREQUENCY and level == _ALWAYS and chars[at + len(word) :].startswith(_NEVER):
                level = 0  # 从来 不, 一直 没有
            of, about = "all", words.near(tokens)
            if scale == _PERMISSION:
                of = _whom(words, tokens[0])
                about = words.among([t for t in words.clause(tokens[0]) if t not in tokens])
            found.append(Fact(self.kind, Degree(scale, level, of), tokens, about, scale))
        return found

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Two levels that are far enough apart."""
        first, second = source.value, output.value
        assert isinstance(first, Degree)
        assert isinstance(second, Degree)
        if first.scale != second.scale or first.of != second.of:
            return ""
        return None if abs(first.level - second.level) < _LEAST.get(first.scale, 1) else BECAME


def _is_cut(before: str, modal: str) -> bool:
    part = _HALF_A_WORD.get(len(modal))
    return part is not None and before in table("grammar")[part]


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


class Hedges:
    """An uncertain statement that lost its hedge."""

    kind = Kind.DEGREE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word after a hedge in its clause, then all hedges, then every other content word."""
        words = read_words(text)
        hedges = [(tokens, _scale(_CERTAINTY)[word]) for word, tokens in words.places(_scale(_CERTAINTY))]
        marked: dict[int, tuple[int, ...]] = {}
        for tokens, level in hedges:
            clause = words.clause(tokens[0])
            denied = any(may_deny(words.plain[t]) for t in range(clause.start, tokens[0]))
            target = next(iter(words.among(range(tokens[-1] + 1, clause.stop))), None)
            if level == 0 and not denied and target is not None:
                marked[target] = tokens  # 排除 了 纵火 的 可能 leaves nothing open
        return [
            *(Fact(self.kind, Hedged(), by, (token,), _HEDGE) for token, by in marked.items()),
            *(Fact(self.kind, Hedged(loose=True), by, by, _HEDGE) for by, level in hedges if level <= 1),
            *(
                Fact(self.kind, None, (token,), (token,), _HEDGE)
                for token in words.among(range(len(words.plain)))
                if token not in marked
            ),
        ]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """An omitted hedge."""
        if isinstance(source.value, Hedged) and not source.value.loose and output.value is None:
            return "{source} is gone"
        return None if source.value == output.value else ""
