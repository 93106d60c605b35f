"""Dates: months, weekdays, seasons, parts of the day, *last week* and *next week*."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table
from sema_english.meaning.words import Words, read_words

_WHICH = "which"
_MONTH = "month"


@cache
def _calendar() -> Mapping[str, tuple[str, int]]:
    """For each name of a time the calendar's field, and its number there."""
    fields = {name: groups for name, groups in table("dates").items() if name not in ("only capitalised", "spans")}
    return {
        word: (field, number)
        for field, groups in fields.items()
        for number, words in enumerate(groups)
        for word in words.split()
    }


class Dates:
    """One time in the place of another of the same field of the calendar."""

    kind = Kind.DATE
    exchanges = True

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every name of a time, with the day of a month, stated of the words of content next to it."""
        words = read_words(text)
        facts = []
        for token, word in enumerate(words.lower):
            known = _calendar().get(word)
            if known is None or not _is_time(words, token, known[0]):
                continue
            field = known[0]
            tokens = _with_day(words, token) if field == _MONTH else (token,)
            facts.append(Fact(self.kind, known, tokens, words.near(tokens), field))
        return facts

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Different times of one field."""
        return None if source.value == output.value else BECAME


def _is_time(words: Words, token: int, field: str) -> bool:
    word = words.lower[token]
    if word in table("dates")["only capitalised"]:
        return words.words[token][0].isupper() and token != words.sentence[token][0]
    following = words.lower[token + 1] if token + 1 < len(words.lower) else ""
    if field == _WHICH:
        return following in table("dates")["spans"]
    return not (word == "fall" and words.lower[token - 1] not in ("the", "in", "last", "next", "this"))


def _with_day(words: Words, token: int) -> tuple[int, ...]:
    """A month with the day before or behind it."""
    for day in (token - 1, token + 1):
        if 0 <= day < len(words.lower) and words.lower[day].rstrip("stndrh").isdecimal() and len(words.lower[day]) < 5:
            number = words.lower[day].rstrip("stndrh")
            if int(number) <= 31:
                return (min(day, token), max(day, token))
    return (token,)
