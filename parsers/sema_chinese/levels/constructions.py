"""Constructions of HSK 3.0 in Chinese texts: frames of given words, such as 虽然……，但是……, with their levels.

The standard's other grammar points would require an analysis of the sentence and are not looked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from sema.model.levels import Hard
from sema.model.text import Text
from sema_chinese.notation.spelling import plain
from sema_chinese.words import read_lines

BETWEEN = r".{1,40}?"
"""The gap between the words of a frame."""
Frame = tuple[str, int, re.Pattern[str], str]
"""A frame's name, level, pattern and first word."""


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
