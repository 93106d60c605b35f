"""Names: one person, place or organisation in the place of another."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache

from sema.model.fact import BECAME, Fact, Kind
from sema.model.lexicon import Lexicon
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table
from sema_english.meaning.quantities import read_quantities
from sema_english.meaning.words import Words, is_content, read_words

_ALIKE = 4
"""Letters that forms of one name begin with, and the fewest that they do not end with (*Russia*, *Russian*)."""
_SLIP = 0.85
"""How alike two long names are that differ by a slip of the pen."""
_JOINTS = frozenset([",", "and", "or", "&", "nor"])


class Names:
    """A name in the place of another, but for short forms (*WHO*), parts and forms of the same."""

    kind = Kind.NAME
    exchanges = True

    def __init__(self, lexicon: Lexicon | None) -> None:
        self._lexicon = lexicon

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every run of words that are written as a name, stated of the words of content next to it.

        Names of one list are stated of what is next to the list, so that they may stand in any order; the preposition
        before a name is the fact's aspect: *by Ann* and *to Ann* stand for different things.
        """
        words = read_words(text)
        runs = self._runs(words, {token for found in read_quantities(text) for token in found.tokens})
        facts = []
        for listed in _lists(words, runs):
            span = range(listed[0][0], listed[-1][-1] + 1)
            around, aspect = words.near(span), words.preposition(span.start)
            for tokens in listed:
                value = tuple(_plain(words.words[token]) for token in tokens)
                facts.append(Fact(self.kind, value, tokens, around, aspect))
        return facts

    def _runs(self, words: Words, numbers: set[int]) -> list[tuple[int, ...]]:
        if not any(word.islower() and len(word) > 3 for word in words.words):
            return []  # all in capitals, or a title
        found: list[tuple[int, ...]] = []
        run: list[int] = []
        for token in range(len(words.words)):
            if token not in numbers and self._is_name(words, token):
                run.append(token)
            elif run:
                found.append(tuple(run))
                run = []
        return [*found, tuple(run)] if run else found

    def _is_name(self, words: Words, token: int) -> bool:
        word = words.words[token]
        if (
            not word[0].isupper()
            or not is_content(words.lower[token])
            or words.lower[token] in table("names")["not names"]
        ):
            return False
        first = token == words.sentence[token][0] or words.words[token - 1] in table("names")["openings"]
        return not first or (word.isalpha() and self._lexicon is not None and not self._lexicon.lemmas(word))

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """Names that share no part and are no short form of each other."""
        assert isinstance(source.value, tuple)
        assert isinstance(output.value, tuple)
        return None if _may_be_one(source.value, output.value) else BECAME


def _lists(words: Words, runs: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """The names, those together that only commas, conjunctions and words of grammar keep apart."""
    found: list[list[tuple[int, ...]]] = []
    for run in runs:
        between = range(found[-1][-1][-1] + 1, run[0]) if found else range(0)
        joined = any(words.lower[token] in _JOINTS for token in between)
        if joined and not any(words.content[token] or words.words[token] in ".;" for token in between):
            found[-1].append(run)
        else:
            found.append([run])
    return found


def _may_be_one(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether two names can be one: they share a part and differ in no other, or one is made of the other's letters."""
    initials = ["".join(part[:1] for part in name) for name in (first, second)]
    if (
        initials[0] in second
        or initials[1] in first
        or _abbreviates(*sorted(("".join(first), "".join(second)), key=len))
    ):
        return True
    shared = sum(any(_is_form(a, b) for b in second) for a in first)
    if len(first) == len(second) > 1:
        return shared == len(first) or 0 < shared < len(first) - 1
    return shared > 0


def _is_form(first: str, second: str) -> bool:
    """Whether two words are forms of one name: *Russia* and *Russian*, *Dutch* and *Netherlands*, a slip of the pen."""
    alike = next(
        (at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )
    if first == second or (alike >= _ALIKE and max(len(first), len(second)) - alike < _ALIKE):
        return True
    if any(first in group and second in group for group in _same_names()):
        return True
    return min(len(first), len(second)) >= 2 * _ALIKE and SequenceMatcher(None, first, second).ratio() >= _SLIP


@cache
def _same_names() -> list[frozenset[str]]:
    return [frozenset(group.split()) for group in table("names")["same"]]


def _abbreviates(short: str, full: str) -> bool:
    """Whether a few letters stand in a name in their order, from the first on (*UK*, *United Kingdom*)."""
    rest = iter(full)
    return len(short) <= _ALIKE and short[:1] == full[:1] and all(letter in rest for letter in short)


def _plain(word: str) -> str:
    """A part of a name without accents and marks, in lower case."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", word.lower()) if letter.isalnum()) or word
