"""Degrees: how much, how often, how surely, how bindingly; what is forbidden and what is allowed; hedges."""

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
"""Steps of a scale from which two places say different things, if not one."""
_HALF_A_WORD = {1: "才方不只", 2: "才方"}
"""Characters behind which a modal of one or two characters is not one by itself (才能, 方可, 不能)."""
_NEVER = ("不", "没", "未")
_ALWAYS = 4
_FREQUENCY, _CERTAINTY, _HEDGE, _PERMISSION = "frequency", "certainty", "hedge", "permission"


@cache
def _scale(name: str) -> Mapping[str, int]:
    """For each word its place on a scale."""
    return {word: level for level, words in enumerate(table("degrees")[name]) for word in words}


class Degree(NamedTuple):
    """A scale and a place on it, and of whom: of all, of those alone (只有 持票 的), of the others (没有 票 的)."""

    scale: str
    level: int
    of: str = "all"


class Degrees:
    """Another place on one scale."""

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
            if at and chars[at - 1] in _HALF_A_WORD.get(len(word), ""):
                continue
            level = _scale(scale)[word]
            if scale == _FREQUENCY and level == _ALWAYS and chars[at + len(word) :].startswith(_NEVER):
                level = 0  # 从来 不, 一直 没有
            of = _whom(words, tokens[0]) if scale == _PERMISSION else "all"
            found.append(Fact(self.kind, Degree(scale, level, of), tokens, words.near(tokens), scale))
        return found

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Two places that are far enough apart."""
        first, second = source.value, output.value
        assert isinstance(first, Degree)
        assert isinstance(second, Degree)
        if first.scale != second.scale or first.of != second.of:
            return ""
        return None if abs(first.level - second.level) < _LEAST.get(first.scale, 1) else BECAME


def _whom(words: Words, token: int) -> str:
    """Whom a permission is of, by the words before it in its clause."""
    before = words.plain[words.clause(token).start : token]
    if not word_list("negation", "only").isdisjoint(before):
        return "those alone"
    return "the others" if any(map(may_deny, before)) else "all"


@dataclass(frozen=True)
class Hedged:
    """A mark that something may not be so; a loose one makes up for one elsewhere."""

    loose: bool = field(default=False, compare=False)


class Hedges:
    """What may be so in the source, said without a hedge."""

    kind = Kind.DEGREE
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every word behind a hedge in its clause, then all hedges, then every other word of content."""
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
        """A hedge that is gone."""
        if isinstance(source.value, Hedged) and not source.value.loose and output.value is None:
            return "{source} is gone"
        return None if source.value == output.value else ""
