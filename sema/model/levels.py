"""CEFR levels as numbers, and the results of a level reader."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from sema.errors import InputError
from sema.model.evidence import SharedEvidence
from sema.model.text import Signed, Text

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from sema.model.item import Item

CEFR = ("A1", "A2", "B1", "B2", "C1", "C2")
"""The levels of the Common European Framework of Reference; A1 is 1.0, C2 is 6.0."""
HIGHEST = 9
"""The highest level that a target can have: HSK has nine."""


class CefrLevel(float):
    """A level that was given by its CEFR name; as the number of a level of another scale it would mean nothing."""


def rounded(value: float) -> int:
    """The nearest whole level; halves go up."""
    return math.floor(value + 0.5)


def whole_level(value: float) -> int:
    """The whole CEFR level of a text's level, 1 to 6: 2.6 counts as 3."""
    return min(max(rounded(value), 1), len(CEFR))


def cefr_label(value: float) -> str:
    """The name of the whole CEFR level: 2.6 is B1."""
    return CEFR[whole_level(value) - 1]


def parse_level(given: object) -> float:
    """A level as a number, from a CEFR name in either case or a number (2, ``"2.5"``); else an ``InputError``."""
    if isinstance(given, CefrLevel):
        return given
    text = str(given).strip()
    if text.upper() in CEFR:
        return CefrLevel(CEFR.index(text.upper()) + 1)
    with suppress(ValueError):
        if not isinstance(given, bool) and 1 <= float(text) <= HIGHEST:
            return float(text)
    raise InputError(f"{text!r} is not a level; write A1 to C2, or the number of a level")


WORD = "word"
SHOWN = 8
"""The most words and constructions that the evidence lists."""


@dataclass(frozen=True)
class Hard:
    """A word or construction that makes a text hard: :data:`WORD` or its name, its tokens' indexes, and its level."""

    what: str
    tokens: tuple[int, ...]
    level: float


@dataclass(frozen=True)
class TextLevel:
    """The level of one text, of its words and of its constructions.

    ``value`` is the text's level, NaN if it has no words; ``words`` has each token's level, ``None`` for punctuation,
    figures and names. A word of several tokens has its level at the first; ``runs`` has its number of tokens.
    """

    value: float
    words: tuple[float | None, ...] = ()
    constructions: tuple[Hard, ...] = ()
    runs: Mapping[int, int] = field(default_factory=dict)

    def _tokens(self, at: int) -> tuple[int, ...]:
        return tuple(range(at, at + self.runs.get(at, 1)))

    def hard(self, above: float) -> list[Hard]:
        """The words and constructions above a level, the hardest first."""
        words = [Hard(WORD, self._tokens(at), level) for at, level in enumerate(self.words) if level is not None]
        above_target = [part for part in (*words, *self.constructions) if rounded(part.level) > above]
        return sorted(above_target, key=lambda part: (-part.level, part.tokens))

    def described(self, words: Sequence[str], target: float | None, label: Callable[[float], str]) -> dict[str, Any]:
        """The level of the text, of its words, and what is hard in it, as plain data.

        A word is hard above the target level; without a target, at the text's own level or above. ``label`` names
        levels.
        """
        if math.isnan(self.value):
            return {"level": None, "label": None, "words": [None] * len(words), "above": [], "hard": []}
        hard = self.hard(rounded(self.value) - 1 if target is None else target)
        hardest: dict[str, Hard] = {}

        def text(part: Hard) -> str:
            return ("" if part.what == WORD else " ").join(words[at] for at in part.tokens)

        for part in hard:  # each word and construction once, at its hardest occurrence
            hardest.setdefault(text(part).lower() if part.what == WORD else part.what, part)
        return {
            "level": round(self.value, 2),
            "label": label(self.value),
            "words": [None if level is None else label(level) for level in self.words or [None] * len(words)],
            "above": sorted(part.tokens[0] for part in hard if part.what == WORD and target is not None),
            "hard": [
                {
                    "what": part.what,
                    "tokens": list(part.tokens),
                    "text": text(part),
                    "level": round(part.level, 1),
                    "label": label(part.level),
                }
                for part in [*hardest.values()][:SHOWN]
            ],
        }


def level_evidence(
    item: Item, source: TextLevel, output: TextLevel, target: float | None, label: Callable[[float], str] = cefr_label
) -> SharedEvidence:
    """What explains the levels of an item's texts, for ``sema explain``; ``label`` names levels."""
    return SharedEvidence(
        levels={
            "output": output.described(item.output.words, target, label),
            "source": source.described(item.source.words, target, label),
            "target": None if target is None else label(target),
        }
    )


def listed_runs(words: Sequence[str], listed: Callable[[str], bool], longest: int) -> dict[int, int]:
    """The runs of 2 to ``longest`` tokens that spell a listed word (图书|馆): first token and size, long ones first."""
    runs: dict[int, int] = {}
    start = 0
    while start < len(words):
        most = min(longest, len(words) - start)
        size = next((size for size in range(most, 1, -1) if listed("".join(words[start : start + size]))), 1)
        if size > 1:
            runs[start] = size
        start += size
    return runs


class LevelReader(Signed, Protocol):
    """Rates the difficulty of texts, for :mod:`sema.metrics.cefr`."""

    def read(self, texts: Iterable[tuple[Text, NDArray[float32] | None]]) -> Sequence[TextLevel]:
        """The level of each text with the states of its tokens (tokens, width); it does not depend on other texts."""
