"""What numbers are parts of: 下午三点 is 15点, 增加了一倍 is 是原来的两倍, 零下五度 is -5℃, 三比一 is 3:1."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from math import isnan, nan

from sema_chinese.notation.quantities import FIGURE, UNIT_OF, Number, numbers, value_of
from sema_chinese.notation.spelling import CLASSIFIERS, Spelling
from sema_chinese.words import table, word_list

CLOCK, HALF_DAY = "时刻", "半日时刻"
"""The kinds of a time of day, and of one without its half of the day: nobody knows which half it is of."""
_NOON = 12
_TABLES = table("measures")
_HALVES = _TABLES["halves of the day"]
_ONES = "一二两三四五六七八九"
_SMALL = rf"(?:\d{{1,2}}|[二三四五]?十[{_ONES}]?|零?[{_ONES}])"
_RISE = "|".join(sorted(word_list("measures", "rises"), key=len, reverse=True))
_TIMED = [name for name, unit in UNIT_OF.items() if unit in ("小时", "年", "日", "个月") and name != "号"]
_UNITS = {"元", *_TABLES["conversions"], *(unit for unit, _ in _TABLES["conversions"].values())}
"""The units of which measures may be written otherwise: in another unit, with a sign, or with a half."""
_MEASURE = re.compile(
    rf"(?<![\d.:])(?P<half_day>{'|'.join(_HALVES)})?(?P<hour>{_SMALL})"
    rf"(?::(?P<colon>[0-5]\d)(?![\d:])|(?:点|时)(?P<sharp>钟|整)?(?:(?P<half>半)|(?P<quarter>[一三])刻|(?P<minute>{_SMALL})分)?)"
    rf"|(?<![\d比:])(?P<one>{FIGURE})(?:比|:)(?P<other>{FIGURE})(?![\d比:])"
    rf"|(?P<rise>{_RISE})了?(?P<more>{FIGURE})倍"
    rf"|(?:{_RISE})?(?:是|为|达到|到|至|成)(?:原来|以前|过去)的(?P<times>{FIGURE})倍"
    rf"|翻了?(?P<doubled>[{_ONES}])番"
    rf"|(?:(?P<below>零下|负|(?<![\d-])[-−])(?P<cold>{FIGURE})(?:摄氏)?(?:度|°c)|(?P<degrees>{FIGURE})(?:摄氏度|°c))"
    rf"|(?P<year>\d{{4}})(?P<sign>[-/.年])(?P<month>{_SMALL})(?:(?P=sign)|月)(?P<day>{_SMALL})(?:日|号|(?![\d年月]))"
    rf"|(?<![上下前后大小])(?P<whole>{FIGURE})?个?半(?P<unit>个?(?:{'|'.join(_TIMED)}))"
    rf"|(?P<full>{FIGURE})(?P<units>{'|'.join(_TIMED)})半|¥(?P<yuan>{FIGURE})|(?P<notes>{FIGURE})块钱"
    rf"|(?P<few>[一两二12])(?=[{CLASSIFIERS}])"
)


def measures(spelling: Spelling) -> Iterator[Number]:
    """Times of day, ratios, multiples, temperatures, dates and measures with a half or in their least unit."""
    edges = set(spelling.starts)
    found = [(place.span(), _read(place.groupdict(default=""))) for place in _MEASURE.finditer(spelling.chars)]
    for (start, end), (value, kind, upto) in found:
        if not isnan(value) and start in edges and end in edges:
            yield _least(Number(tuple(spelling.tokens(start, end)), value, kind, upto))
    for number in numbers(spelling):
        if number.whole and number.unit and not number.more and number.kind in _UNITS:
            yield _least(Number((*number.tokens, *number.unit), number.value, number.kind, number.upto))


def _least(number: Number) -> Number:
    """The number in the least unit of its measure."""
    unit, factor = _TABLES["conversions"].get(number.kind, (number.kind, 1))
    return Number(number.tokens, round(number.value * factor, 6), unit, round(number.upto * factor, 6))


def _read(part: Mapping[str, str]) -> tuple[float, str, float]:
    """The value, its kind, and a second value: the minute of a time, the second number of a ratio."""
    if part["hour"]:
        return _clock(part)
    if part["one"]:
        return value_of(part["one"]), "比", value_of(part["other"])
    if part["rise"]:
        return 1 + value_of(part["more"]), "原来的倍数", 0.0
    if part["times"]:
        return value_of(part["times"]), "原来的倍数", 0.0
    if part["doubled"]:
        return 2.0 ** value_of(part["doubled"]), "原来的倍数", 0.0
    if figure := part["cold"] or part["degrees"]:
        return value_of(figure) * (-1 if part["below"] else 1), "摄氏度", 0.0
    if part["year"]:
        month, day = value_of(part["month"]), value_of(part["day"])
        sense = 1 <= month <= 12 and 1 <= day <= 31
        return (float(part["year"]) * 10000 + month * 100 + day if sense else nan), "日期", 0.0
    if part["few"]:
        return value_of(part["few"]), "", 0.0
    if figure := part["yuan"] or part["notes"]:
        return value_of(figure), "元", 0.0
    unit = UNIT_OF[(part["unit"] or part["units"]).removeprefix("个")] if part["unit"] != "个月" else "个月"
    figure = part["whole"] or part["full"]
    return (value_of(figure) if figure else 0.0) + 0.5, unit, 0.0


def _clock(part: Mapping[str, str]) -> tuple[float, str, float]:
    """A time of day: hour, kind and minute; a bare 三点 may be three points."""
    hour = value_of(part["hour"])
    minute = value_of(part["colon"] or part["minute"] or "零")
    minute += 30.0 if part["half"] else 15.0 * value_of(part["quarter"]) if part["quarter"] else 0.0
    offset = _HALVES.get(part["half_day"])
    if hour > 24 or (offset is not None and hour == _NOON and part["half_day"] != "中午"):
        return nan, "", 0.0
    if offset is not None:
        return hour + (offset if hour < _NOON - (part["half_day"] == "中午") else 0), CLOCK, minute
    if hour > _NOON:
        return hour, CLOCK, minute
    certain = part["colon"] or part["sharp"] or part["half"] or part["quarter"] or part["minute"]
    return (hour, HALF_DAY, minute) if certain else (nan, "", 0.0)
