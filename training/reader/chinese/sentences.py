"""A Chinese sentence to edit, and the material that edits borrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from sema_chinese.meaning.words import is_content
from sema_wordnet.lexicon import WordNetLexicon

from training.reader.perturbation import Edit

_NOUN, _VERB, _ADJECTIVE = range(3)
_ENDS = "。！？!?"
BREAK = "，"


@dataclass(frozen=True)
class Pool:
    """What a sentence borrows from others: content words by part of speech, clauses."""

    words: Mapping[int, Sequence[str]]
    clauses: Sequence[tuple[str, ...]]


@dataclass
class Sentence:
    """A sentence to edit: its words in simplified characters, material to borrow, and a random generator."""

    words: tuple[str, ...]
    pool: Pool
    random: Random
    clauses: list[tuple[int, int]] = field(init=False)

    def __post_init__(self) -> None:
        breaks = [place for place, word in enumerate(self.words) if word in BREAK or word in _ENDS]
        starts = [0, *(place + 1 for place in breaks)]
        ends = [*breaks, len(self.words)]
        self.clauses = [(start, end) for start, end in zip(starts, ends, strict=True) if end > start]

    def places(self, wanted: Callable[[str], object]) -> list[int]:
        """The places of words for which a condition holds, in random order."""
        fitting = [place for place, word in enumerate(self.words) if wanted(word)]
        self.random.shuffle(fitting)
        return fitting

    def put(self, start: int, end: int, *fresh: str, same: float = 0.25) -> Edit:
        """The words ``start:end`` replaced by others."""
        words = (*self.words[:start], *fresh, *self.words[end:])
        new = frozenset(range(start, start + len(fresh)))
        return Edit(words, new, frozenset(range(start, end)), same=same)

    def swapped(self, first: tuple[int, int], second: tuple[int, int]) -> Edit:
        """Two stretches in each other's place, the first before the second."""
        (a, b), (c, d) = first, second
        words = (*self.words[:a], *self.words[c:d], *self.words[b:c], *self.words[a:b], *self.words[d:])
        begin = a + (d - c) + (c - b)
        new = frozenset([*range(a, a + d - c), *range(begin, begin + b - a)])
        return Edit(words, new, frozenset([*range(a, b), *range(c, d)]), same=0.2)

    def among(self, phrases: Mapping[str, object]) -> Iterator[tuple[int, int, str]]:
        """The places of phrases of one to three words, in random order: start, end, phrase."""
        phrases_here = [
            (start, start + size, phrase)
            for start in range(len(self.words))
            for size in (3, 2, 1)
            if start + size <= len(self.words) and (phrase := "".join(self.words[start : start + size])) in phrases
        ]
        self.random.shuffle(phrases_here)
        yield from phrases_here


Editor = Callable[[Sentence], Edit | None]


@cache
def part_of_speech(word: str) -> int | None:
    """Noun, verb or adjective (0, 1, 2) of a content word, the commonest in the wordnet; ``None`` for others."""
    if not is_content(word) or not all("\u4e00" <= char <= "\u9fff" for char in word):
        return None
    graph, senses = _LEXICON.graph, _LEXICON.counted(word)
    counts = [0, 0, 0]
    for synset, _ in senses:
        kind = next(k for k, limit in enumerate(graph.limits[1:]) if synset < limit)
        if kind <= _ADJECTIVE:
            counts[kind] += 1
    return counts.index(max(counts)) if any(counts) else None


def is_noun(word: str) -> bool:
    """Whether a word is a noun."""
    return part_of_speech(word) == _NOUN


def is_verb(word: str) -> bool:
    """Whether a word is a verb."""
    return part_of_speech(word) == _VERB


def is_adjective(word: str) -> bool:
    """Whether a word is an adjective."""
    return part_of_speech(word) == _ADJECTIVE


_LEXICON = WordNetLexicon.chinese()
