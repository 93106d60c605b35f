"""The counts of a text that readability formulas combine.

A word is a run of letters and digits, with single apostrophes, hyphens and points inside: *E-Mail*, *l'eau* and *3.5*
are one word each, however a language's segmenter cuts them. The sentences are the segmenter's, except those without a
word. A syllable is a match of the language's pattern for nuclei; every word has at least one, and so has a number. The
letters of a word are its letters and digits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import NamedTuple

from sema.model.text import Text
from sema.runtime.caching import remembered
from sema_ud.readability.table import nuclei

LONG_WORD = 7
"""The least number of letters of a long word."""
_WORD = re.compile(r"[^\W_]+(?:[-'’‐‑.,·][^\W_]+)*")


class Counts(NamedTuple):
    """The counts of a text, or of several: they add up."""

    sentences: float
    words: float
    letters: float
    syllables: float
    one_syllable: float
    three_syllables: float
    four_syllables: float
    long_words: float


QUANTITIES: Mapping[str, Callable[[Counts], float]] = {
    "words per sentence": lambda counts: counts.words / counts.sentences,
    "sentences per word": lambda counts: counts.sentences / counts.words,
    "letters per word": lambda counts: counts.letters / counts.words,
    "syllables per word": lambda counts: counts.syllables / counts.words,
    "percent of words with one syllable": lambda counts: 100 * counts.one_syllable / counts.words,
    "percent of words with three or more syllables": lambda counts: 100 * counts.three_syllables / counts.words,
    "percent of words with four or more syllables": lambda counts: 100 * counts.four_syllables / counts.words,
    "percent of words with more than six letters": lambda counts: 100 * counts.long_words / counts.words,
    "words with more than six letters per sentence": lambda counts: counts.long_words / counts.sentences,
}
"""The quantities that formulas weight, by name in the table; the text must have words."""


def count(text: Text, language: str) -> Counts:
    """The counts of a text; without a ``language`` no word has a syllable."""
    words = words_of(text.raw)
    sentences = sum(any(_has_letters(word) for word in sentence) for sentence in text.sentence_words) if words else 0
    letters = [sum(map(str.isalnum, word)) for word in words]
    counted = [syllables(word, language) for word in words] if language else []
    numbers = (
        max(sentences, 1) if words else 0,
        len(words),
        sum(letters),
        sum(counted),
        counted.count(1),
        sum(number >= 3 for number in counted),
        sum(number >= 4 for number in counted),
        sum(number >= LONG_WORD for number in letters),
    )
    return Counts(*map(float, numbers))


def words_of(raw: str) -> list[str]:
    """The words of a raw text, without combining accents that no composed character has."""
    composed = unicodedata.normalize("NFC", raw)
    return _WORD.findall("".join(char for char in composed if not unicodedata.combining(char)))


@remembered
def syllables(word: str, language: str) -> int:
    """The syllables of a word; at least 1."""
    return max(1, len(_nuclei(language).findall(word.lower())))


def _nuclei(language: str) -> re.Pattern[str]:
    return re.compile(nuclei(language))  # re keeps compiled patterns


def _has_letters(word: str) -> bool:
    return any(map(str.isalnum, word))
