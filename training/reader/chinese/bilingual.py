"""Chinese training sets: their rows, and the English rows that they were translated from.

PAWS names the pairs. Those of SNLI and STS were found by their words, which Model 1 of Brown et al. (Computational
Linguistics 1993) translated; ``tables/translated.tsv`` lists them: set, number of the Chinese row, of the English row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from sema_chinese.language import segmenter

from training.data.tables import read_table
from training.reader.english.examples import rows
from training.reader.words import Words, simplified

Row = Mapping[str, str]
PAWS_HELD_OUT = 500
"""The pairs at the end of the Chinese PAWS that train nothing."""
PARTS = ("premise", "hypothesis")
ZH_SETS = ("snli", "snli_2", "sts", "paws")
_ENGLISH = {"snli": ("dev", "snli.tsv.gz"), "sts": ("train", "sts.tsv.gz")}
_TRANSLATED = Path(__file__).parent / "tables" / "translated.tsv"


def chinese_words(text: str) -> Words:
    """The words of a text of the Chinese training sets, in simplified characters."""
    return _chinese()[text]


@cache
def _chinese() -> Mapping[str, Words]:
    texts = sorted({row[part] for name in ZH_SETS for row in zh_rows(name) for part in PARTS})
    return {text: simplified(read.words) for text, read in zip(texts, segmenter().segment(texts), strict=True)}


@cache
def _rows(name: str) -> list[dict[str, str]]:
    listed = list(rows("zh", "train", f"{name}.tsv.gz"))
    return listed[:-PAWS_HELD_OUT] if name == "paws" else listed


def zh_rows(*names: str) -> Iterator[dict[str, str]]:
    """The rows of Chinese training sets; of PAWS all but the last."""
    for name in names:
        yield from _rows(name)


def translated() -> Iterator[tuple[str, Row, Row]]:
    """The sets of Chinese rows, the rows, and the English ones that they translate."""
    paws = {row["id"]: row for row in rows("train", "paws.tsv.gz")}
    yield from (("paws", row, paws[row["id"]]) for row in zh_rows("paws"))
    english = {name: list(rows(*path)) for name, path in _ENGLISH.items()}
    for pair in read_table(_TRANSLATED):
        name = pair["set"]
        yield name, _rows(name)[int(pair["chinese"])], english[name][int(pair["english"])]
