"""Words that people substitute for hard words, and false pairs: the data that the table of synonyms is fitted to.

``lexicons/zh/lexical_simplification``: 524 hard words in sentences, with substitutes by six people. Each word belongs
to one of two halves: the first is for fitting, the second for measuring.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

from sema_chinese.relations import FUNCTION_WORDS, number_value, spell

from sema.datasets.folder import data_folder
from sema.languages import find_language
from training.data.tables import table

Pairs = Sequence[tuple[str, str]]

SENTENCES = 200
"""Sentences of MCTS dev that are paired with unrelated ones."""
APART = (2, 4, 6)
"""How many sentences further the unrelated ones are."""
MOST = 60_000
"""The most false pairs of each kind."""


@dataclass(frozen=True)
class Sets:
    """Pairs of words of one half.

    Attributes:
        true: hard words with their substitutes.
        same_class: hard words with the words and substitutes of other sentences, of one part of speech.
        unrelated: content words of sources and of simplifications of other sentences.
    """

    true: Pairs
    same_class: Pairs
    unrelated: Pairs


def half(word: str) -> int:
    """Which half a hard word belongs to."""
    return crc32(word.encode()) % 2


def read_sets(which: int) -> Sets:
    """The pairs of a half, 0 or 1."""
    return Sets(*read_substitutes(which), _some(list(_unrelated(which))))


def hard_words(which: int) -> list[dict[str, str]]:
    """The hard words of a half: word, sentence, position in it, substitutes."""
    listing = table("lexicons", "zh", "lexical_simplification.tsv.gz")
    return [row for row in listing if half(row["word"]) == which]


def read_substitutes(which: int) -> tuple[Pairs, Pairs]:
    """The true pairs of a half, and the false ones of one part of speech."""
    rows = hard_words(which)
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


def _unrelated(which: int) -> Iterator[tuple[str, str]]:
    texts = []
    segmenter = find_language("zh").parts().segmenter
    for name in ("mcts.dev.orig", "mcts.dev.simp.0"):
        path = data_folder("simplification", "mcts", "dataset", name)
        lines = path.read_text(encoding="utf-8").splitlines()[:SENTENCES]
        texts.append([content_words(text.words) for text in segmenter.segment(lines)])
    sources, outputs = texts
    for number in range(which, len(sources), 2):
        for step in APART:
            output = outputs[(number + step) % len(outputs)]
            yield from ((a, b) for a in sources[number] for b in output if a != b)


def content_words(words: Sequence[str]) -> list[str]:
    """The content words of a sentence, in simplified characters."""
    plain = [spell(word, numerals=False) for word in words]
    return [word for word in plain if word.isalpha() and word not in FUNCTION_WORDS and number_value(word) is None]
