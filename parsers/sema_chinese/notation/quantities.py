"""Numbers as Chinese writes them over several words: 百分 之 十 五, 三百 二十万, 二十余 种, 1957 年, 三分之一."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import isnan, nan

from sema_chinese.notation.spelling import DECIMAL, Spelling, number_value
from sema_chinese.words import table, word_list

_ZERO_TO_NINE = "〇○零一二三四五六七八九"
FIGURE = (
    rf"(?:[{_ZERO_TO_NINE}]+\d[\d{_ZERO_TO_NINE}]*|(?:{DECIMAL}[十百千万亿]+)+|{DECIMAL}"
    rf"|[{_ZERO_TO_NINE}两十百千万亿]+(?:点[{_ZERO_TO_NINE}]+[万亿]*)?)"
)
_NEIGHBOURS = "一二|一两|两三|二三|三四|四五|五六|六七|七八|八九|三五"
"""Adjacent figures that mean *from one to the other*."""
_NUMBER = re.compile(
    rf"(?P<share>百分之)(?P<percent>{FIGURE})"
    rf"|(?P<below>{FIGURE})分之(?P<above>{FIGURE})"
    r"|(?<![\d/])(?P<top>\d+)/(?P<bottom>\d+)(?![\d/])"
    r"|(?P<tenths>[一二三四五六七八九两\d])成(?P<hundredths>[半一二三四五六七八九]?)(?![为立功员本就长果人年分熟绩都])"
    r"|(?P<decades>[三四五六七八九])旬"
    rf"|(?<![{_ZERO_TO_NINE}两十百千万亿点])(?P<tens>[二三四五六七八九]?十)?(?P<between>{_NEIGHBOURS})"
    rf"(?P<times>[十百千万亿]*)(?![{_ZERO_TO_NINE}点年])"
    r"|(?P<low>\d+)[、~～至到-](?P<high>\d+)(?P<scale>[百千万亿]+)"
    r"|(?P<half>半数|一半|过半)"
    r"|(?P<first>首)(?=[届次个位名批部家轮座任])"
    r"|(?P<vague>[数几][十百千万亿]+|[上成][百千万][百千万亿]*(?=[名人个万]))"
    rf"|(?P<ordinal>第?)(?P<plain>{FIGURE})(?P<more>[多余几来]?)(?P<myriads>[万亿]*)(?P<sign>%?)"
)
CODE = re.compile(rf"[0零〇○][\d{_ZERO_TO_NINE}]+|\d+\.\d*0|[百千万亿]+|.*\d{{13}}.*")
"""Figures that are written to a place or stand for a name or any large number, or too long: 007, 1.10, 百度, 千万."""
_UNIT_OF = {name: unit for unit, names in table("numbers")["units"].items() for name in names.split()}
_UNIT_OF |= {"个百分点": "百分点", "百分点": "百分点"}
"""The unit that a spelling stands for."""
_UNITS = re.compile("|".join(sorted(_UNIT_OF, key=len, reverse=True)))
YEARS = range(1000, 2101)
LEAST, ROUNDED = 20, 0.06
"""The number above which rounding is allowed, and the largest share of it that rounding may change."""


@dataclass(frozen=True)
class Number:
    """A number in a text: its tokens and its value."""

    tokens: tuple[int, ...] = field(compare=False)
    value: float
    kind: str
    """``%``, ``ordinal``, ``vague`` (几千: some thousands), a unit of time or measure, or nothing."""
    upto: float = 0.0
    """The upper end of a range (八九个月)."""
    unit: tuple[int, ...] = field(default=(), compare=False)
    """The tokens of its unit; none if they hold more (年级)."""
    whole: bool = field(default=True, compare=False)
    """Whether these tokens hold nothing but an exact number and its unit; 达八百亿 holds more, 007 is a code."""
    more: bool = False
    """Whether it is the least that is meant (二十多, 过半)."""

    @property
    def most(self) -> float:
        """The largest value that it may mean."""
        return max(self.value, self.upto)


def numbers(spelling: Spelling) -> list[Number]:
    """The numbers of a text in order; 一 counts as a number only before a unit."""
    barred = {
        at + k for word in word_list("numbers", "no numbers") for at in spelling.find(word) for k in range(len(word))
    }
    read, edges = [], set(spelling.starts)
    for place in _NUMBER.finditer(spelling.chars):
        if place.end() == place.start() or place.start() in barred:
            continue
        value, kind, upto = _read(place.groupdict(default=""))
        unit = None if kind else _UNITS.match(spelling.chars, place.end())
        if unit:
            kind = _UNIT_OF[unit.group()]
        if isnan(value) or (not kind and place.group() in ("一", "两", "万", "千", "百", "亿")):
            continue
        named = tuple(spelling.tokens(*unit.span())) if unit and unit.end() in edges else ()
        ends = {part.end() for part in (place, unit) if part}
        whole = place.start() in edges and not edges.isdisjoint(ends) and not _is_code(spelling.chars, place)
        more = bool(place["more"]) or place.group() == "过半"
        tokens = tuple(spelling.tokens(*place.span()))
        read.append(Number(tokens, round(value, 6), kind, upto, named, whole, more))
    return read


def _is_code(chars: str, place: re.Match[str]) -> bool:
    """Whether figures are no exact number, or a part of a time, a version or an address."""
    start, end = place.span()
    inside = re.search(r"\d[:.]$", chars[max(start - 2, 0) : start]) or re.match(r"[:.]\d", chars[end : end + 2])
    return bool(inside) or CODE.fullmatch(place.group()) is not None


def _read(part: dict[str, str]) -> tuple[float, str, float]:
    """The value of a number, its kind, and the upper end of a range, else 0."""
    if part["share"]:
        return value_of(part["percent"]), "%", 0.0
    if rest := part["hundredths"]:
        return 10 * value_of(part["tenths"]) + (5.0 if rest == "半" else value_of(rest)), "%", 0.0
    if part["tenths"]:
        return 10 * value_of(part["tenths"]), "%", 0.0
    if part["decades"]:
        return 10 * value_of(part["decades"]), "岁", 0.0
    if part["between"]:
        low, high = (_of_range(part, digit) for digit in part["between"])
        return low, "", high
    if part["low"]:
        return value_of(part["low"] + part["scale"]), "", value_of(part["high"] + part["scale"])
    if below := part["below"] or part["bottom"]:
        return value_of(part["above"] or part["top"]) / (value_of(below) or nan), "share", 0.0
    if part["half"]:
        return 50.0, "%", 0.0
    if part["first"]:
        return 1.0, "ordinal", 0.0
    if part["vague"]:
        scale = part["vague"][1:]
        return value_of(scale if scale[0] == "十" else "一" + scale), "vague", 0.0
    figure = part["plain"] + part["myriads"] if part["more"] else part["plain"]
    return value_of(figure), "ordinal" if part["ordinal"] else part["sign"], 0.0


def _of_range(part: dict[str, str], digit: str) -> float:
    """An end of a range: 170,000 for 七 in 十七八万."""
    tens = value_of(part["tens"]) if part["tens"] else 0.0
    return (tens + value_of(digit)) * (10.0 if part["times"] == "十" else value_of("一" + part["times"]))


def value_of(figure: str) -> float:
    """``十五`` -> 15, ``四点九亿`` -> 490000000, ``二０四九`` and ``2.4`` likewise; NaN if it is not a number."""
    whole, point, rest = figure.partition("点")
    if point:
        digits = rest.rstrip("万亿")
        decimals = _plain_value("零" + digits) / 10.0 ** len(digits)
        return (_plain_value(whole) + decimals) * _plain_value("一" + rest[len(digits) :])
    if re.fullmatch(rf"[\d{_ZERO_TO_NINE}]+", figure):
        figure = "".join(f"{_plain_value(char):g}" for char in figure)
    return _plain_value(figure)


def _plain_value(figure: str) -> float:
    value = number_value(figure)
    return value if isinstance(value, float) else nan


def _decade(number: Number) -> float:
    """The number's value; a decade without its century is of the 20th."""
    return number.value + 1900 if number.kind == "年代" and number.value < 100 else number.value


