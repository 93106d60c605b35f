"""Human ratings: tables of rated items, joined with tables of their scores."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

from sema.errors import InputError, SemaWarning, UsageError
from sema.files.ids import spelled
from sema.files.texts import read_rows
from sema.runtime.forks import cached_property

Row = Mapping[str, Any]
Key = tuple[str, ...]
NO_SCORE = re.compile(r"(?i:|item|index|line|row|error|seed|unnamed: 0|id|.*[_ .-]id)|.*Id|.*ID")
"""Names of numeric columns that are not scores."""


@dataclass(frozen=True)
class RatedItems:
    """Items as rows of ratings, scores and other columns; ``lines`` are those of the file of ratings.

    If the scores are in another file, ``scores`` is its name with the line of each item's scores.
    """

    path: str
    rows: tuple[Row, ...]
    lines: tuple[int, ...]
    scores: tuple[str, tuple[int, ...]] | None = None
    rated: frozenset[str] = frozenset()  # the columns of the file of ratings, where the scores are in another
    differing: frozenset[str] = frozenset()  # both files have them, with different values for an item

    @classmethod
    def read(
        cls, ratings: str, scores: str | None = None, on: Sequence[str] = (), where: Mapping[str, str] | None = None
    ) -> RatedItems:
        """Read a table of ratings, and join a table of scores to it.

        Rows are joined on the columns ``on``; by default in order, if all shared columns agree. ``where`` keeps rows
        of the scores (without ``scores``, of the ratings) that have those values.

        Raises:
            InputError: a file that cannot be read, a missing column, or rows that do not match one to one.
        """
        rated = cls._open(ratings, where if scores is None else None)
        if scores is None:
            return rated
        scored = cls._open(scores, where)
        shared = [column for column in rated.names if column in scored.names]
        lines, matches = zip(*rated._matches(scored, on), strict=True)
        pairs = list(zip(rated.rows, matches, strict=True))
        differing = {
            column for column in shared if any(not _same(row.get(column), match.get(column)) for row, match in pairs)
        }
        if differing and not on:
            message = f"does not go with {ratings} row by row: they differ in {', '.join(sorted(differing))}"
            raise InputError(f"{message}; name the shared columns that tell items apart (on)", file=scores)
        rows = tuple({**match, **row} for row, match in pairs)
        return cls(ratings, rows, rated.lines, (scores, lines), frozenset(rated.names), frozenset(differing))

    @classmethod
    def _open(cls, path: str, where: Mapping[str, str] | None) -> RatedItems:
        lines, rows = zip(*read_rows(path), strict=True)
        where = where or {}
        table = cls(path, rows, lines)
        table._check(where)
        kept = table.select(lambda row: all(_text(row.get(column)) == value for column, value in where.items()))
        if not kept.rows:
            conditions = ", ".join(f"{column}={value}" for column, value in where.items())
            raise InputError(f"has no rows with {conditions}", file=path)
        return kept

    def _matches(self, scored: RatedItems, on: Sequence[str]) -> Sequence[tuple[int, Row]]:
        """The line and row of the scores for each of these rows: those with the same ids, or in the same place."""
        if not on:
            if len(self.rows) == len(scored.rows):
                return list(zip(scored.lines, scored.rows, strict=True))
            message = f"has {len(scored.rows)} rows but {self.path} has {len(self.rows)}"
            remedy = "name the shared columns that tell items apart (on), or keep the right rows (where)"
            raise InputError(f"{message}; {remedy}", file=scored.path)
        self._check(on)
        scored._check(on)
        rated_keys, scored_keys = _keys(self.rows, scored.rows, on)
        by_key: dict[Key, tuple[int, Row]] = {}
        for key, line, row in zip(scored_keys, scored.lines, scored.rows, strict=True):
            if by_key.setdefault(key, (line, row))[1] is not row:
                message = f"has a second row for {' '.join(key)}"
                remedy = "keep one of them (where), or name another column (on)"
                raise InputError(f"{message}; {remedy}", file=scored.path, line=line)
        for key, line in zip(rated_keys, self.lines, strict=True):
            if key not in by_key:
                message = f"{' '.join(key)} has no row in {scored.path}; score it, or take this row out"
                raise InputError(message, file=self.path, line=line)
        return [by_key[key] for key in rated_keys]

    def select(self, keep: Callable[[Row], bool]) -> RatedItems:
        """The rows that ``keep`` accepts."""
        kept = [keep(row) for row in self.rows]
        return replace(self, rows=tuple(compress(self.rows, kept)), lines=tuple(compress(self.lines, kept)))

    @cached_property
    def names(self) -> dict[str, None]:
        """The columns of any row, in the files' order."""
        return dict.fromkeys(name for row in self.rows for name in row)

    def shared(self, column: str) -> bool:
        """Whether every row has a value in a column, and the files agree on it."""
        return column not in self.differing and all(row.get(column) not in (None, "") for row in self.rows)

    def texts(self, column: str) -> list[str]:
        """A column as text; an error if there is none, or both files have it with different values."""
        return list(map(_text, self._cells(column)))

    def numbers(self, column: str) -> list[float]:
        """A column of numbers; an empty cell is NaN, and anything else an error."""
        values = []
        for place, cell in enumerate(self._cells(column)):
            value = _number(cell)
            if value is None:
                raise self._no_number(column, place)
            values.append(value)
        return values

    def _no_number(self, column: str, place: int) -> InputError:
        """The error of a cell that is not a number."""
        file, lines = (self.path, self.lines) if self.scores is None or column in self.rated else self.scores
        what = f"{column!r} holds {self.rows[place][column]!r}, which is not a number"
        return InputError(f"{what}; write one, or leave the cell empty", file=file, line=lines[place])

    def _cells(self, column: str) -> list[Any]:
        self._check([column])
        if column in self.differing:
            raise InputError(f"both files have {column!r}, with different values; rename one of them", file=self.path)
        return [row.get(column) for row in self.rows]

    def number_columns(self, without: Sequence[str | None]) -> list[str]:
        """The columns of scores: numbers only, in the files' order.

        Numbers and ids of items, errors, empty columns and columns of the file of ratings are not scores.

        Warns:
            SemaWarning: more than half of a column's cells are numbers, but not all; it is left out.
        """
        left_out = {*without, *self.rated}
        found = []
        for name in self.names:
            if name in left_out or NO_SCORE.fullmatch(name):
                continue
            cells = [_number(row.get(name)) for row in self.rows]
            numbers = sum(cell is not None and not math.isnan(cell) for cell in cells)
            if numbers and None not in cells:
                found.append(name)
            elif numbers > len(cells) / 2:
                message = f"{self._no_number(name, cells.index(None))}: the column is left out"
                warnings.warn(message, SemaWarning, stacklevel=2)
        return found

    def _check(self, columns: Iterable[str]) -> None:
        for column in columns:
            if column not in self.names:
                raise UsageError(f"has no column {column!r}; there are {', '.join(self.names)}", file=self.path)


