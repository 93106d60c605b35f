"""Chinese: how much of the output's vocabulary is for learners, by the levels of the HSK examination.

``hsk_low`` is the percentage of the output's tokens in levels 1-3 (higher is easier); ``hsk_high`` that of tokens in
level 7 and above or in no level at all (lower is easier). Every token counts, punctuation included, as in the figures
of MCTS (Chong et al., LREC-COLING 2024). Tokens are the segmenter's words, in simplified or traditional characters;
corpus scores pool all tokens.

The word list that ships is HSK 3.0 (GF0025-2021, ``tables/CARD.md``). A user's list (``hsk=FILE``) is a ``.xls`` or
``.xlsx`` workbook, a ``.csv`` or a ``.tsv``, with a column for each level under a heading that names it (一级, 七-九级,
HSK 3, 7-9); a word in several levels counts as the highest, as in MCTS.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

from sema.errors import InputError, SemaError, UsageError, missing_package
from sema.files.office import xlsx_sheets
from sema.metrics.base import Item, Metric, Row
from sema.metrics.token_metric import TokenizerOption, TokenMetric
from sema.model.language import base_code
from sema.runtime.checksums import digest_of
from sema_chinese.notation.spelling import plain
from sema_chinese.words import read_lines

if TYPE_CHECKING:
    from sema.model.language import Parts

LOW: frozenset[int | None] = frozenset({1, 2, 3})
SHIPPED = "hsk-3.0"
"""The name of the list that ships."""
TOP = 7
"""Levels 7-9 are one level in the list."""
_NUMERALS = {numeral: level for level, numeral in enumerate("一二三四五六七八九", start=1)}


@lru_cache(maxsize=4)
def read_vocabulary(path: str | Path | None = None) -> Mapping[str, int]:
    """The level of every word in a list (see the module for its form), by default the one that ships.

    Raises:
        InputError: the file is missing, of an unknown kind, or has no column headed by a level.
        ResourceError: the package that reads such a workbook is not installed.
    """
    if path is None:
        return {word: int(level) for level, word in map(str.split, read_lines("hsk_words.txt"))}
    file = Path(path)
    kind = file.suffix.lower()
    if kind not in _READERS:
        raise InputError("not a word list that can be read; give .xls, .xlsx, .csv or .tsv", file=path)
    if not file.is_file():
        raise InputError("no such file; give the HSK word list's path", file=path)
    try:
        rows = _READERS[kind](file)
    except SemaError:
        raise
    except Exception as error:  # a damaged workbook: its readers raise many kinds of errors
        said = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise InputError(f"cannot be read as a word list ({said}); save it anew", file=path) from error
    columns = {place: level for place, name in enumerate(rows[0] if rows else ()) if (level := _level(name))}
    if not columns:
        raise InputError("no column is headed by a level such as 一级 or HSK 1", file=path, line=1)
    vocabulary: dict[str, int] = {}
    for place, level in sorted(columns.items(), key=lambda column: column[1]):
        for row in rows[1:]:
            if place < len(row):
                vocabulary.update((word.strip(), level) for word in row[place].split("/") if word.strip())
    return vocabulary


def listed_level(word: str, vocabulary: Mapping[str, int]) -> int | None:
    """The level of a word as it is written or, if it is not listed, in simplified characters."""
    level = vocabulary.get(word)
    return vocabulary.get(plain(word)) if level is None else level


def list_signature(path: str | Path | None) -> str:
    """The list's name and its size, and the digest of a user's list."""
    listed = SHIPPED if path is None else f"{Path(path).name}+{digest_of(Path(path))}"
    return f"list={listed},words={len(read_vocabulary(path))}"


def _level(heading: str) -> int | None:
    match = re.search(r"\d|[一二三四五六七八九]", heading)
    return match and (_NUMERALS.get(match[0]) or int(match[0]))


def _xls(file: Path) -> list[list[str]]:
    try:
        import xlrd
    except ImportError as error:
        raise missing_package("xlrd") from error
    sheet = xlrd.open_workbook(file).sheet_by_index(0)
    return [[str(cell) for cell in sheet.row_values(row)] for row in range(sheet.nrows)]


def _xlsx(file: Path) -> list[list[str]]:
    first = next(iter(xlsx_sheets(str(file)).values()))
    return [[cell or "" for cell in row] for _, row in first]


def _table(delimiter: str, file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.reader(lines, delimiter=delimiter))


_READERS: Mapping[str, Callable[[Path], list[list[str]]]] = {
    ".xls": _xls,
    ".xlsx": _xlsx,
    ".csv": partial(_table, ","),
    ".tsv": partial(_table, "\t"),
}


class WithWordList(Metric):
    """A metric with the option ``hsk``: a user's list, or none for the one that ships."""

    _hsk: Path | None

    def bind(self, parts: Parts) -> Self:
        """The metric for Chinese; ``UsageError`` for another language, ``InputError`` for a list that is unreadable."""
        if base_code(parts.code) != "zh":
            raise UsageError(f"{self.name} reads levels of Chinese words; leave it out for language {parts.code!r}")
        self.vocabulary  # noqa: B018  # a missing list is reported before scoring starts
        bound: Self = super().bind(parts)  # type: ignore[assignment]
        return bound

    @property
    def vocabulary(self) -> Mapping[str, int]:
        """The level of every word (:func:`read_vocabulary`)."""
        return read_vocabulary(self._hsk)


class HskMetric(WithWordList, TokenMetric):
    """The percentage of the output's tokens of some levels; a corpus's comes from its summed counts."""

    levels: frozenset[int | None]
    """The levels of the words that count (``None``: of words in no level)."""

    def __init__(
        self,
        *,
        hsk: Annotated[Path | None, "another word list: .xls, .xlsx, .csv or .tsv, a column for each level"] = None,
        tokenizer: TokenizerOption = None,
    ) -> None:
        super().__init__(tokenizer=tokenizer)
        self._hsk = hsk

    @property
    def signature(self) -> str:
        return f"{super().signature},{list_signature(self._hsk)}"

    def rows(self, items: Sequence[Item]) -> Sequence[Row]:
        """The output's tokens that count, and all of them."""
        outputs = self.tokenizer.batch([item.output.raw for item in items])
        levels = [[listed_level(word, self.vocabulary) for word in words] for words in outputs]
        return [(float(sum(level in self.levels for level in some)), float(len(some))) for some in levels]

    def value(self, row: Row) -> float:
        return 100 * row[0] / row[1] if row[1] else 0.0


class HskLow(HskMetric, name="hsk_low"):
    """Percentage of the output's words in HSK levels 1-3 (Chinese)."""

    levels = LOW


class HskHigh(HskMetric, name="hsk_high"):
    """Percentage of the output's words in HSK level 7 and above or in none (Chinese)."""

    higher_is_better = False
    levels = frozenset({None, *range(TOP, 10)})