def same(first: Number, second: Number, *, rounded: bool = False) -> bool:
    """Whether two numbers are the same, or one is vague (some thousands) and the other of that order.

    With ``rounded``, the second may also be the first rounded to fewer digits.
    """
    kinds = {"%" if number.kind == "百分点" else number.kind for number in (first, second)}
    if kinds == {"年代", "年"}:
        return _decade(first) == _decade(second)
    if kinds == {"世纪", "年"}:
        century, year = (first, second) if first.kind == "世纪" else (second, first)
        return century.value - 1 <= year.value / 100 <= century.value
    if "vague" in kinds:
        low, high = (first, second) if first.kind == "vague" else (second, first)
        return low.value == high.value if len(kinds) == 1 else low.value <= high.value < 10 * low.value
    if len(kinds) == 2 and (kinds <= word_list("numbers", "measures") or ("ordinal" in kinds and "" not in kinds)):
        return False
    if len(kinds) == 2 and "%" in kinds:
        share, percent = (first, second) if second.kind == "%" else (second, first)
        return share.kind == "share" and abs(100 * share.value - percent.value) < min(1, ROUNDED * percent.value)
    if first.upto or second.upto:
        return first.value <= second.most and second.value <= first.most
    if first.value == second.value or not rounded or _is_year(first) or _is_year(second):
        return first.value == second.value
    exact, short = first.value, second.value
    return _digits(short) < _digits(exact) and exact > LEAST and abs(exact - short) <= ROUNDED * exact


def _is_year(number: Number) -> bool:
    """Whether it names a year, which nobody rounds."""
    return number.kind == "年" and number.value in YEARS


def _digits(value: float) -> int:
    """The number of significant digits: 320 and 3,200,000 have two."""
    return len(f"{value:.10g}".replace(".", "").replace("e+", "").strip("0"))


def match(source: Sequence[Number], output: Sequence[Number]) -> list[tuple[Number, Number]]:
    """Pairs of the same number, exact ones before rounded ones; a text may repeat a number."""
    pairs: list[tuple[Number, Number]] = []
    for rounded in (False, True):
        for other in output:
            if any(other is b for _, b in pairs):
                continue
            alike = [one for one in source if same(one, other, rounded=rounded)]
            free = [one for one in alike if not any(one is a for a, _ in pairs)]
            if alike:
                best = min(free or alike, key=lambda one: (one.kind != other.kind, abs(one.value - other.value)))
                pairs.append((best, other))
    for one in source:
        if not any(one is a for a, _ in pairs):
            pairs += [(one, other) for other in output if same(one, other, rounded=True)][:1]
    return pairs


def unmatched(source: Sequence[Number], output: Sequence[Number]) -> tuple[list[Number], list[Number]]:
    """The numbers of either text that the other lacks."""
    pairs = match(source, output)
    kept, matched = {id(one) for one, _ in pairs}, {id(other) for _, other in pairs}
    return [n for n in source if id(n) not in kept], [n for n in output if id(n) not in matched]
