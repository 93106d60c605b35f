"""Chinese: the HSK level that a text asks for, 1 to 7 (levels 7-9 are one in the list), and its words above a target.

A text's level is the lowest one whose learners know 95 per cent of its words, the share that reading without help takes
(Laufer and Ravenhorst-Kalovski, Reading in a Foreign Language 22, 2010); between two levels it is interpolated by the
share. A word that is in no level has the level of its parts, if all of them are listed, else the highest. Figures and
punctuation are not counted. Words are the segmenter's, but a listed word that it cuts counts as one: 图书|馆. The list
is HSK 3.0, or another one (:mod:`sema_chinese.levels.word_lists`). Constructions above a target are the standard's
(:mod:`sema_chinese.levels.constructions`); they explain a level and do not change it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from sema.errors import UsageError
from sema.metrics.base import Item, Row, row_mean
from sema.model.levels import TextLevel, level_evidence, listed_runs, parse_level, rounded
from sema.model.text import Text, is_punctuation
from sema.runtime.caching import remembered
from sema_chinese.levels.constructions import constructions
from sema_chinese.levels.word_lists import TOP, WithWordList, list_signature, read_vocabulary
from sema_chinese.notation.spelling import plain

KNOWN = 0.95
LONGEST, LONGEST_WORD = 4, 8
"""Most tokens that a listed word is cut into, and most characters of a word that is also looked up when converted."""


def word_level(word: str, vocabulary: Mapping[str, int]) -> int:
    """The level of a word; for an unlisted word that of its parts if they are listed, else the highest."""
    listed = vocabulary.get(word)
    if listed is not None:
        return min(listed, TOP)
    easiest: list[float] = [0.0] + [math.inf] * len(word)
    for end in range(1, len(word) + 1):
        for start in range(end):
            part = vocabulary.get(word[start:end])
            if part is not None:
                easiest[end] = min(easiest[end], max(easiest[start], part))
    return TOP if math.isinf(easiest[-1]) else int(min(easiest[-1], TOP))


def text_level(levels: Sequence[int]) -> float:
    """The lowest level at which the required share of words is known; NaN for no words.

    >>> text_level([1] * 19 + [5]), text_level([1] * 9 + [5])
    (1.0, 4.5)
    """
    if not levels:
        return math.nan
    before = 0.0
    for level in range(1, TOP + 1):
        share = sum(known_from <= level for known_from in levels) / len(levels)
        if share >= KNOWN:
            return level - 1 + (KNOWN - before) / (share - before) if level > 1 else 1.0
        before = share
    return float(TOP)


class HskLevel(WithWordList, name="hsk_level"):
    """HSK level whose learners know 95 % of the output's words, 1 to 7 (Chinese).

    The corpus score is the mean.
    """

    higher_is_better = False
    range = (1.0, float(TOP))

    def __init__(
        self,
        *,
        hsk: Annotated[Path | None, "another word list: .xls, .xlsx, .csv or .tsv, a column for each level"] = None,
        target: Annotated[int | None, "the level to reach, for items that have none of their own"] = None,
    ) -> None:
        if target is not None and not 1 <= target <= TOP:
            raise UsageError(f"{self.name}.target cannot be {target}; give a number from 1 to {TOP}")
        self._hsk = hsk
        self._target = target

    @property
    def signature(self) -> str:
        listed = list_signature(self._hsk)
        return listed if self._target is None else f"{listed},target={self._target}"

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The level and a count of 1; zeros for an output without words."""
        levels = [self._read(item.output).value for item in items]
        return [(0.0, 0.0) if math.isnan(level) else (level, 1.0) for level in levels]

    def value(self, row: Row) -> float:
        return row_mean(row)

    def _read(self, text: Text) -> TextLevel:
        """The level of a text, of its words and of its constructions; figures and punctuation have none."""
        listed, words = self._hsk, text.words
        runs = listed_runs(words, partial(_is_listed, listed), LONGEST)
        inside = {at + more for at, size in runs.items() for more in range(1, size)}
        levels = [
            None
            if at in inside or (at not in runs and (is_punctuation(word) or _is_figure(word)))
            else _level(listed, "".join(words[at : at + runs.get(at, 1)]))
            for at, word in enumerate(words)
        ]
        known = [level for level in levels if level]
        return TextLevel(text_level(known), tuple(levels), tuple(constructions(text)), runs)

    def explain(self, item: Item) -> dict[str, Any]:
        """Both texts' levels and words, with what is above the target, or above the text's own level without one."""
        target = self._target if item.target is None else item.target
        source, output = self._read(item.source), self._read(item.output)
        return level_evidence(item, source, output, target, hsk_label)


def hsk_label(level: float) -> str:
    """The name of the nearest level."""
    number = min(max(rounded(parse_level(level)), 1), TOP)
    return f"HSK {number}" if number < TOP else "HSK 7-9"


@remembered
def _is_listed(listed: Path | None, word: str) -> bool:
    """Whether a word is in the list, as it is written or in simplified characters."""
    vocabulary = read_vocabulary(listed)
    return word in vocabulary or (len(word) <= LONGEST_WORD and plain(word) in vocabulary)


@remembered
def _level(listed: Path | None, word: str) -> int:
    """The level of a word as it is written, or in simplified characters if that is lower."""
    return min(word_level(form, read_vocabulary(listed)) for form in (word, plain(word)))


def _is_figure(word: str) -> bool:
    return all(char.isdecimal() or char in ".,%．，％" for char in word)
