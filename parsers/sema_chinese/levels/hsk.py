"""Chinese: the levels of the HSK examination that texts ask for, by the words of HSK 3.0 (``tables/CARD.md``).

``hsk_low`` is the percentage of the output's tokens in levels 1-3 (higher is easier); ``hsk_high`` that of tokens in
level 7 and above or in no level at all (lower is easier). Every token counts, punctuation included, as in the figures
of MCTS (Chong et al., LREC-COLING 2024); corpus scores pool all tokens.

``hsk_level``, 1 to 7 (levels 7-9 are one in the list), is the lowest level whose learners know 95 per cent of a text's
words, the share that reading without help takes (Laufer and Ravenhorst-Kalovski, Reading in a Foreign Language 22,
2010); between two levels it is interpolated by the share. A word that is in no level has the level of its parts, if all
of them are listed, else the highest. Figures and punctuation are not counted. Words are the segmenter's, but a listed
word that it cuts counts as one: 图书|馆. Constructions above a target explain a level and do not change it: frames of
given words, such as 虽然……，但是……. The standard's other grammar points would require an analysis of the sentence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Self

from sema.errors import InputError, UsageError
from sema.metrics.base import Item, Metric, Row, row_mean
from sema.metrics.token_metric import TokenMetric
from sema.model.language import base_code
from sema.model.levels import (
    CefrLevel,
    Hard,
    TextLevel,
    cefr_label,
    level_evidence,
    listed_runs,
    parse_level,
    rounded,
)
from sema.model.text import Text, is_punctuation
from sema.runtime.caching import remembered
from sema_chinese.notation.spelling import plain
from sema_chinese.words import read_lines

if TYPE_CHECKING:
    from sema.model.language import Parts

LOW: frozenset[int | None] = frozenset({1, 2, 3})
TOP = 7
KNOWN = 0.95
LONGEST, LONGEST_WORD = 4, 8
"""Most tokens that a listed word is cut into, and most characters of a word that is also looked up when converted."""
BETWEEN = r".{1,40}?"
"""The gap between the words of a frame."""
Frame = tuple[str, int, re.Pattern[str], str]
"""A frame's name, level, pattern and first word."""


@cache
def listed_levels() -> Mapping[str, int]:
    """The level of every listed word, in simplified characters."""
    return {word: int(level) for level, word in map(str.split, read_lines("hsk_words.txt"))}


def listed_level(word: str) -> int | None:
    """The level of a word as it is written or, if it is not listed, in simplified characters."""
    level = listed_levels().get(word)
    return listed_levels().get(plain(word)) if level is None else level


def word_level(word: str) -> int:
    """The level of a word; for an unlisted word that of its parts if they are listed, else the highest."""
    known = listed_levels()
    listed = known.get(word)
    if listed is not None:
        return min(listed, TOP)
    easiest: list[float] = [0.0] + [math.inf] * len(word)
    for end in range(1, len(word) + 1):
        for start in range(end):
            part = known.get(word[start:end])
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


@cache
def frames() -> tuple[Frame, ...]:
    """The frames of the table, those of many words first."""
    listed = []
    for line in read_lines("hsk_grammar.txt"):
        level, *words = line.split()
        pattern = re.compile(BETWEEN.join(f"({word})" for word in words))
        listed.append(("……".join(words) + "……", int(level), pattern, words[0]))
    return tuple(sorted(listed, key=lambda frame: -len(frame[0])))


def constructions(text: Text) -> Iterator[Hard]:
    """The frames in each sentence with the tokens of their words; of two that overlap, the longer one."""
    for start, end in text.sentences:
        words = [plain(word) for word in text.words[start:end]]
        line = "".join(words)
        owner = [start + number for number, word in enumerate(words) for _ in word]
        used: set[int] = set()
        for name, level, pattern, first in frames():
            for match in pattern.finditer(line) if first in line else ():
                chars = [at for part in range(1, pattern.groups + 1) for at in range(*match.span(part))]
                if used.isdisjoint(chars):
                    used.update(chars)
                    yield Hard(name, tuple(sorted({owner[at] for at in chars})), float(level))


def _list_signature() -> str:
    return f"list=hsk-3.0,words={len(listed_levels())}"


