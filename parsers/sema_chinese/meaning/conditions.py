"""Conditions and exceptions that are omitted, or that became irrelevant (*whether or not*)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sema.model.fact import BECAME, Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_chinese.listed import table, word_list
from sema_chinese.meaning.words import Words, read_words

_SAME = 0.3
"""The share of a condition's characters from which a clause can restate it."""
_SHORTEST = 2
"""The least number of content words in a condition whose omission counts."""
_HEADS = 2
"""The number of first words of a clause among which its condition opens."""


@dataclass(frozen=True)
class Limit:
    """A sentence's condition, by its characters; a loose one is a clause that may restate it."""

    chars: frozenset[str]
    open: bool = True
    loose: bool = False


class Conditions:
    """A statement that lost its condition or exception."""

    kind = Kind.CONDITION
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every sentence with its condition, if any, anchored in its other words; then every clause."""
        words, whatever = read_words(text), word_list("conditions", "whatever")
        facts = []
        for start, end in text.sentences:
            limits = _limits(words, start, end)
            rest = words.among([t for t in range(start, end) if t not in limits])
            value = None
            if len(words.among(limits)) >= _SHORTEST:
                open_to = whatever.isdisjoint(words.plain[t] for t in limits[:_HEADS])
                value = Limit(_chars(words, limits), open_to)
            facts.append(Fact(self.kind, value, words.among(limits) or rest, rest))
        clauses = [
            clause
            for clause in words.spelling.clauses
            if words.among(clause) and whatever.isdisjoint(words.plain[t] for t in clause[:_HEADS])
        ]
        loose = [Fact(self.kind, Limit(_chars(words, clause), loose=True), tuple(clause)) for clause in clauses]
        return [*(fact for fact in facts if fact.anchor), *loose]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """An omitted condition, or one that became irrelevant."""
        first, second = source.value, output.value
        if not isinstance(first, Limit) or first.loose:
            return ""
        if not isinstance(second, Limit):
            return "{source} is gone"
        if not second.loose and first.open != second.open:
            return BECAME
        return None if len(first.chars & second.chars) >= _SAME * len(first.chars) else ""


def _chars(words: Words, tokens: Sequence[int] | range) -> frozenset[str]:
    return frozenset(char for t in words.among(tokens) for char in words.plain[t])


def _limits(words: Words, start: int, end: int) -> tuple[int, ...]:
    """The tokens of the first condition or exception of a sentence."""
    openers = tuple(word for part in ("conditions", "whatever", "contrasts") for word in table("conditions")[part])
    for clause in words.spelling.clauses:
        if not start <= clause.start < end:
            continue
        if "".join(words.plain[t] for t in clause).startswith(openers):
            return tuple(clause)
        for t in clause:
            if words.plain[t] in table("conditions")["exceptions"]:
                return tuple(range(t, clause.stop))
    return ()
