"""The levels of Chinese words and constructions: ``tables/hsk_words.txt`` and ``tables/hsk_grammar.txt``.

    python -m training.chinese.hsk_tables [--to FOLDER]

Both come from the national standard GF0025-2021 (HSK 3.0) as the public tables ``hsk30_words`` and ``hsk30_grammar``
list it. Of the grammar, only frames of at least two given words are kept, such as 虽然……，但是…….
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from operator import itemgetter
from pathlib import Path

from sema_chinese.words import TABLES

from training.command import command
from training.data.tables import table

HAN = re.compile(r"[\u4e00-\u9fff]+")
PARTS = re.compile(r"；|（\d）|用关联词语：|\d表使令：")
LEAST = 2
"""The fewest parts of a frame, and the fewest characters of its longest part."""


def level(row: Mapping[str, str]) -> int:
    """A row's level; 7 for levels 7-9, which the standard does not separate."""
    return int(row["Level"][0])


def frames(content: str) -> Iterator[tuple[str, ...]]:
    """The frames of a point of grammar, each as the words that stand in it in order.

    >>> list(frames("（1）不用关联词语（2）用关联词语：虽然……，但是/可是……"))
    [('虽然', '但是'), ('虽然', '可是')]
    """
    for part in PARTS.split(content):
        given = re.sub(r"（[^）]*）|\s", "", part)
        pieces = [piece for piece in re.split(r"…+|，", given) if piece]
        choices = [piece.split("/") for piece in pieces]
        plain = all(HAN.fullmatch(word) for choice in choices for word in choice)
        if "…" not in given or not plain or len(pieces) < LEAST:
            continue
        yield from (frame for frame in product(*choices) if max(map(len, frame)) >= LEAST)


@command
def main(to: Path = TABLES) -> None:
    """Write both tables, a level and its word or frame a line; of several levels the lowest, at which it is learnt."""
    words = [(row["Simplified"], level(row)) for row in table("lexicons", "zh", "hsk30_words.tsv.gz")]
    grammar = [
        (" ".join(frame), level(row))
        for row in table("lexicons", "zh", "hsk30_grammar.tsv.gz")
        for frame in frames(row["Content"])
    ]
    for name, listed in (("hsk_words", words), ("hsk_grammar", grammar)):
        lowest = dict(sorted(listed, key=itemgetter(1), reverse=True))
        lines = [f"{number} {text}\n" for number, text in sorted((number, text) for text, number in lowest.items())]
        (to / f"{name}.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
