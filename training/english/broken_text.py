"""Training data of the reader: sentences that people wrote, and the same sentences broken as systems break them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq
from sema_english.relations import FUNCTION_WORDS

from training.data.onestopenglish import LEVELS, articles
from training.data.tables import read_lines
from training.data.text import ewt

Words = list[str]
SHORTEST, LONGEST = 5, 45
"""The words of a sentence, split at spaces."""


@dataclass(frozen=True)
class Broken:
    """A sentence's words, the words of its broken version, and which of these stand at a break (1, else 0)."""

    whole: tuple[str, ...]
    words: tuple[str, ...]
    breaks: tuple[int, ...]


def sentences() -> list[str]:
    """Sentences of WikiSplit, OneStopEnglish and UD's English Web Treebank (train), each once, in order."""
    texts = dict.fromkeys((*_wikisplit(), *_onestop(), *map(str.strip, ewt())))
    return [text for text in texts if text.isascii() and SHORTEST <= len(text.split()) <= LONGEST]


def _wikisplit() -> Iterator[str]:
    for part in ("orig", "split"):
        for line in read_lines("simplification", "wikisplit", f"wikisplit.valid.untok.{part}"):
            yield from (sentence.strip() for sentence in line.split("<::::>"))


def _onestop() -> Iterator[str]:
    by_level = articles()
    for line in (line for level in LEVELS for text in by_level[level] for line in text.splitlines()):
        yield from re.split(r'(?<=[.!?])\s+(?=[A-Z"“])', line.strip())


def break_all(tokenized: Sequence[Sequence[str]], seed: int) -> list[Broken]:
    """Break every sentence in one to three places; sentences that stay whole by chance are left out."""
    rng = random.Random(seed)
    vocabulary = [word for words in tokenized for word in words if word.isalpha()]
    broken = []
    for whole in tokenized:
        words = list(whole)
        for _ in range(rng.choice((1, 1, 1, 2, 2, 3))):
            if len(words) >= SHORTEST:
                words = rng.choices(_WAYS, _SHARES)[0](words, rng.randrange(1, len(words) - 1), rng, vocabulary)
        if any(breaks := breaks_of(whole, words)):
            broken.append(Broken(tuple(whole), tuple(words), breaks))
    return broken


def breaks_of(whole: Sequence[str], words: Sequence[str]) -> tuple[int, ...]:
    """For each word of a broken version 1 if it is new or moved, or stands beside deleted words, else 0."""
    breaks = [0] * len(words)
    for step in LCSseq.opcodes(whole, words):
        if step.tag == "insert":
            breaks[step.dest_start : step.dest_end] = [1] * (step.dest_end - step.dest_start)
        elif step.tag == "delete":
            near = slice(max(0, step.dest_start - 1), step.dest_start + 1)
            breaks[near] = [1] * len(breaks[near])
    return tuple(breaks)


Way = Callable[[Words, int, random.Random, Sequence[str]], Words]
"""A way to break a sentence: from its words, a place inside, a random generator and a vocabulary to new words."""


def _word_deleted(words: Words, place: int, rng: random.Random, _: Sequence[str]) -> Words:
    small = [i for i, word in enumerate(words) if word.lower() in FUNCTION_WORDS]
    place = rng.choice(small) if small and rng.random() < 0.5 else place
    return words[:place] + words[place + 1 :]


def _phrase_deleted(words: Words, place: int, rng: random.Random, _: Sequence[str]) -> Words:
    end = place + rng.randint(2, 4)
    return words[:place] + words[end:] if end < len(words) - 1 else words


def _repeated(words: Words, place: int, rng: random.Random, _: Sequence[str]) -> Words:
    end = place + rng.choice((1, 1, 2, 3))
    return words[:end] + words[place:]


def _neighbours_exchanged(words: Words, place: int, rng: random.Random, _: Sequence[str]) -> Words:
    return [*words[:place], words[place + 1], words[place], *words[place + 2 :]]


def _phrase_moved(words: Words, place: int, rng: random.Random, _: Sequence[str]) -> Words:
    end = place + rng.randint(1, 3)
    rest = words[:place] + words[end:]
    to = rng.randrange(len(rest))
    return rest[:to] + words[place:end] + rest[to:]


def _replaced(words: Words, place: int, rng: random.Random, vocabulary: Sequence[str]) -> Words:
    return [*words[:place], rng.choice(vocabulary), *words[place + 1 :]]


def _inserted(words: Words, place: int, rng: random.Random, vocabulary: Sequence[str]) -> Words:
    return [*words[:place], rng.choice(_SMALL if rng.random() < 0.7 else vocabulary), *words[place:]]


def _form_changed(words: Words, place: int, rng: random.Random, _: Sequence[str]) -> Words:
    word = words[place]
    shorter = (word.removesuffix(end) for end in ("s", "ed", "ing") if word.endswith(end) and len(word) > len(end) + 2)
    return [*words[:place], next(shorter, None) or word + rng.choice(("s", "ing", "ed")), *words[place + 1 :]]


def _end_lost(words: Words, _: int, rng: random.Random, __: Sequence[str]) -> Words:
    stop = rng.randrange(len(words) // 2, len(words) - 1)
    return words[:stop] + words[len(words) - (rng.random() < 0.7) :]


_SMALL = sorted(FUNCTION_WORDS)
_WAYS: Sequence[Way] = (
    _word_deleted, _phrase_deleted, _repeated, _neighbours_exchanged, _phrase_moved, _replaced, _inserted,
    _form_changed, _end_lost,
)  # fmt: skip
_SHARES = (22, 12, 12, 12, 8, 14, 8, 6, 6)
