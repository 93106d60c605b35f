"""Quantities in several notations: measures, shares, ranges, ratios, times of day, dates, limits.

A language reads its numbers and has a table of patterns; here stands what the groups of the patterns mean. *5 km* is
*5,000 metres*, *3 p.m.* is *15:00*, *the fifth of March* is *March 5*, 三点半 is 3:30, 增加了一倍 is 是原来的两倍.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cache, partial
from math import isnan, nan
from pathlib import Path
from typing import Any, NamedTuple

from sema_reader.normalisation import Match

NUMBER = r"#-?[\d.e+]+(?![\d.e+%]|th)"
"""A count of a :class:`Line` that holds numbers in digits behind a #; a share ends in %, an ordinal in *th*."""
_TABLES = Path(__file__).parent / "measures.json"
_FIELD = re.compile(r"\{([a-z_]+2?)\}")
_LISTED, _BEGINNING = 100, 3
"""Longer lists of words are looked for by so many of their first letters, until one may be there."""
_SYMBOL = 2
"""The most letters of a unit whose capitals have a meaning."""
_DIGITS = 12
"""Digits of a quantity; further ones are errors of floating-point arithmetic. Longer figures are no measures."""
_HALF_DAY, _DAY, _HOUR, _MONTHS, _DAYS, _CENTURY, _LAST_CENTURY = 12, 24, 60, 12, 31, 100, 20
_CLOCK, _FULL_CLOCK, _HALF_CLOCK = "time of day", "time of the 24-hour clock", "time of half a day"
_Groups = Mapping[str, Any]
_Read = tuple[Hashable, str]
_Meaning = Callable[[_Groups], Iterator[_Read]]


class Quantity(NamedTuple):
    """What a text states: a hashable value, the kind of value, and the tokens."""

    value: Any
    kind: str
    tokens: range


def alike(source: Iterable[Quantity], output: Iterable[Quantity]) -> Iterator[Match]:
    """The tokens of both texts that state the same; of the source's, the longest."""
    known = {(one.value, one.kind): one.tokens for one in sorted(source, key=lambda one: len(one.tokens))}
    for other in output:
        if old := known.get((other.value, other.kind)):
            yield old, other.tokens


class Line:
    """A text as one string, and the tokens that begin and end at its characters."""

    def __init__(self, pieces: Iterable[tuple[str, range]], *, between: str = "") -> None:
        self.starts, self.ends = dict[int, int](), dict[int, int]()
        written: list[str] = []
        at = 0
        for chars, tokens in pieces:
            if chars:
                self.starts[at], self.ends[at + len(chars)] = tokens.start, tokens.stop
            written.append(chars)
            at += len(chars) + len(between)
        self.chars = between.join(written)

    def run(self, start: int, end: int) -> range | None:
        """The tokens that hold these characters and no others."""
        first, last = self.starts.get(start), self.ends.get(end)
        return None if first is None or last is None else range(first, last)


def decimal(figure: str) -> float:
    """The number of a figure in such a line; NaN for signs and for too many digits."""
    try:
        return float(figure.strip("#th")) if sum(map(str.isdecimal, figure)) <= _DIGITS else nan
    except ValueError:
        return nan


@cache
def tables_of(languages: str) -> Mapping[str, Any]:
    """The units of ``all languages``; units, words and patterns of the ``languages without tables`` of their own."""
    found: Mapping[str, Any] = json.loads(_TABLES.read_text(encoding="utf-8"))[languages]
    return found


def units_of(tables: Mapping[str, Any]) -> dict[str, list[tuple[str, float]]]:
    """The dimensions and factors that a spelling of a unit may stand for: the shared ones, and a language's own."""
    common, found = tables_of("all languages"), defaultdict[str, list[tuple[str, float]]](list)
    for dimension, factor, spellings in [*common["units"], *tables["units"]]:
        for spelling in spellings.split(", "):
            found[spelling].append((dimension, float(factor)))
    for symbol, dimension in common["prefixed units"].items():
        names = tables["unit names"].get(symbol, "").split()
        for prefix, long_prefix, factor in common["prefixes"]:
            for spelling in [prefix + symbol, *(long_prefix + name for name in names)]:
                found[spelling].append((dimension, factor))
    lengths = [(unit, meant) for unit, meant in found.items() if meant[0][0] in tables["lengths"]]
    for power in (2, 3):
        for form in common["powers"][power - 2] + tables["powers"][power - 2]:
            for unit, ((dimension, factor), *_) in lengths:
                found[form.format(unit)].append((f"{dimension}{power}", factor**power))
    return dict(found)


