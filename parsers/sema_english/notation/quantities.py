"""Numbers as English writes them over several words: *2.5 million*, *forty-nine*, *half an hour*."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from sema_reader.quantities import Quantity

from sema.model.text import Text
from sema_english.words import FUNCTION_WORDS, table

COUNT, ORDINAL, SHARE = "count", "ordinal", "share"
"""The aspects of a number: how many, in which place, which part of the whole."""
YEARS = range(1000, 2101)
_CENTURY = 100
_LONGEST = 15
"""The most digits of a number that floating-point arithmetic tells apart."""
_DIGITS = re.compile(r"[-−+]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_GLUED = re.compile(r"(\d+(?:\.\d+)?)([a-z]{2,})")
_CODE = re.compile(r"0\d[\d.]*|\d+\.\d*0")
"""Figures with zeros that change no value (*007*, *1.10*): codes, versions, and numbers written to a precision."""
_GROUP = re.compile(r"\d{3}")
_PARTS = re.compile(r"(\d+)/(\d+)")
_POWERS = ("hundred", "thousand", "million", "billion", "trillion")
_VULGAR = re.compile(r"(\d*)([½⅓⅔¼¾⅛])")
_MINUS, _CHAIN = frozenset("-−"), frozenset("-–/:")
CURRENCIES = frozenset("$£€¥₹")


class Scanner:
    """Reads the numbers of a text from left to right, shares as parts of 1.

    A number after a name occurs twice, once with the name as its kind (*Henry the Eighth*, *Chapter 4*).
    """

    def __init__(self, text: Text) -> None:
        self.text = text
        self.lower = [word.lower() for word in text.words]
        self.tables = {**table("numbers"), **table("measures")}
        self.ordinals = table("numbers")["ordinals"] | table("measures")["ordinals"]
        self.small: Mapping[str, float] = self.tables["small"]
        self.scales: Mapping[str, float] = self.tables["scales"]

    def at(self, token: int) -> str:
        """The word at a token, in lower case; empty outside the text."""
        return self.lower[token] if 0 <= token < len(self.lower) else ""

    def glued(self, token: int) -> bool:
        """Whether no space separates a token from the next."""
        tokens = self.text.tokens
        return 0 <= token < len(tokens) - 1 and tokens[token].end == tokens[token + 1].start

    def scan(self) -> Iterator[Quantity]:
        """The numbers in the order of the text."""
        token = 0
        while token < len(self.lower):
            quantity = self._ordinal(token) or self._fraction(token) or self._count(token) or self._roman(token)
            if quantity is not None:
                yield quantity
                single = quantity.kind == COUNT and len(quantity.tokens) == 1
                if (single or quantity.kind == ORDINAL) and (name := self._name(token)):
                    yield quantity._replace(kind=name)
                token = quantity.tokens[-1]
            token += 1

    def _ordinal(self, token: int) -> Quantity | None:
        word, before, ordinals = self.lower[token], self.at(token - 1), self.ordinals
        if written := _ORDINAL.fullmatch(word):
            return Quantity(float(written[1]), ORDINAL, range(token, token + 1))
        if self.at(token + 1) == "-" and self.at(token + 2) in ordinals and self.small.get(word, 0) >= 20:
            if self.at(token + 2) == "second" and before == "a":
                return None  # *a thirty-second break*
            return Quantity(self.small[word] + ordinals[self.at(token + 2)], ORDINAL, range(token, token + 3))
        if word not in ordinals or before in ("one", "a", "at", "-", "per", *self.small) or before.isdecimal():
            return None
        if word == "second" and before in self.tables["not before an ordinal"]:
            return None  # the unit of time
        return Quantity(ordinals[word], ORDINAL, range(token, token + 1))

    def _fraction(self, token: int) -> Quantity | None:
        """*half of*, *a third of*, *two-thirds*; of a unit or a scale it is a count (*half a million*)."""
        word, after, fractions = self.lower[token], self.at(token + 1), self.tables["fractions"]
        if word == "half" and after in ("a", "an"):
            return self._counted(0.5, token, token + 2)
        if word == "half":
            if after in self.tables["not halved"] or self.at(token - 1) in self.tables["not before a share"]:
                return None
            return Quantity(0.5, SHARE, range(token, token + 1))
        if after == "of" and (written := _PARTS.fullmatch(word)) and 0 < int(written[1]) < int(written[2]):
            return Quantity(round(int(written[1]) / int(written[2]), 3), SHARE, range(token, token + 1))
        parts = 1.0 if word in ("a", "one") else self.small.get(word, 0.0)
        place = token + 2 if after == "-" else token + 1
        if not parts or self.at(place) not in fractions or self.at(place) == "half":
            return None
        named = word == "a" or (self.at(place) in ("quarter", "quarters") and after != "-")
        if named and self.at(place + 1) != "of":
            return None  # *a third man*, *two quarters without growth*
        return Quantity(round(parts * fractions[self.at(place)], 3), SHARE, range(token, place + 1))

    def _count(self, token: int) -> Quantity | None:
        word, before, after = self.lower[token], self.at(token - 1), self.at(token + 1)
        if word in ("a", "an"):
            return self._article(token)
        if word not in self.small:
            return self._figure(token)
        if word == "one" and (
            before in self.tables["not counting one"]
            or after in self.tables["not counted by one"]
            or not after.isalpha()
        ):
            return None
        return self._spelt(token)

    def _article(self, token: int) -> Quantity | None:
        """*a hundred*, *a dozen*, *a pair of*."""
        after = self.at(token + 1)
        if after in (*_POWERS, "dozen"):
            return self._spelt(token)
        if after in self.tables["groups"] and self.at(token + 2) == "of":
            return Quantity(self.tables["groups"][after], COUNT, range(token, token + 3))
        return None

    def _spelt(self, token: int) -> Quantity:
        """A number in words: *forty-nine*, *a hundred and five*, *nineteen forty-five*."""
        total, part, end = 0.0, self.small.get(self.lower[token], 1.0), token + 1
        while end < len(self.lower):
            joint = self.at(end) if self.at(end) in ("-", "and") else ""
            word = self.at(end + 1) if joint else self.at(end)
            if word in _POWERS and joint != "and":
                part *= self.scales[word]
                if self.scales[word] > _CENTURY:
                    total, part = total + part, 0.0
            elif word in self.small and _continues(part, self.small[word], joint, total):
                year = 13 <= part <= 20 and self.small[word] >= 10
                part = part * _CENTURY + self.small[word] if year else part + self.small[word]
            else:
                break
            end += 2 if joint else 1
        return self._counted(total + part, token, end)

    def _figure(self, token: int) -> Quantity | None:
        """A number in digits, with an attached scale (*5bn*)."""
        word, scale, end = self.lower[token].lstrip("$£€¥"), 1.0, token + 1
        if (glued := _GLUED.fullmatch(word)) and glued[2] in self.scales:
            word, scale = glued[1], self.scales[glued[2]]
        if vulgar := _VULGAR.fullmatch(word):
            return self._counted(float(vulgar[1] or 0) + unicodedata.numeric(vulgar[2]), token, end)
        if not _DIGITS.fullmatch(word) or sum(map(str.isdecimal, word)) > _LONGEST or self._is_code(token):
            return None
        before = self.at(token - 1)
        if _CODE.fullmatch(word) and scale == 1 and self.at(end) not in self.scales and before not in CURRENCIES:
            return None
        while len(word) <= 3 * (end - token) and _GROUP.fullmatch(self.at(end)):
            word, end = word + self.at(end), end + 1  # *1 000 000*
        number = float(word.replace(",", "").replace("−", "-"))
        if (vulgar := _VULGAR.fullmatch(self.at(end))) and not vulgar[1]:
            return self._counted(number + unicodedata.numeric(vulgar[2]), token, end + 1)
        if before in _MINUS and self.glued(token - 1) and not self.glued(token - 2):
            return self._counted(-number * scale, token, end, start=token - 1)  # no hyphen: a space stands before it
        return self._counted(number * scale, token, end, year=self.is_year(token))

    def _is_number(self, token: int) -> bool:
        return self.at(token) in self.small or self.at(token)[:1].isdecimal()

    def _is_code(self, token: int) -> bool:
        """Whether a figure is one of three or more that signs join (*978-3-16*)."""
        first = last = token
        while last - first < 4 and self._is_joint(first - 1) and self.at(first - 2)[:1].isdecimal():
            first -= 2
        while last - first < 4 and self._is_joint(last + 1) and self.at(last + 2)[:1].isdecimal():
            last += 2
        return last - first >= 4

    def _is_joint(self, token: int) -> bool:
        return self.at(token) in _CHAIN and self.glued(token - 1)

    def is_year(self, token: int) -> bool:
        """Whether four digits may be a year."""
        word = self.at(token)
        return word.isdecimal() and len(word) == 4 and int(word) in YEARS

    def _counted(self, number: float, first: int, end: int, *, start: int = -1, year: bool = False) -> Quantity:
        """A count with the minus before it and the half and the scale after it (*one and a half million*)."""
        before, start = self.at(first - 1), first if start < 0 else start
        if self.lower[end : end + 3] == ["and", "a", "half"] and number < _CENTURY:
            number, end = number + 0.5, end + 3
        scaled = end
        while self.at(end) in self.scales and (len(self.at(end)) > 1 or before in CURRENCIES):
            number, end = number * self.scales[self.at(end)], end + 1
        if end == scaled and not year:
            number *= self._shared_scale(number, before, end)
        if before in ("minus", "negative") and not self._is_number(first - 2):
            number, start = -number, first - 1
        marks = 2 if (self.at(end), self.at(end + 1)) == ("per", "cent") else self.at(end) in ("%", "percent", "pct")
        if marks:
            return Quantity(round(number / 100, 6), SHARE, range(start, end + marks))
        return Quantity(number, COUNT, range(start, end))

    def _shared_scale(self, number: float, before: str, end: int) -> float:
        """The scale after the second number of a range (*200 to 300 million*), else 1."""
        joints = ("to", "or", "-", "–", *(("and",) if before == "between" else ()))
        scale, figure = self.at(end + 2), self.at(end + 1)
        if self.at(end) not in joints or len(scale) == 1 or scale not in self.scales:
            return 1.0
        high = self.small.get(figure) or (float(figure.replace(",", "")) if _DIGITS.fullmatch(figure) else 0.0)
        return self.scales[scale] if number < high else 1.0

    def _roman(self, token: int) -> Quantity | None:
        """A Roman numeral after a name (*Henry VIII*); a single letter may be a word and counts with the name alone."""
        number, name = self.tables["roman"].get(self.text.words[token]), self._name(token)
        kind = name if len(self.lower[token]) == 1 else ORDINAL
        return Quantity(number, kind, range(token, token + 1)) if number and name else None

    def _name(self, token: int) -> str:
        """The capitalised word before an ordinal and its article; empty if there is none."""
        place = token - 2 if self.at(token - 1) == "the" else token - 1
        word = self.text.words[place] if place >= 0 else ""
        return word if word[:1].isupper() and word[1:].islower() and word.lower() not in FUNCTION_WORDS else ""


def _continues(part: float, further: float, joint: str, total: float) -> bool:
    """Whether a number word continues the one before it."""
    if part >= 100 and part % 100 == 0:
        return further < 100
    if part == 0 and total:
        return True
    if joint == "and":
        return False
    if 13 <= part <= 20 and further >= 10 and not joint:
        return True  # *nineteen fourteen*, *twenty twenty*
    return part % 10 == 0 and part % _CENTURY >= 20 and 0 < further < 10
