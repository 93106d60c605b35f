"""Features of words (form, frequency) and of sentences, for the networks of levels; constructions in sentences.

They need no model: frequencies and syllables are in the shipped word list, senses in WordNet.

Learners meet constructions at different levels; patterns over words find them (``tables/constructions.json``). A
pattern is a sequence of tags, which words have by their form: ``be adverb* participle``. ``?`` marks an optional tag,
``*`` one that may be missing or occur up to three times. The patterns need word forms only, no parser. They are regular
expressions over the sentence as a string: for each word a character for each of its tags, then a semicolon.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.features.base import average
from sema.model.lexicon import IndexedLexicon
from sema.runtime.caching import remembered
from sema_english.features.lexical import is_content
from sema_english.features.readability import syllables
from sema_english.words import table, word_table

Numbers = NDArray[np.float32]

KNOWN = 7.0
"""The frequency, on the Zipf scale, that is assumed for figures and punctuation."""
WORD_FEATURES, PLAIN = 8, 4
"""The number of a word's features, and the index of the one that says whether it is read as a word."""
CAPPED_SENSES = 10


COUNTS = {"?": "?", "*": "{0,3}"}

Construction = tuple[str, tuple[int, ...]]
"""A construction in a sentence, with its words' indexes."""


@cache
def patterns() -> Mapping[str, tuple[re.Pattern[str], Sequence[re.Pattern[str]]]]:
    """By construction, in the order of features: where any of its patterns matches, and each of them."""
    found = table("constructions")
    sign = {tag: chr(0x100 + number) for number, tag in enumerate(found["tags"])}

    def form(text: str) -> str:
        steps = (f"(?:[^;]*{sign[part.rstrip('?*')]}[^;]*;){COUNTS.get(part[-1], '')}" for part in text.split())
        return "(?<![^;])" + "".join(steps)

    forms = {name: list(map(form, texts)) for name, texts in found["constructions"].items()}
    return {name: (re.compile("|".join(some)), list(map(re.compile, some))) for name, some in forms.items()}


def find(words: Sequence[str]) -> list[Construction]:
    """The constructions in a sentence; matches of one construction do not overlap."""
    line = "".join(_tags(word.lower()) for word in words)
    found = []
    for name, (some, forms) in patterns().items():
        place = end = 0
        while match := some.search(line, end):
            first = place + line.count(";", end, match.start())
            end = max(hit.end() for form in forms if (hit := form.match(line, match.start())))
            place = first + line.count(";", match.start(), end)
            found.append((name, tuple(range(first, place))))
    return found


@remembered
def _tags(word: str) -> str:
    """The signs of the tags that a lower-cased word has, and a semicolon."""
    tags = table("constructions")["tags"].values()
    return "".join(chr(0x100 + number) for number, tag in enumerate(tags) if _fits(word, tag)) + ";"


def _fits(word: str, tag: Mapping[str, Any]) -> bool:
    """Whether a word has a tag: by its form, by an ending, or all of a class."""
    words, endings, excepted = (tag.get(name, "").split() for name in ("words", "suffixes", "except"))
    if word in excepted:
        return False
    if tag.get("any") or word in words:
        return True
    if tag.get("alphabetic"):
        return word[:1].isalpha()
    return len(word) >= tag.get("least", 1) and word.endswith(tuple(endings))


def is_word(word: str) -> bool:
    """Whether a token counts as a word: it has a letter and does not begin with a digit."""
    return any(map(str.isalpha, word)) and not word[0].isdigit()


@remembered
def zipf(word: str) -> float:
    """A token's frequency on the Zipf scale."""
    return word_table().zipf(word) if is_word(word) else KNOWN


def word_features(words: Sequence[str]) -> Numbers:
    """The features of each token of a sentence (tokens, :data:`WORD_FEATURES`), about 0 with a spread of about 1."""
    return np.asarray(list(map(_word_row, words)), np.float32).reshape(len(words), WORD_FEATURES)


@remembered
def _word_row(word: str) -> tuple[float, ...]:
    common, plain = zipf(word), is_word(word)
    return (
        (common - 5) / 1.5,
        max(0.0, 3.5 - common),
        (len(word) - 5) / 3,
        syllables(word) - 1.7 if plain else -0.7,
        float(plain),
        float(word[:1].isdigit()),
        float(word[:1].isupper()),
        float(word in ",;:()–—-"),
    )


CUTS = (3.0, 3.5, 4.0, 4.5, 5.0)
"""Frequencies below which words are counted."""
SENTENCE_FEATURES = (
    "log_words", "letters", "content_letters", "syllables", "most_syllables", "long_words", "very_long_words",
    "zipf", "content_zipf", "rarest", "rarest_lower", "rare_tenth", "rare_quarter",
    *(f"share_below_{cut}" for cut in CUTS), *(f"count_below_{cut}" for cut in CUTS),
    "names", "digits", "commas", "variety", "content", "senses", "single_sense",
)  # fmt: skip
"""The features of a sentence before those of constructions."""


def feature_names() -> tuple[str, ...]:
    """All features of a sentence, in their order."""
    return (*SENTENCE_FEATURES, *patterns())


def sentence_features(
    words: Sequence[str], lexicon: IndexedLexicon | None, constructions: Sequence[Construction]
) -> Numbers:
    """The features of one sentence (:func:`feature_names`) with these constructions; counts on a logarithmic scale."""
    plain = [word for word in words if any(map(str.isalnum, word))]
    count = max(1, len(plain))
    spelled = [word for word in plain if is_word(word)] or ["the"]
    content = [word for word in spelled if is_content(word)] or spelled
    lower = [word for word in content if word[0].islower()] or content
    common = np.sort([zipf(word) for word in spelled])
    parts = np.asarray([syllables(word) for word in spelled])
    senses = [1] * len(content)
    if lexicon is not None:
        senses = [min(len(lexicon.senses(word)), CAPPED_SENSES) for word in content]
    names = sum(word[0].isupper() and word != "I" for word in plain[1:])
    numbers = [
        math.log(count),
        average([len(word) for word in spelled]),
        average([len(word) for word in content]),
        float(parts.mean()),
        float(parts.max()),
        float((parts >= 3).mean()),
        math.log1p(int((parts >= 4).sum())),
        float(common.mean()),
        average([zipf(word) for word in content]),
        float(common[0]),
        min(zipf(word) for word in lower),
        float(common[: max(1, len(common) // 10)].mean()),
        float(common[: max(1, len(common) // 4)].mean()),
        *(float((common < cut).mean()) for cut in CUTS),
        *(math.log1p(int((common < cut).sum())) for cut in CUTS),
        names / count,
        sum(word[0].isdigit() for word in plain) / count,
        sum(word == "," for word in words) / count,
        len({word.lower() for word in spelled}) / len(spelled),
        len(content) / len(spelled),
        average(senses),
        average([number <= 1 for number in senses]),
    ]
    found = [name for name, _ in constructions]
    return np.asarray([*numbers, *(math.log1p(found.count(name)) for name in patterns())], np.float32)
