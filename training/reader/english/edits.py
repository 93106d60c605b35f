"""An English sentence to edit, its words between spaces, and the material that edits borrow."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from training.reader.english.lexical import tag
from training.reader.perturbation import Edit

TABLES: Mapping[str, list[object]] = json.loads((Path(__file__).parent / "tables.json").read_text(encoding="utf-8"))
_EDGE = re.compile(r"^(\W*)(.*?)(\W*)$", re.DOTALL)


@dataclass(frozen=True)
class Pool:
    """What a sentence borrows from others: names, verbs by ending, phrases, sentences."""

    names: Sequence[str]
    verbs: Mapping[str, Sequence[str]]
    phrases: Sequence[str]
    sentences: Sequence[str]


@dataclass
class Sentence:
    """A sentence to edit: its words without the marks around them, material to borrow, and a random generator."""

    words: list[str]
    pool: Pool
    random: Random
    bare: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.bare = [parts(word)[1] for word in self.words]

    def places(self, wanted: Callable[[int], bool]) -> list[int]:
        """The places for which a condition holds, in random order."""
        fitting = [place for place in range(len(self.words)) if self.bare[place] and wanted(place)]
        self.random.shuffle(fitting)
        return fitting

    def put(self, start: int, end: int, phrase: str, **kept: object) -> Edit:
        """The words ``start:end`` replaced by a phrase; marks around them stay."""
        before, after = parts(self.words[start])[0], parts(self.words[end - 1])[2]
        fresh = phrase.split()
        if self.words[start][:1].isupper() and (start == 0 or not fresh[0].islower()) and fresh:
            fresh[0] = fresh[0][:1].upper() + fresh[0][1:]
        fresh[0], fresh[-1] = before + fresh[0], fresh[-1] + after
        words = (*self.words[:start], *fresh, *self.words[end:])
        changed = frozenset(range(start, start + len(fresh)))
        return Edit(words, new=changed, lost=frozenset(range(start, end)), **kept)  # type: ignore[arg-type]

    def find(self, phrase: str) -> tuple[int, int] | None:
        """Where a phrase stands."""
        wanted = phrase.lower().split()
        for start in range(len(self.words) - len(wanted) + 1):
            if [word.lower() for word in self.bare[start : start + len(wanted)]] == wanted:
                return start, start + len(wanted)
        return None


def parts(word: str) -> tuple[str, str, str]:
    """The marks before a word, the word, the marks behind it."""
    match = _EDGE.match(word)
    assert match is not None
    return match.group(1), match.group(2), match.group(3)


Editor = Callable[[Sentence], Edit | None]


def is_name(s: Sentence, place: int) -> bool:
    """Whether a word inside the sentence is a name, by its tag and its letters."""
    word = s.bare[place]
    named = place > 0 and len(word) > 2 and word[0].isupper() and word[1:].islower() and tag(word) == "PROPN"
    return named and word not in LISTS["months"] and word not in LISTS["weekdays"]


LISTS: dict[str, list[str]] = {
    name: [str(word) for word in words] for name, words in TABLES.items() if name not in ("exchanged", "tense", "plain")
}
EXCHANGED: dict[str, list[str]] = {str(row[0]): [str(word) for word in row[1:]] for row in TABLES["exchanged"]}  # type: ignore[index]


def pairs_of(name: str) -> list[tuple[str, str]]:
    """A table of two columns."""
    return [(str(row[0]), str(row[1])) for row in TABLES[name]]  # type: ignore[index]


ROMAN: Mapping[str, str] = {
    "II": "Second", "III": "Third", "IV": "Fourth", "V": "Fifth", "VI": "Sixth", "VII": "Seventh", "VIII": "Eighth",
    "IX": "Ninth", "X": "Tenth", "XIV": "Fourteenth", "XVI": "Sixteenth",
}  # fmt: skip
"""Rulers' numbers, and their words."""
