"""What numbers are parts of: amounts and measures, shares, ranges, ratios, times of day and dates.

*£9.8m* is *9.8 million pounds*, *5 km* is *5,000 metres*, *3 p.m.* is *15:00*, *the fifth of March* is *March 5*.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from sema.model.text import Text
from sema.runtime.caching import remembered
from sema_english.notation.quantities import COUNT, CURRENCIES, ORDINAL, SHARE, Scanner, WrittenQuantity
from sema_english.words import FUNCTION_WORDS, table

RANGE, RATIO, NAMED, DATE = "range", "ratio", "named", "date"
CLOCK, HALF_DAY = "time of day", "time of half a day"
"""Further aspects. A time without its half of the day has one of its own: nobody knows which half it is of."""
_LONGEST, _SYMBOL = 3, 2
"""The most tokens of a unit, and the most letters of a unit whose capitals have a meaning."""
_CLOCK = re.compile(r"(\d{1,2}):([0-5]\d)")
_RATIO = re.compile(r"(\d+):(\d)")
_DATES = (
    re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"),
    re.compile(r"(?P<day>1[3-9]|2\d|3[01])[/.](?P<month>0?[1-9]|1[0-2])[/.](?P<year>\d{4})"),
    re.compile(r"(?P<month>0?[1-9]|1[0-2])/(?P<day>1[3-9]|2\d|3[01])/(?P<year>\d{4})"),
)
"""Dates in figures that have one meaning; 5/3/2020 has two."""
_JOINTS = ("-", "–", "/")
"""Signs between the ends of a range; the last only between years."""
_DIGITS = 9
"""Digits of a measure in its least unit; further ones are errors of floating-point arithmetic."""


@remembered
def read_measures(text: Text) -> tuple[WrittenQuantity, ...]:
    """The numbers of a text, and then what they are parts of."""
    scanner = Scanner(text)
    numbers = tuple(scanner.scan())
    return (*numbers, *_Measures(scanner, numbers).scan())


@cache
def _months() -> dict[str, int]:
    """The number of a month by each of its names."""
    return {name: number for number, names in enumerate(table("measures")["months"], 1) for name in names.split()}


@cache
def _units() -> dict[str, list[tuple[str, float]]]:
    """The dimensions and factors that a spelling of a unit may stand for."""
    tables, found = table("measures"), defaultdict[str, list[tuple[str, float]]](list)
    for dimension, factor, spellings in tables["other units"]:
        for spelling in spellings.split(", "):
            found[spelling].append((dimension, factor))
    for prefix, long_prefix, factor in tables["prefixes"]:
        for symbol, names in tables["prefixed units"].items():
            spellings = [long_prefix + name + ending for name in names.split() for ending in ("", "s")]
            for spelling in dict.fromkeys([prefix + symbol, *spellings]):
                found[spelling].append((names.split()[0], factor))
    return found


class _Measures:
    """Reads what the numbers of a text are parts of."""

    def __init__(self, scanner: Scanner, numbers: Sequence[WrittenQuantity]) -> None:
        self.words, self.at, self.scanner, self.tables = scanner.text.words, scanner.at, scanner, scanner.tables
        self.numbers = numbers
        own = [one for one in numbers if one.aspect in (COUNT, ORDINAL, SHARE)]
        self.starts = {one.tokens[0]: one for one in own}
        self.ends = {one.tokens[-1]: one for one in own}

    def scan(self) -> Iterator[WrittenQuantity]:
        for one in self.starts.values():
            yield from self._with_unit(one)
        for one in self.numbers:
            yield from self._named(one)
        for token in range(len(self.words)):
            yield from self._pair(token)
            yield from self._clock(token)
            yield from self._date(token)
            if self.at(token) in self.tables["multiples"]:
                yield WrittenQuantity(self.tables["multiples"][self.at(token)], "times", (token,))

    def _number(self, token: int, *aspects: str) -> WrittenQuantity | None:
        """The number that begins at a token, if it has one of these aspects."""
        found = self.starts.get(token)
        if found is None and self.at(token) == "one":
            found = WrittenQuantity(1.0, COUNT, (token,))
        return found if found is not None and found.aspect in aspects else None

    def _with_unit(self, one: WrittenQuantity) -> Iterator[WrittenQuantity]:
        """The number with the unit behind it, or with a currency before it."""
        start, end = one.tokens[0], one.tokens[-1] + 1
        if one.aspect != COUNT:
            return
        behind = end + (self.at(end) == "-")
        runs = [(behind, behind + length) for length in range(_LONGEST, 0, -1)]
        for first, last in [*runs, (start - 2, start), (start - 1, start)]:
            known = self._unit(first, last) if first >= 0 and last <= len(self.words) else []
            known = [unit for unit in known if first >= end or unit[0][-1] in CURRENCIES]
            for dimension, factor in known:
                tokens = tuple(range(min(start, first), max(end, last)))
                yield WrittenQuantity(float(f"{one.number * factor:.{_DIGITS}g}"), dimension, tokens)
            if known:
                return

    def _named(self, one: WrittenQuantity) -> Iterator[WrittenQuantity]:
        """The number with the names that it counts: *World War II*, *the Second World War*."""
        first, last = one.tokens[0], one.tokens[-1] + 1
        start, end = first, last
        if one.aspect == ORDINAL and self.words[first][1:].islower():
            while self._is_name(end):
                end += 1
        elif not self.words[first][0].islower():
            while self._is_name(start - 1):
                start -= 1
        names = (*self.words[start:first], *self.words[last:end])
        if len(names) > 1:
            yield WrittenQuantity((one.number, *names), NAMED, tuple(range(start, end)))

    def _is_name(self, token: int) -> bool:
        return self.at(token).isalpha() and self.words[token].istitle() and self.at(token) not in FUNCTION_WORDS

    def _unit(self, first: int, last: int) -> list[tuple[str, float]]:
        """The units that tokens may stand for; none before a sign of areas or volumes."""
        written = " ".join(self.words[first:last])
        if self.at(last)[:1] in ("²", "³"):
            return []
        return _units().get(written) or _units().get(written.lower() if len(written) > _SYMBOL else "", [])

    def _pair(self, token: int) -> Iterator[WrittenQuantity]:
        """A range or a ratio of two numbers, or a share (*one in five*)."""
        low = self._number(token, COUNT, SHARE)
        if low is None:
            return
        end, before = low.tokens[-1] + 1, self.at(token - 1)
        joint = "out of" if (self.at(end), self.at(end + 1)) == ("out", "of") else self.at(end)
        place = end + len(joint.split())
        high = self._number(place, low.aspect, SHARE)
        if high is None:
            return
        tokens, numbers = tuple(range(token, high.tokens[-1] + 1)), (low.number, high.number)
        if low.aspect != high.aspect:  # *5 to 10%*
            numbers = round(low.number / 100, 6), high.number
        elif low.aspect == COUNT and 0 < numbers[0] < numbers[1] and joint in ("in", "out of"):
            if joint == "out of" or numbers[0] == 1:
                yield WrittenQuantity(round(numbers[0] / numbers[1], 3), SHARE, tokens)
        elif low.aspect == COUNT and joint == "to":
            yield WrittenQuantity(numbers, RATIO, tokens)
        years = self.scanner.is_year(token)
        if years and joint in _JOINTS and len(self.at(place)) == 2:
            numbers = low.number, low.number // 100 * 100 + high.number  # *1918-20*
        if numbers[0] < numbers[1]:
            if before == "between" and joint == "and":
                yield WrittenQuantity(numbers, RANGE, (token - 1, *tokens))
            elif joint in _JOINTS[: 3 if years else 2] or (joint == "to" and (years or before != "from")):
                yield WrittenQuantity(numbers, RANGE, tokens)

    def _clock(self, token: int) -> Iterator[WrittenQuantity]:
        """A time of day: *3 p.m.*, *15:00*, *half past three*, *noon*."""
        if (hour := self.tables["times of day"].get(self.at(token))) is not None:
            yield WrittenQuantity((hour, 0), CLOCK, (token,))
        elif written := _RATIO.fullmatch(self.at(token)):
            yield WrittenQuantity((float(written[1]), float(written[2])), RATIO, (token,))
        found = self._hour(token)
        if found is None:
            return
        hour, minute, end, certain = found
        for length in (3, 1):
            mark = " ".join(map(self.at, range(end, end + length)))
            if mark in self.tables["halves of the day"] and 1 <= hour <= 12:
                hour, end, certain = hour % 12 + self.tables["halves of the day"][mark], end + length, True
                break
        else:
            if not certain and end == token + 1 and ":" not in self.at(token):
                return  # a number and nothing else
        aspect = CLOCK if certain else HALF_DAY
        yield WrittenQuantity((hour, minute), aspect, tuple(range(token, end)))

    def _hour(self, token: int) -> tuple[int, int, int, bool] | None:
        """Hour, minute, the token behind, and whether the half of the day is certain."""
        if written := _CLOCK.fullmatch(self.at(token)):
            hour = int(written[1])
            return (hour, int(written[2]), token + 1, hour > 12 or written[1][0] == "0") if hour < 24 else None
        place = token + (self.at(token) == "a")
        minute = {"half": 30, "quarter": 15}.get(self.at(place), 0)
        if minute:
            place += 2 if self.at(place + 1) == "-" else 1
            if self.at(place) not in ("past", "to") or (self.at(place) == "to" and minute == 30):
                return None
            minute = -minute if self.at(place) == "to" else minute
            place += 1
        number = self._number(place, COUNT)
        if number is None or number.number not in range(1, 13) or (place > token) is not bool(minute):
            return None
        end = number.tokens[-1] + 1 + (self.at(number.tokens[-1] + 1) == "o'clock")
        hour = int(number.number) if minute >= 0 else (int(number.number) - 2) % 12 + 1
        return hour, minute % 60, end, False

    def _date(self, token: int) -> Iterator[WrittenQuantity]:
        """A day and its month, and the same with the year behind them."""
        for form in _DATES:
            if written := form.fullmatch(self.at(token)):
                month, day, year = (int(written[part]) for part in ("month", "day", "year"))
                if month in range(1, 13) and day in range(1, 32):
                    yield WrittenQuantity((month, day, year), DATE, (token,))
        month = _months().get(self.at(token).rstrip("."), 0)
        if not month or not self.words[token][0].isupper():
            return
        place = token - 2 if self.at(token - 1) == "of" else token - 1
        for number in (self._number(token + 1, COUNT, ORDINAL), self.ends.get(place)):
            if number is None or number.number not in range(1, 32) or number.aspect == SHARE:
                continue
            start, end = min(token, number.tokens[0]), max(token, number.tokens[-1]) + 1
            start -= number.aspect == ORDINAL and self.at(start - 1) == "the"
            tokens, day = tuple(range(start, end)), int(number.number)
            yield WrittenQuantity((month, day), DATE, tokens)
            place = end + 1 if self.at(end) == "," else end
            if self.scanner.is_year(place):
                yield WrittenQuantity((month, day, int(self.at(place))), DATE, (*tokens, *range(end, place + 1)))
