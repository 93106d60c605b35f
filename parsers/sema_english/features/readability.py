"""The classic readability formulas, on the output and as its difference from the source. English.

Words are tokens with a letter or digit; syllables come from the CMU dictionary where it has the word, else from rules;
sentences are the segmenter's. Values are those of the formulas, negative grades included.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from sema.features.base import TextGroup
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text
from sema_english.syllables import count_syllables
from sema_english.words import word_table

EASY_ZIPF = 4.5
"""Words at least this common (about 3,700 forms) count as familiar, in the place of Dale and Chall's list."""


def syllables(word: str) -> int:
    """The syllables of an English word, at least 1."""
    listed = word_table().syllables(word)
    if listed is not None:
        return listed
    return max(1, sum(count_syllables(part) for part in word.split("-")))


def flesch(sentence_length: float, word_length: float) -> float:
    """Flesch's reading ease from the mean words of a sentence and syllables of a word; higher is easier."""
    return 206.835 - 1.015 * sentence_length - 84.6 * word_length


def plain_words(text: Text) -> list[str]:
    """The tokens with a letter or digit."""
    return [word for word in text.words if any(map(str.isalnum, word))]


class Readability(TextGroup, name="readability"):
    """Readability formulas: Flesch, FKGL, fog, SMOG, Coleman-Liau, ARI, Dale-Chall, LIX.

    Features:
        flesch: Flesch reading ease (Flesch 1948), higher is easier
        fkgl: Flesch-Kincaid grade (Kincaid et al. 1975)
        fog: Gunning fog index (Gunning 1952)
        smog: SMOG grade (McLaughlin 1969), by its regression for any number of sentences
        coleman_liau: Coleman-Liau index (Coleman and Liau 1975)
        ari: automated readability index (Senter and Smith 1967)
        dale_chall: new Dale-Chall score (Chall and Dale 1995), with common words as familiar ones
        lix: LIX (Björnsson 1968)
    """

    @property
    def signature(self) -> str:
        return word_table().signature

    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Mapping[str, float]:
        """The formulas on one text; all 0 for a text without words."""
        words = plain_words(text)
        if not words:
            return dict.fromkeys(self.measures, 0.0)
        table = word_table()
        counts = [syllables(word) for word in words]
        number, sentences = len(words), len(text.sentences)
        length = number / sentences
        per_word = sum(counts) / number
        letters = sum(sum(map(str.isalnum, word)) for word in words) / number
        hard = sum(count >= 3 for count in counts) / number
        unfamiliar = sum(table.zipf(word) < EASY_ZIPF and not word[0].isdigit() for word in words) / number
        dale_chall = 15.79 * unfamiliar + 0.0496 * length + (3.6365 if unfamiliar > 0.05 else 0.0)
        return {
            "flesch": flesch(length, per_word),
            "fkgl": 0.39 * length + 11.8 * per_word - 15.59,
            "fog": 0.4 * (length + 100 * hard),
            "smog": 1.043 * math.sqrt(30 * hard * length) + 3.1291,
            "coleman_liau": 5.89 * letters - 29.6 / length - 15.8,
            "ari": 4.71 * letters + 0.5 * length - 21.43,
            "dale_chall": dale_chall,
            "lix": length + 100 * sum(len(word) > 6 for word in words) / number,
        }
