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
def patterns() -> Mapping[str, Sequence[re.Pattern[str]]]:
    """By construction, in the order of features, its patterns."""
    found = table("constructions")
    sign = {tag: chr(0x100 + number) for number, tag in enumerate(found["tags"])}

    def compiled(text: str) -> re.Pattern[str]:
        steps = (f"(?:[^;]*{sign[part.rstrip('?*')]}[^;]*;){COUNTS.get(part[-1], '')}" for part in text.split())
        return re.compile("(?<![^;])" + "".join(steps))

    return {name: [compiled(text) for text in texts] for name, texts in found["constructions"].items()}


def find(words: Sequence[str]) -> list[Construction]:
    """The constructions in a sentence; matches of one construction do not overlap."""
    line = "".join(_tags(word.lower()) for word in words)
    found = []
    for name, forms in patterns().items():
        end = 0
        while matches := [match for form in forms if (match := form.search(line, end))]:
            start = min(match.start() for match in matches)
            end = max(match.end() for match in matches if match.start() == start)
            found.append((name, tuple(range(line.count(";", 0, start), line.count(";", 0, end)))))
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
