"""Difficulty of Chinese words and characters, without training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, ClassVar

from sema.features.base import TextGroup, average, ratio
from sema.model.lexicon import WordTable
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text, is_punctuation
from sema_chinese.hsk import is_high, is_low, read_vocabulary

TABLES = Path(__file__).parent / "tables"


@cache
def word_table() -> WordTable:
    """Frequencies; ``sema_english/tables/CARD.md`` has origin and licence."""
    return WordTable.read(TABLES / "words.npz", "words-zh")


class HskLevels(TextGroup):
    """Words by level of the HSK examination, by HSK 3.0 or a list of the user's (:mod:`sema_chinese.hsk`)."""

    name = "hsk"
    description = "words by HSK level"
    default = False
    measures: ClassVar[Mapping[str, str]] = {
        "level": "mean level of the words, 10 for words in none",
        "low": "share of words in levels 1-3",
        "high": "share of words in level 7 and above or in none",
        "unlisted": "share of words in no level",
        "highest": "highest level of a word, 10 for words in none",
    }

    def __init__(
        self, *, vocabulary: Annotated[str | None, "another list of the HSK levels' words (.xls, .csv)"] = None
    ) -> None:
        super().__init__()
        self._levels = read_vocabulary(vocabulary)

    @property
    def signature(self) -> str:
        """The size of the list."""
        return f"words:{len(self._levels)}"

    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Sequence[float]:
        """The measures of one text; punctuation is left out."""
        levels = [self._levels.get(word) for word in text.words if not is_punctuation(word)]
        numbers = [10 if level is None else level for level in levels]
        return [
            average(numbers),
            ratio(sum(map(is_low, levels)), len(levels)),
            ratio(sum(map(is_high, levels)), len(levels)),
            ratio(levels.count(None), len(levels)),
            max(numbers, default=0),
        ]


class Characters(TextGroup):
    """Frequency of Chinese words and characters, and their lengths."""

    name = "characters"
    description = "frequency of words and characters, characters in a word and in a sentence (Chinese)"
    measures: ClassVar[Mapping[str, str]] = {
        "word_zipf": "mean frequency of the words on the Zipf scale",
        "rarest_word": "frequency of the rarest word",
        "rare_words": "share of words below 3.5 on the Zipf scale",
        "character_zipf": "mean frequency of the characters as words",
        "rarest_character": "frequency of the rarest character",
        "word_length": "characters in a word",
        "long_words": "share of words of four characters or more",
        "sentence_length": "characters in a sentence",
        "variety": "different words for each word",
    }

    @property
    def signature(self) -> str:
        """The word list."""
        return word_table().signature

    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Sequence[float]:
        """The measures of one text."""
        table = word_table()
        words = [word for word in text.words if not is_punctuation(word)]
        characters = [character for word in words for character in word]
        zipfs = [table.zipf(word) for word in words]
        single = [table.zipf(character) for character in characters]
        return [
            average(zipfs),
            min(zipfs, default=0.0),
            ratio(sum(zipf < 3.5 for zipf in zipfs), len(zipfs)),
            average(single),
            min(single, default=0.0),
            ratio(len(characters), len(words)),
            ratio(sum(len(word) > 3 for word in words), len(words)),
            ratio(len(characters), len(text.sentences)),
            ratio(len(set(words)), len(words)),
        ]