class _Form:
    """A pattern that is compiled for the first line that may match: one of a table of units takes ten milliseconds.

    ``first`` is a short pattern that matches where ``whole`` does, and elsewhere.
    """

    def __init__(self, whole: str, first: str) -> None:
        self._whole, self._first = whole, re.compile(first, re.IGNORECASE)
        self._pattern = self._first if first == whole else None

    def finditer(self, chars: str) -> Iterator[re.Match[str]]:
        """The matches of the whole pattern."""
        if self._pattern is None and self._first.search(chars):
            self._pattern = re.compile(self._whole, re.IGNORECASE)
        return self._pattern.finditer(chars) if self._pattern else iter(())


class Patterns:
    """Reads quantities in a line by a table of patterns for each kind of quantity.

    ``{name}`` in a pattern is a group. It is a word of the table ``words`` of that name, or what the table ``fields``
    has for it, or else a ``figure``, whose value is ``number(figure)``, NaN if it has none. A 2 at the end of the name
    makes it a second group.
    """

    def __init__(self, tables: Mapping[str, Any], figure: str, number: Callable[[str], float]) -> None:
        units = units_of(tables)
        signs = {sign: unit for sign, unit in units.items() if unicodedata.category(sign[-1]) == "Sc"}
        self._words: dict[str, Mapping[str, Any]] = {"unit": units, "per": units, "currency": signs, **tables["words"]}
        fields = {**tables["fields"], **{name: _one_of(words) for name, words in self._words.items()}}
        begun = {name: _begun(words) for name, words in self._words.items() if len(words) > _LISTED}
        self._number = number
        self._forms: list[tuple[_Meaning, _Form]] = []
        for kind, forms in tables["patterns"].items():
            for form in forms:
                whole, first = (_FIELD.sub(partial(_group, has, figure), form) for has in (fields, fields | begun))
                self._forms.append((_MEANINGS[kind], _Form(whole, first)))

    def read(self, line: Line) -> Iterator[Quantity]:
        """The quantities of a line, those of each pattern in the order of the line.

        Beside a time of the 24-hour clock, the other times without their half of the day are of that clock, too.
        """
        found = [*self._read(line)]
        halves = _CLOCK if any(one.kind == _FULL_CLOCK for one in found) else _HALF_CLOCK
        kinds = {_FULL_CLOCK: _CLOCK, _HALF_CLOCK: halves}
        yield from (one._replace(kind=kinds.get(one.kind, one.kind)) for one in found)

    def _read(self, line: Line) -> Iterator[Quantity]:
        for meaning, form in self._forms:
            for found in form.finditer(line.chars):
                if tokens := line.run(*found.span()):
                    parts = {name: self._value(name, part) for name, part in found.groupdict().items() if part}
                    reads = meaning(parts) if None not in parts.values() else ()
                    yield from (Quantity(value, kind, tokens) for value, kind in reads if not _has_nan(value))

    def _value(self, name: str, part: str) -> Any:
        """A group's entry in its table of words, else its number; ``None`` for a unit in other capitals."""
        name = name.removesuffix("2")
        if name not in self._words:
            return self._number(part)
        capitals = name == "unit" and len(part) <= _SYMBOL
        return self._words[name].get(part) or (None if capitals else self._words[name].get(part.lower()))


def _has_nan(value: Hashable) -> bool:
    parts = value if isinstance(value, tuple) else (value,)
    return any(isinstance(part, float) and isnan(part) for part in parts)


def _group(fields: Mapping[str, str], figure: str, name: re.Match[str]) -> str:
    return f"(?P<{name[1]}>{fields.get(name[1].removesuffix('2'), figure)})"


def _one_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


def _begun(words: Iterable[str]) -> str:
    """A pattern of everything that begins as one of many words does."""
    return f"(?:{_one_of({word[:_BEGINNING] for word in words})})(?s:.*?)"


