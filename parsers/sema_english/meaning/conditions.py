"""Conditions and exceptions that are gone from what they limit."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from sema.model.fact import Fact, Kind
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.listed import table
from sema_english.meaning.words import Words, read_words
from sema_english.relations import stem

_LONGEST = 3
_SAME = 0.5
"""The share of a condition's words with which a sentence may say it by itself."""


@cache
def _openers() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(phrase.split()) for phrase in table("conditions"))


@dataclass(frozen=True)
class Limit:
    """What limits a sentence, by its stems; a loose one is a sentence that may say the same by itself."""

    stems: frozenset[str]
    loose: bool = False


class Conditions:
    """What holds under a condition or but for an exception, and no longer does."""

    kind = Kind.CONDITION
    exchanges = False

    def facts(self, text: Text, graphs: Sequence[SceneGraph]) -> list[Fact]:
        """Every sentence with its condition, if there is one, stated of its other words; then every sentence as one."""
        words = read_words(text)
        facts, loose = [], []
        for start, end in text.sentences:
            limits = _limits(words, start, end)
            inside, rest = (_content(words, tokens) for tokens in (limits, set(range(start, end)) - set(limits)))
            value = Limit(_stems(words, inside)) if inside else None
            facts.append(Fact(self.kind, value, limits or rest, rest, _stems(words, rest)))
            loose.append(Fact(self.kind, Limit(_stems(words, rest), loose=True), rest))
        return [*(fact for fact in facts if fact.anchor), *loose]

    def conflict(self, source: Fact, output: Fact) -> str | None:
        """A condition that is gone."""
        first, second = source.value, output.value
        if isinstance(first, Limit) and isinstance(second, Limit):
            shared = len(first.stems & second.stems)
            return None if shared >= _SAME * len(first.stems) else ""
        return "{source} is gone" if isinstance(first, Limit) and not first.loose else ""


def _content(words: Words, tokens: Collection[int]) -> tuple[int, ...]:
    return tuple(token for token in sorted(tokens) if words.content[token])


def _stems(words: Words, tokens: Collection[int]) -> frozenset[str]:
    return frozenset(stem(words.words[token]) for token in tokens)


def _limits(words: Words, start: int, end: int) -> tuple[int, ...]:
    """The tokens of the first condition or exception of a sentence."""
    for token in range(start, end):
        length = words.phrase_at(token, _openers(), _LONGEST)
        if length:
            stop = next((t for t in range(token + length, end) if words.words[t] in ",;:.!?"), end)
            return tuple(range(token, stop))
    return ()
