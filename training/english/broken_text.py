"""Training data of the reader: sentences that people wrote, and the same sentences broken as systems break them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import LCSseq
from sema_english.relations import FUNCTION_WORDS

from training.data.corpora import LEVELS, articles
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
                (way,) = rng.choices([*_WAYS], [*_WAYS.values()])
                words = _broken(way, words, rng.randrange(1, len(words) - 1), rng, vocabulary)
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


_WAYS = {
    "word deleted": 22, "phrase deleted": 12, "repeated": 12, "neighbours exchanged": 12, "phrase moved": 8,
    "replaced": 14, "inserted": 8, "form changed": 6, "end lost": 6,
}  # fmt: skip
"""The ways to break a sentence, and how often each is taken."""
_SMALL = sorted(FUNCTION_WORDS)


def _broken(way: str, words: Words, place: int, rng: random.Random, vocabulary: Sequence[str]) -> Words:
    """The words of a sentence broken in a way at a place inside."""
    before, after = words[:place], words[place:]
    match way:
        case "word deleted":
            small = [i for i, word in enumerate(words) if word.lower() in FUNCTION_WORDS]
            place = rng.choice(small) if small and rng.random() < 0.5 else place
            return words[:place] + words[place + 1 :]
        case "phrase deleted":
            end = rng.randint(2, 4)
            return before + after[end:] if end < len(after) - 1 else words
        case "repeated":
            return before + after[: rng.choice((1, 1, 2, 3))] + after
        case "neighbours exchanged":
            return [*before, after[1], after[0], *after[2:]]
        case "phrase moved":
            size = rng.randint(1, 3)
            rest = before + after[size:]
            to = rng.randrange(len(rest))
            return rest[:to] + after[:size] + rest[to:]
        case "replaced":
            return [*before, rng.choice(vocabulary), *after[1:]]
        case "inserted":
            return [*before, rng.choice(_SMALL if rng.random() < 0.7 else vocabulary), *after]
        case "form changed":
            word = words[place]
            shorter = (word.removesuffix(e) for e in ("s", "ed", "ing") if word.endswith(e) and len(word) > len(e) + 2)
            return [*before, next(shorter, None) or word + rng.choice(("s", "ing", "ed")), *after[1:]]
        case _:  # the end is lost
            stop = rng.randrange(len(words) // 2, len(words) - 1)
            return words[:stop] + words[len(words) - (rng.random() < 0.7) :]
