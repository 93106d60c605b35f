"""Words by level of the HSK examination, without training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from sema.features.base import TextGroup, average, ratio
from sema.model.scene_graph import SceneGraph
from sema.model.text import Text, is_punctuation
from sema_chinese.levels.word_lists import is_high, is_low, list_signature, listed_level, read_vocabulary


class HskLevels(TextGroup, name="hsk"):
    """Words by HSK level.

    By HSK 3.0 or another list (:mod:`sema_chinese.levels.word_lists`).

    Features:
        level: mean level of the words, 10 for words in none
        low: share of words in levels 1-3
        high: share of words in level 7 and above or in none
        unlisted: share of words in no level
        highest: highest level of a word, 10 for words in none
    """

    default = False

    def __init__(
        self, *, vocabulary: Annotated[str | None, "another list of the HSK levels' words (.xls, .csv)"] = None
    ) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._levels = read_vocabulary(vocabulary)

    @property
    def signature(self) -> str:
        return list_signature(self._vocabulary)

    def measure(self, text: Text, graphs: Sequence[SceneGraph]) -> Mapping[str, float]:
        levels = [listed_level(word, self._levels) for word in text.words if not is_punctuation(word)]
        numbers = [10 if level is None else level for level in levels]
        return {
            "level": average(numbers),
            "low": ratio(sum(map(is_low, levels)), len(levels)),
            "high": ratio(sum(map(is_high, levels)), len(levels)),
            "unlisted": ratio(levels.count(None), len(levels)),
            "highest": max(numbers, default=0),
        }
