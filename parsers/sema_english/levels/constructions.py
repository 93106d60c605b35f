"""Constructions that learners meet at different levels, found by patterns over words (``tables/constructions.json``).

A pattern is a sequence of tags, which words have by their form: ``be adverb* participle``. ``?`` marks an optional tag,
``*`` one that may be missing or occur up to three times. The patterns need word forms only, no parser. They are regular
expressions over the sentence as a string: for each word a character for each of its tags, then a semicolon.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sema.runtime.caching import remembered
from sema_english.words import table

COUNTS = {"?": "?", "*": "{0,3}"}

Construction = tuple[str, tuple[int, ...]]
"""A construction in a sentence, with its words' indexes."""


@cache
def patterns() -> Mapping[str, tuple[re.Pattern[str], Sequence[re.Pattern[str]]]]:
    """By construction, in the order of features: where any of its patterns matches, and each of them."""
    found = table("constructions")
    sign = {tag: chr(0x100 + number) for number, tag in enumerate(found["tags"])}

    def form(text: str) -> str:
        steps = (f"(?:[^;]*{sign[part.rstrip('?*')]}[^;]*;){COUNTS.get(part[-1], '')}" for part in text.split())
        return "(?<![^;])" + "".join(steps)

    forms = {name: list(map(form, texts)) for name, texts in found["constructions"].items()}
    return {name: (re.compile("|".join(some)), list(map(re.compile, some))) for name, some in forms.items()}


def find(words: Sequence[str]) -> list[Construction]:
    """The constructions in a sentence; matches of one construction do not overlap."""
    line = "".join(_tags(word.lower()) for word in words)
    found = []
    for name, (some, forms) in patterns().items():
        place = end = 0
        while match := some.search(line, end):
            first = place + line.count(";", end, match.start())
            end = max(hit.end() for form in forms if (hit := form.match(line, match.start())))
            place = first + line.count(";", match.start(), end)
            found.append((name, tuple(range(first, place))))
    return found


@remembered
def _tags(word: str) -> str:
    """The signs of the tags that a lower-cased word has, and a semicolon."""
    tags = table("constructions")["tags"].values()
    return "".join(chr(0x100 + number) for number, tag in enumerate(tags) if _fits(word, tag)) + ";"


def _fits(word: str, tag: Mapping[str, Any]) -> bool:
    """Whether a word has a tag: by its form, by an ending, or all of a class."""
    words, endings, excepted = (tag.get(name, "").split() for name in ("words", "suffixes", "except"))
    if word in excepted:
        return False
    if tag.get("any") or word in words:
        return True
    if tag.get("alphabetic"):
        return word[:1].isalpha()
    return len(word) >= tag.get("least", 1) and word.endswith(tuple(endings))
