"""Limits: *at least* that became *at most*, by number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sema.metrics.meaning.contradictions import Contradiction
from sema_chinese.meaning.numbers import FIGURE, value_of
from sema_chinese.meaning.reading import Reading, in_place

_FIGURE = rf"(?:百分之)?(?P<figure>{FIGURE}|一)"
_BEFORE = re.compile(
    r"(?:(?P<not>不得|不能|不会|不许|不可|不应|没有|没|未|不)?"
    r"(?:(?P<over>超过|超出|多于|高于|大于|晚于)|(?P<under>低于|少于|小于|早于))"
    r"|(?P<least>至少|最少|起码|不下|年满|已满)|(?P<most>至多|最多|顶多|不到|不足|不满|未满|未到|没到))"
    rf"[了于约]?{_FIGURE}"
)
_BEHIND = re.compile(
    rf"{_FIGURE}[^，。；、,;\d]{{0,4}}?(?:(?P<over>以上|为下限|起步)|(?P<under>以下|以内|之内|为限|为上限))"
)
_DENYING = re.compile("[不没未无禁非勿别]")
OVER, UNDER = 1, -1


@dataclass(frozen=True)
class Limit:
    """A number that something has at least (``OVER``) or at most (``UNDER``)."""

    tokens: tuple[int, ...]
    value: float
    side: int


def changed_limits(source: Reading, output: Reading) -> Iterator[Contradiction]:
    """A number that is the least in one text and the most in the other, where neither text has both."""
    here, there = list(limits(source)), list(limits(output))
    for one in here:
        for other in there:
            turned = one.value == other.value and one.side == -other.side
            if not turned or _has(there, one.value, one.side) or _has(here, other.value, other.side):
                continue
            if _denied(source, one) == _denied(output, other) and in_place(source, one.tokens, output, other.tokens):
                said = f"quantity: {source.side.said(one.tokens)} became {output.side.said(other.tokens)}"
                yield Contradiction(said, one.tokens, other.tokens)


def limits(reading: Reading) -> Iterator[Limit]:
    """The limits of a text, in order of how they are said: before a number, then behind it."""
    chars = reading.spelling.chars
    for found in _BEFORE.finditer(chars):
        side = OVER if found["over"] or found["least"] else UNDER
        yield from _limit(reading, found, -side if found["not"] else side)
    for found in _BEHIND.finditer(chars):
        yield from _limit(reading, found, OVER if found["over"] else UNDER)


def _limit(reading: Reading, found: re.Match[str], side: int) -> Iterator[Limit]:
    value = value_of(found["figure"])
    if value is not None:
        yield Limit(tuple(reading.spelling.tokens(found.start(), found.end())), value, side)


def _has(found: list[Limit], value: float, side: int) -> bool:
    return any(one.value == value and one.side == side for one in found)


def _denied(reading: Reading, limit: Limit) -> bool:
    """Whether something else in the clause of a limit is denied: *十六岁 以上 可以*, *十六岁 以下 不可以*."""
    clause = reading.clause(limit.tokens[0])
    rest = "".join(reading.plain[t] for t in clause if t not in limit.tokens)
    return len(_DENYING.findall(rest)) % 2 == 1
