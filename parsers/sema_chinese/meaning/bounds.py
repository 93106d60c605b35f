"""Bounds: a minimum that became a maximum, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.meaning.numbers import FIGURE, value_of
from sema_chinese.meaning.words import Words, read_words

_FIGURE = rf"(?:百分之)?(?P<figure>{FIGURE}|一)"
_BEFORE = re.compile(
    r"(?:(?P<not>不得|不能|不会|不许|不可|不应|没有|没|未|不)?"
    r"(?:(?P<over>超过|超出|多于|高于|大于|晚于)|(?P<under>低于|少于|小于|早于))"
    r"|(?P<least>至少|最少|起码|不下|年满|已满)|(?P<most>至多|最多|顶多|不到|不足|不满|未满|未到|没到))"
    rf"(?:[了于约]?|(?<=至少|最少|起码|至多|最多|顶多)[^\W\d]{{1,3}}?){_FIGURE}"
)
_BEHIND = re.compile(
    rf"{_FIGURE}[^，。；、,;\d]{{0,4}}?(?:(?P<over>以上|为下限|起步)|(?P<under>以下|以内|之内|为限|为上限))"
)
_DENYING = re.compile("[不没未无禁非勿别]")
_OVER, _UNDER = 1, -1


class Bounds:
    """A number bounded from the opposite side."""

    kind = Kind.BOUND
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every bounded number with the side of the allowed values (十六岁 以下 不可以 means sixteen or more)."""
        words = read_words(text)
        return [
            Fact(self.kind, (value, -side if _denied(words, tokens) else side), tokens, words.near(tokens), value)
            for tokens, value, side in _limits(words)
        ]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Opposite bounds of one number."""
        return BECAME if source.aspect == output.aspect and source.value != output.value else ""


def _limits(words: Words) -> Iterator[tuple[tuple[int, ...], float, int]]:
    chars = words.spelling.chars
    for pattern in (_BEFORE, _BEHIND):
        for found in pattern.finditer(chars):
            given = found.groupdict()
            side = _OVER if given.get("over") or given.get("least") else _UNDER
            value = value_of(found["figure"])
            if value is not None:
                tokens = tuple(words.spelling.tokens(found.start(), found.end()))
                yield tokens, value, -side if given.get("not") else side


def _denied(words: Words, tokens: Sequence[int]) -> bool:
    """Whether the rest of the clause of a limit is negated."""
    rest = "".join(words.plain[t] for t in words.clause(tokens[0]) if t not in tokens)
    return len(_DENYING.findall(rest)) % 2 == 1