def _measure(parts: _Groups) -> Iterator[_Read]:
    """A number of units, also of two units (*5 feet 11 inches*), and of one unit for each of another (*km/h*)."""
    number = parts.get("number", 0.0) * parts.get("scale", 1.0)
    number += parts.get("tenths", 0.0) / 10 + (0.5 if "half" in parts else 0.0)
    further = parts.get("unit2") or parts.get("per") or [("", 1.0)]
    for dimension, factor in parts.get("unit") or parts.get("currency") or [("count", 1.0)]:
        for second, less in further:
            if "other" in parts and (second != dimension or less >= factor):
                continue
            value = number * factor / less if "per" in parts else number * factor + parts.get("other", 0.0) * less
            kind = f"{dimension}/{second}" if "per" in parts else dimension
            yield float(f"{-value if 'minus' in parts else value:.{_DIGITS}g}"), kind


def _times(parts: _Groups) -> Iterator[_Read]:
    """How many times as much, also by how much it rises: 增加一倍 is twice."""
    if "rise" in parts:
        yield round(1 + parts.get("number", parts.get("percent", 0.0) / 100), _DIGITS), "times"
    else:
        yield parts.get("multiple") or parts.get("number") or 2.0 ** parts["doubled"], "times"


def _range(parts: _Groups) -> Iterator[_Read]:
    """Two rising numbers, or shares; *1918-20* ends in 1920."""
    low, high = parts.get("number", parts.get("share")), parts.get("other", parts.get("share2"))
    if "short" in parts:
        high = low // _CENTURY * _CENTURY + parts["short"]
    if low < high:
        yield (low, high), "range of shares" if "share2" in parts else "range"


def _ratio(parts: _Groups) -> Iterator[_Read]:
    """Two numbers in their order; if a hyphen joins them, only falling ones: *3-1* is a score, *1-3* a range."""
    if parts["number"] > parts["other"] or "hyphen" not in parts:
        yield (parts["number"], parts["other"]), "ratio"


def _share(parts: _Groups) -> Iterator[_Read]:
    if 0 < parts["number"] < parts["other"]:
        yield round(parts["number"] / parts["other"], 3), "share"


def _clock(parts: _Groups) -> Iterator[_Read]:
    """A time of day. One without its half of the day has a kind of its own: nobody knows which half it is of."""
    hour, minute = parts.get("hour", parts.get("noon")), parts.get("minute", 0.0) + parts.get("quarter", 0.0)
    if not (0 <= hour <= _DAY and 0 <= minute < _HOUR):
        return
    if "to" in parts:
        hour, minute = (hour - 2) % _HALF_DAY + 1, _HOUR - minute
    if "half_day" in parts:
        first, last = parts["half_day"]
        fitting = [at for at in (hour % _HALF_DAY, hour % _HALF_DAY + _HALF_DAY) if first <= at <= last]
        yield from (((at, minute), _CLOCK) for at in fitting)
    elif not 0 < hour <= _HALF_DAY:
        yield (hour, minute), _FULL_CLOCK
    elif not parts.keys().isdisjoint(("certain", "noon")):
        yield (hour, minute), _CLOCK
    elif not parts.keys().isdisjoint(("minute", "quarter", "sharp")):
        yield (hour, minute), _HALF_CLOCK


def _date(parts: _Groups) -> Iterator[_Read]:
    month, day = parts.get("month") or parts["month_number"], parts["day"]
    if 1 <= month <= _MONTHS and 1 <= day <= _DAYS:
        yield (month, day, parts.get("year", "")), "date"


def _century(parts: _Groups) -> Iterator[_Read]:
    """*the 18th century*, *the 1700s*."""
    yield parts.get("century") or parts["hundreds"] + 1, "century"


def _decade(parts: _Groups) -> Iterator[_Read]:
    """A decade; one without its century is of the 20th."""
    century = parts.get("hundreds", parts.get("century", _LAST_CENTURY) - 1)
    yield century * _CENTURY + (parts.get("tens") or parts["decade"]), "decade"


def _limit(parts: _Groups) -> Iterator[_Read]:
    """*over 18*, *> 18*; ``exact`` is a number that is written to a precision."""
    number = parts["number"] if "number" in parts else parts["exact"]
    yield (parts.get("limit") or parts["limit_behind"], number, parts.get("of", "")), "limit"


_MEANINGS: Mapping[str, _Meaning] = {
    "measures": _measure,
    "times": _times,
    "ranges": _range,
    "ratios": _ratio,
    "shares": _share,
    "times of day": _clock,
    "dates": _date,
    "centuries": _century,
    "decades": _decade,
    "limits": _limit,
}
