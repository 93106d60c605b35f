"""Feature groups of Chinese: frequency and length of words and characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sema.features.base import TextGroup, average, ratio
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text, is_punctuation
from sema_chinese.notation.spelling import plain
from sema_chinese.words import word_table


class Characters(TextGroup, name="characters"):
    """Frequency of words and characters, characters in a word and in a sentence (Chinese).

    Features:
        word_zipf: mean frequency of the words on the Zipf scale
        rarest_word: frequency of the rarest word
        rare_words: share of words below 3.5 on the Zipf scale
        character_zipf: mean frequency of the characters as words
        rarest_character: frequency of the rarest character
        word_length: characters in a word
        long_words: share of words of four characters or more
        sentence_length: characters in a sentence
        variety: different words for each word
    """

    @property
    def signature(self) -> str:
        return word_table().signature

    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Mapping[str, float]:
        table = word_table()
        words = [word for word in text.words if not is_punctuation(word)]
        characters = [character for word in words for character in word]
        zipfs, single = (
            [table.zipf(part if part in table else plain(part)) for part in parts] for parts in (words, characters)
        )
        return {
            "word_zipf": average(zipfs),
            "rarest_word": min(zipfs, default=0.0),
            "rare_words": ratio(sum(zipf < 3.5 for zipf in zipfs), len(zipfs)),
            "character_zipf": average(single),
            "rarest_character": min(single, default=0.0),
            "word_length": ratio(len(characters), len(words)),
            "long_words": ratio(sum(len(word) > 3 for word in words), len(words)),
            "sentence_length": ratio(len(characters), len(text.sentences)),
            "variety": ratio(len(set(words)), len(words)),
        }
