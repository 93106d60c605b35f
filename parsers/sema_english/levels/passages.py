"""The level of a text of several sentences, from those of its sentences and of its words (``weights/levels``)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sema_english.features.lexical import is_content
from sema_english.levels.network import TOP, WEIGHTS

FILE = "passages.json"


@dataclass(frozen=True)
class PassageLevels:
    """A linear model of a passage's level, from the mean levels of its sentences and of its distinct words.

    Repeated words are easier than new ones, so each word counts once; function words do not count.

    Attributes:
        start: the intercept.
        sentences, words: the weights of the two means.
    """

    start: float
    sentences: float
    words: float

    def level(self, sentences: Sequence[tuple[float, int]], words: Mapping[str, float]) -> float:
        """The level of a text, 1 to 6; NaN without sentences.

        A single sentence has its own level; with more sentences, the linear model gets more weight than their mean.

        Args:
            sentences: the level and number of words of each.
            words: the level of each word that has one.
        """
        count = sum(size for _, size in sentences)
        if not count:
            return math.nan
        mean = math.fsum(level * size for level, size in sentences) / count
        content = [level for word, level in words.items() if is_content(word)]
        if not content:
            return mean
        passage = self.start + self.sentences * mean + self.words * math.fsum(content) / len(content)
        return min(max(mean + (1 - 1 / len(sentences)) * (passage - mean), 1.0), float(TOP))


def load(folder: Path = WEIGHTS) -> PassageLevels:
    """The model of a folder; :func:`sema_english.levels.network.load` checks the folder's checksums."""
    return PassageLevels(**json.loads((folder / FILE).read_text(encoding="utf-8")))
