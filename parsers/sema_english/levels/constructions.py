"""Constructions that learners meet at different levels, found by patterns over words (``tables/constructions.json``).

A pattern is a sequence of tags, which words have by their form: ``be adverb* participle``. ``?`` marks an optional tag,
``*`` one that may be missing or occur up to three times. The patterns need word forms only, no parser.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sema.runtime.caching import remembered
from sema_english import words as tables

REPEATED = 3

Construction = tuple[str, tuple[int, ...]]
"""A construction in a sentence, with its words' indexes."""
Step = tuple[str, int, int]
"""A tag, and the least and the greatest number of its occurrences."""


class Tag(NamedTuple):
    """The words of a tag: by their form, by an ending, or all of a class."""

    words: frozenset[str]
    endings: tuple[str, ...]
    least: int
    excepted: frozenset[str]
    alphabetic: bool
    every: bool

    def fits(self, word: str) -> bool:
        """Whether a lower-cased word has the tag."""
        if word in self.excepted:
            return False
        if self.every or word in self.words:
            return True
        if self.alphabetic:
            return word[:1].isalpha()
        return bool(self.endings) and len(word) >= self.least and word.endswith(self.endings)


class Pattern(NamedTuple):
    """A pattern's steps, of which the first is not optional, and the tags that every match has."""

    steps: Sequence[Step]
    needed: frozenset[str]


class Table(NamedTuple):
    """The tags and, by construction, the patterns."""

    tags: Mapping[str, Tag]
    patterns: Mapping[str, Sequence[Pattern]]

    @property
    def names(self) -> tuple[str, ...]:
        """The constructions, in the order of features."""
        return tuple(self.patterns)


@cache
def table() -> Table:
    """The shipped table."""
    found = tables.table("constructions")
    return Table(
        {name: _tag(entry) for name, entry in found["tags"].items()},
        {name: [_pattern(text) for text in texts] for name, texts in found["constructions"].items()},
    )


def _tag(entry: Mapping[str, Any]) -> Tag:
    words, suffixes, excepted = (entry.get(name, "").split() for name in ("words", "suffixes", "except"))
    marks = bool(entry.get("alphabetic")), bool(entry.get("any"))
    return Tag(frozenset(words), tuple(suffixes), entry.get("least", 1), frozenset(excepted), *marks)


def _pattern(text: str) -> Pattern:
    counts = {"?": (0, 1), "*": (0, REPEATED)}
    steps = [(part.rstrip("?*"), *counts.get(part[-1], (1, 1))) for part in text.split()]
    return Pattern(steps, frozenset(tag for tag, least, _ in steps if least))


def find(words: Sequence[str]) -> list[Construction]:
    """The constructions in a sentence; matches of one construction do not overlap."""
    tagged = [_tags(word.lower()) for word in words]
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, tags in enumerate(tagged):
        for tag in tags:
            places[tag].append(place)
    found = []
    present = frozenset(places)
    for name, patterns in table().patterns.items():
        possible = [pattern.steps for pattern in patterns if pattern.needed <= present]
        free = 0
        for start in sorted({place for steps in possible for place in places[steps[0][0]]}):
            ends = [end for steps in possible if start >= free and (end := _match(tagged, start, steps)) is not None]
            if ends:
                free = max(ends)
                found.append((name, tuple(range(start, free))))
    return found


@remembered
def _tags(word: str) -> frozenset[str]:
    return frozenset(name for name, tag in table().tags.items() if tag.fits(word))


def _match(tagged: Sequence[frozenset[str]], at: int, steps: Sequence[Step], done: int = 0) -> int | None:
    """The end of a match of a pattern's steps from number ``done`` on that begins at a word, or ``None``."""
    if done == len(steps):
        return at
    tag, least, most = steps[done]
    run = 0
    while run < most and at + run < len(tagged) and tag in tagged[at + run]:
        run += 1
    for count in range(run, least - 1, -1):
        end = _match(tagged, at + count, steps, done + 1)
        if end is not None:
            return end
    return None
