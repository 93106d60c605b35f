"""What numbers are parts of: 下午三点 is 15点, 增加了一倍 is 是原来的两倍, 零下五度 is -5℃, 三比一 is 3:1."""

from __future__ import annotations

import re
from functools import cache
from math import nan

from sema_reader.quantities import Line, Patterns, Quantity

from sema_chinese.notation.quantities import CODE, FIGURE, value_of
from sema_chinese.notation.spelling import Spelling
from sema_chinese.words import table

_ABOUT = re.compile(r"(?!.{4}$).*[一二两三四五六七八九]{2}.*")
"""Two figures side by side that mean *from one to the other* (三四, 十二三), but not a year."""


def measures(spelling: Spelling) -> list[Quantity]:
    """Times of day, ratios, ranges, multiples, dates and measures, each in the least unit of its kind."""
    line = Line((word, range(token, token + 1)) for token, word in enumerate(spelling.plain))
    return list(_patterns().read(line))


@cache
def _patterns() -> Patterns:
    return Patterns(table("measures"), rf"(?<![\d.十百千万亿〇零一二两三四五六七八九]){FIGURE}", _value)


def _value(figure: str) -> float:
    is_code = CODE.fullmatch(figure) and not re.fullmatch(r"0\d", figure)
    return nan if is_code or _ABOUT.fullmatch(figure) else value_of(figure)
