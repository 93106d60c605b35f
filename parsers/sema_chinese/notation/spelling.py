"""How Chinese words are written: script and width, numerals, and a text as characters however it is cut into words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Iterator, Sequence
from itertools import accumulate, groupby

from sema.runtime.caching import remembered
from sema_chinese.segmentation.segmenter import to_model_characters

DIGITS = {
    **{char: value for value, char in enumerate("零一二三四五六七八九")},
    **{char: value for value, char in enumerate("〇壹贰叁肆伍陆柒捌玖")},
    "○": 0,
    "两": 2,
}
_TENS = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}
POWERS = {**_TENS, **_MYRIADS}
DECIMAL = r"\d+(?:,\d{3}(?!\d))*(?:\.\d+)?"
"""A number in digits; commas stand between groups of three."""
_DATE_UNITS = {"年": "年", "月": "月", "月份": "月", "日": "日", "号": "日", "岁": "岁", "周岁": "岁", "世纪": "世纪"}
CLASSIFIERS = "个名位只件条项家次种所座届人元米"
"""Words between a number and what it counts."""
_NUMBER = re.compile(
    rf"(?P<ordinal>第?)(?P<number>(?:{DECIMAL}[{''.join(POWERS)}]+)*(?:{DECIMAL})?"
    rf"|[{''.join({**DIGITS, **POWERS})}]+)"
    rf"(?P<percent>%?)(?P<unit>年|月份|月|日|号|周岁|岁|世纪|[{CLASSIFIERS}])?"
)


def _number(written: str) -> float | None:
    """``3.5万`` -> 35000; ``二〇〇四`` -> 2004; ``三百二十`` -> 320; ``一万五`` -> 15000; ``None`` for no number."""
    if all(char in DIGITS for char in written):
        return float("".join(str(DIGITS[char]) for char in written)) if written else None
    total = section = digit = 0.0
    for part in re.findall(rf"{DECIMAL}|.", written):
        if part in _TENS:
            section += (digit or 1) * _TENS[part]
            digit = 0
        elif part in _MYRIADS:
            if part == "万" and section + digit:
                total += (section + digit) * _MYRIADS[part]
            else:
                total = (total + section + digit or 1) * _MYRIADS[part]
            section = digit = 0
        else:
            digit = DIGITS[part] if part in DIGITS else float(part.replace(",", ""))
    return total + section + digit * (POWERS.get(written[-2:-1], 10) // 10)


def _numeral(word: str) -> tuple[re.Match[str] | None, float | None]:
    match = _NUMBER.fullmatch(plain_figures(word))
    return match, match and _number(match["number"])


@remembered
def number_value(word: str) -> Hashable | None:
    """The value of a numeral, in digits or characters, with a measure word or a unit of dates; else ``None``.

    ``三``, ``3`` and ``三个`` are one value, ``二〇〇四年`` and ``2004年`` another; ``第三`` is the third, not three.
    """
    match, value = _numeral(word)
    if match is None or value is None:
        return None
    unit = _DATE_UNITS.get(match["unit"] or "") or match["percent"]
    return (match["ordinal"], value, unit) if unit or match["ordinal"] else value


@remembered
def plain(word: str) -> str:
    """A word in half-width, lower-case, simplified characters."""
    return to_model_characters(unicodedata.normalize("NFKC", word)).lower()


@remembered
def spell(word: str) -> str:
    """The same with a numeral in digits."""
    match, value = _numeral(word)
    if match is None or value is None:
        return plain(word)
    return f"{match['ordinal']}{value:.10g}{match['percent']}{match['unit'] or ''}"


@remembered
def plain_figures(word: str) -> str:
    """The plain word, but a sign that holds a digit and is none (², ㎡) stays as it is: it is part of no number."""
    return "".join("".join(run) if kept else plain("".join(run)) for kept, run in groupby(word, _holds_digit))


def _holds_digit(char: str) -> bool:
    return not char.isdecimal() and any(map(str.isdecimal, unicodedata.normalize("NFKC", char)))


@remembered
def characters(word: str) -> frozenset[str]:
    """The characters that a word is made of, as :func:`spell` writes them."""
    return frozenset(spell(word))


class Spelling:
    """Tokens as a string of simplified half-width characters, numerals as they are written.

    Attributes:
        plain: each token's spelling.
        chars: all tokens' characters.
        starts: for each token its first character; one more for the end.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.plain = [plain_figures(word) for word in words]
        self.chars = "".join(self.plain)
        self.starts = [0, *accumulate(map(len, self.plain))]
        self._home = [token for token, word in enumerate(self.plain) for _ in word]

    def tokens(self, begin: int, end: int) -> list[int]:
        """The tokens of a range of characters."""
        return list(dict.fromkeys(self._home[begin:end]))

    def find(self, word: str) -> Iterator[int]:
        """The places of a string of characters."""
        at = self.chars.find(word)
        while at >= 0:
            yield at
            at = self.chars.find(word, at + 1)