class _HskMetric(Metric):
    def bind(self, parts: Parts) -> Self:
        """The metric for Chinese; ``UsageError`` for another language."""
        if base_code(parts.code) != "zh":
            raise UsageError(f"{self.name} reads levels of Chinese words; leave it out for language {parts.code!r}")
        bound: Self = super().bind(parts)  # type: ignore[assignment]
        return bound


class HskShare(_HskMetric, TokenMetric):
    """The percentage of the output's tokens of some levels; a corpus's comes from its summed counts."""

    levels: frozenset[int | None]
    """The levels of the words that count (``None``: of words in no level)."""

    @property
    def signature(self) -> str:
        return f"{super().signature},{_list_signature()}"

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The output's tokens that count, and all of them."""
        outputs = self.tokenizer.batch([item.output.raw for item in items])
        levels = [list(map(listed_level, words)) for words in outputs]
        return [(float(sum(level in self.levels for level in some)), float(len(some))) for some in levels]

    def value(self, row: Row) -> float:
        return 100 * row[0] / row[1] if row[1] else 0.0


class HskLow(HskShare, name="hsk_low"):
    """Percentage of the output's words in HSK levels 1-3 (Chinese)."""

    levels = LOW


class HskHigh(HskShare, name="hsk_high"):
    """Percentage of the output's words in HSK level 7 and above or in none (Chinese)."""

    higher_is_better = False
    levels = frozenset({None, *range(TOP, 10)})


class HskLevel(_HskMetric, name="hsk_level"):
    """HSK level whose learners know 95 % of the output's words, 1 to 7 (Chinese).

    The corpus score is the mean.
    """

    higher_is_better = False
    range = (1.0, float(TOP))

    def __init__(
        self, *, target: Annotated[int | None, "the level to reach, for items that have none of their own"] = None
    ) -> None:
        if target is not None and not 1 <= target <= TOP:
            raise UsageError(f"{self.name}.target cannot be {target}; give a number from 1 to {TOP}")
        self._target = target

    @property
    def signature(self) -> str:
        return _list_signature() if self._target is None else f"{_list_signature()},target={self._target}"

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The level and a count of 1; zeros for an output without words."""
        levels = [self._read(item.output).value for item in items]
        return [(0.0, 0.0) if math.isnan(level) else (level, 1.0) for level in levels]

    def value(self, row: Row) -> float:
        return row_mean(row)

    def _read(self, text: Text) -> TextLevel:
        """The level of a text, of its words and of its constructions; figures and punctuation have none."""
        words = text.words
        runs = listed_runs(words, _is_listed, LONGEST)
        inside = {at + more for at, size in runs.items() for more in range(1, size)}
        levels = [
            None
            if at in inside or (at not in runs and (is_punctuation(word) or _is_figure(word)))
            else _level("".join(words[at : at + runs.get(at, 1)]))
            for at, word in enumerate(words)
        ]
        known = [level for level in levels if level]
        return TextLevel(text_level(known), tuple(levels), tuple(constructions(text)), runs)

    def explain(self, item: Item) -> dict[str, Any]:
        """Both texts' levels and words, with what is above the target, or above the text's own level without one."""
        target = self._target if item.target is None else item.target
        if isinstance(target, CefrLevel):
            name = cefr_label(target)
            raise InputError(f"{name} is a CEFR level; write a target of HSK as a number from 1 to {TOP}, or none")
        source, output = self._read(item.source), self._read(item.output)
        return level_evidence(item, source, output, target, hsk_label)


def hsk_label(level: float) -> str:
    """The name of the nearest level."""
    number = min(max(rounded(parse_level(level)), 1), TOP)
    return f"HSK {number}" if number < TOP else "HSK 7-9"


@remembered
def _is_listed(word: str) -> bool:
    """Whether a word is in the list, as it is written or in simplified characters."""
    return word in listed_levels() or (len(word) <= LONGEST_WORD and plain(word) in listed_levels())


@remembered
def _level(word: str) -> int:
    """The level of a word as it is written, or in simplified characters if that is lower."""
    return min(map(word_level, (word, plain(word))))


def _is_figure(word: str) -> bool:
    return all(char.isdecimal() or char in ".,%．，％" for char in word)