def _keys(rows: Sequence[Row], others: Sequence[Row], columns: Sequence[str]) -> list[list[Key]]:
    """What tells the rows of two tables apart: ids as they are compared, unless that makes different cells the same.

    Texts that tell items apart may differ in case alone.
    """
    exact = [[tuple(_text(row.get(name)) for name in columns) for row in table] for table in (rows, others)]
    alike = [[tuple(map(spelled, key)) for key in keys] for keys in exact]
    merged = any(len({*keys}) < len({*given}) for keys, given in zip(alike, exact, strict=True))
    return exact if merged else alike


def _text(cell: Any) -> str:
    """A cell as text; nothing for one that is missing or JSON's null, as for an empty one."""
    return "" if cell is None else str(cell)


def _same(first: Any, second: Any) -> bool:
    number = _number(first)
    return _text(first) == _text(second) or (number is not None and number == _number(second))


def _number(cell: Any) -> float | None:
    """A cell as a number; NaN for an empty one, ``None`` for anything else, infinite numbers too."""
    if cell is None or cell == "":
        return math.nan
    if isinstance(cell, bool) or (isinstance(cell, str) and "_" in cell):  # Python would read 1_0 as 10
        return None
    try:
        number = float(cell)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if math.isinf(number) else number


CLUSTER_COLUMNS = (
    *("source", "original", "orig_sent", "complex"),
    *("source_id", "sent_id", "sentence_id", "original_sentence_id", "text_id", "item_id", "item"),
)
"""If none is named, the first of these that every row has says which rows belong to one source."""
