"""Words that people substitute for hard words, and false pairs: the data that the table of synonyms is fitted to.

``lexicons/zh/lexical_simplification``: 524 hard words in sentences, with substitutes by six people. Each word belongs
to one of two halves: the first is for fitting, the second for measuring.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from zlib import crc32

from sema_chinese.relations import FUNCTION_WORDS, number_value, plain

from sema.languages import find_language
from training.data.tables import read_lines, table

Pairs = Sequence[tuple[str, str]]

SENTENCES = 200
"""Sentences of MCTS dev that are paired with unrelated ones."""
APART = (2, 4, 6)
"""How many sentences further the unrelated ones are."""
MOST = 60_000
"""The most false pairs of each kind."""


def half(word: str) -> int:
    """Which half a hard word belongs to."""
    return crc32(word.encode()) % 2


def read_substitutes(which: int) -> tuple[Pairs, Pairs]:
    """Hard words of a half with their substitutes, and false pairs: with words of other sentences of the same part of
    speech."""
    listing = table("lexicons", "zh", "lexical_simplification.tsv.gz")
    rows = [row for row in listing if half(row["word"]) == which]
    listed: dict[str, set[str]] = {}
    for row in rows:
        listed.setdefault(row["word"], {row["word"]}).update(row["substitutes"].split())
    true = [(row["word"], other) for row in rows for other in row["substitutes"].split()]
    false = [
        (row["word"], word)
        for row in rows
        for other in rows
        if row["pos"] == other["pos"] and row["word"] != other["word"]
        for word in (other["word"], *other["substitutes"].split())
        if word not in listed[row["word"]]
    ]
    return true, _some(false)


def _some(pairs: Pairs) -> Pairs:
    return random.Random(0).sample(pairs, min(MOST, len(pairs)))


def unrelated(which: int) -> Pairs:
    """False pairs for a half: content words of sources and of simplifications of other sentences."""
    texts = []
    segmenter = find_language("zh").parts().segmenter
    for name in ("mcts.dev.orig", "mcts.dev.simp.0"):
        lines = read_lines("simplification", "mcts", "dataset", name)[:SENTENCES]
        texts.append([content_words(text.words) for text in segmenter.segment(lines)])
    sources, outputs = texts
    others = [(source, outputs[(number + step) % len(outputs)])
              for number, source in enumerate(sources) if number % 2 == which for step in APART]  # fmt: skip
    return _some([(a, b) for source, output in others for a in source for b in output if a != b])


def content_words(words: Sequence[str]) -> list[str]:
    """The content words of a sentence, in simplified characters."""
    bare = [plain(word) for word in words]
    return [word for word in bare if word.isalpha() and word not in FUNCTION_WORDS and number_value(word) is None]
