"""Tables of rated items and of their scores, read and joined for meta-evaluation."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sema.errors import InputError, UsageError
from sema.files.texts import read_rows

Row = Mapping[str, Any]
NO_SCORE = re.compile(r"(?i:|item|index|line|row|error|seed|unnamed: 0|id|.*[_ .-]id)|.*Id|.*ID")
"""Names of columns of numbers that are no scores."""


@dataclass(frozen=True)
class RatedItems:
    """Items as rows: ratings, scores and whatever else the files say; ``lines`` are those of the file of ratings."""

    path: str
    rows: tuple[Row, ...]
    lines: tuple[int, ...]
    rated: frozenset[str] = frozenset()
    """The columns of the file of ratings, where the scores are in another."""
    differing: frozenset[str] = frozenset()
    """The columns that both files have, with other values for the same item."""

    @classmethod
    def read(
        cls, ratings: str, scores: str | None = None, on: Sequence[str] = (), where: Mapping[str, str] | None = None
    ) -> RatedItems:
        """Read a table of ratings, and join a table of scores to it.

        Rows go together by the columns ``on``; without, by the names and whole numbers that the files share, if these
        tell the rows of both apart; else in their order, if all shared columns agree. ``where`` keeps only the rows of
        the scores (of the one table without ``scores``) that have those values.

        Raises:
            InputError: a file that cannot be read, a missing column, or rows that do not match one to one.
        """
        rated, where = read_rows(ratings), where or {}
        if scores is None:
            kept = _keep(rated, where, ratings)
            return cls(ratings, tuple(row for _, row in kept), tuple(line for line, _ in kept))
        scored = _keep(read_rows(scores), where, scores)
        shared = [column for column in rated[0][1] if column in scored[0][1]]
        on = on or _keys(rated, scored, shared)
        if on:
            matches = _match(rated, scored, on, ratings, scores)
        elif len(rated) == len(scored):
            matches = [row for _, row in scored]
        else:
            raise InputError(
                f"has {len(scored)} rows but {ratings} has {len(rated)}; name the shared columns that tell items apart "
                "(on), or keep the right rows (where)",
                file=scores,
            )
        pairs = [(row, match) for (_, row), match in zip(rated, matches, strict=True)]
        differing = {
            column for column in shared if any(not _same(row.get(column), match.get(column)) for row, match in pairs)
        }
        if differing and not on:
            raise InputError(
                f"does not go with {ratings} row by row: they differ in {', '.join(sorted(differing))}; name the "
                "shared columns that tell items apart (on)",
                file=scores,
            )
        return cls(
            ratings,
            tuple({**match, **row} for row, match in pairs),
            tuple(line for line, _ in rated),
            frozenset(rated[0][1]),
            frozenset(differing),
        )

    def texts(self, column: str) -> list[str]:
        """A column as it stands."""
        self._check(column)
        return [str(row.get(column, "")) for row in self.rows]

    def numbers(self, column: str) -> list[float]:
        """A column of numbers; an empty cell is NaN.

        Raises:
            InputError: there is no such column, or a cell holds something else.
        """
        self._check(column)
        values = []
        for line, row in zip(self.lines, self.rows, strict=True):
            value = _number(row.get(column))
            if value is None:
                raise InputError(f"{column!r} holds {row[column]!r}, which is no number", file=self.path, line=line)
            values.append(value)
        return values

    def number_columns(self, without: Sequence[str | None]) -> list[str]:
        """The columns of scores: numbers alone, in the files' order.

        Numbers and names of items, errors, empty columns and what stands in the file of ratings are no scores.
        """
        names = dict.fromkeys(name for row in self.rows for name in row)
        found = []
        for name in names:
            if name in without or name in self.rated or NO_SCORE.fullmatch(name):
                continue
            numbers = [_number(row.get(name)) for row in self.rows]
            if all(number is not None for number in numbers) and any(number == number for number in numbers):
                found.append(name)
        return found

    def _check(self, column: str) -> None:
        names = dict.fromkeys(name for row in self.rows for name in row)
        if column not in names:
            raise UsageError(f"has no column {column!r}; there are {', '.join(names)}", file=self.path)
        if column in self.differing:
            raise InputError(f"both files have {column!r}, with different values; rename one of them", file=self.path)


def _keep(rows: Sequence[tuple[int, Row]], where: Mapping[str, str], path: str) -> list[tuple[int, Row]]:
    for column in where:
        if rows and column not in rows[0][1]:
            raise UsageError(f"has no column {column!r}; there are {', '.join(rows[0][1])}", file=path)
    kept = [(line, row) for line, row in rows if all(str(row[column]) == value for column, value in where.items())]
    if not kept:
        conditions = ", ".join(f"{column}={value}" for column, value in where.items())
        raise InputError(f"has no rows{f' with {conditions}' if where else ''}", file=path)
    return kept


def _match(
    rated: Sequence[tuple[int, Row]], scored: Sequence[tuple[int, Row]], on: Sequence[str], ratings: str, scores: str
) -> list[Row]:
    for path, rows in ((ratings, rated), (scores, scored)):
        for column in on:
            if column not in rows[0][1]:
                raise UsageError(f"has no column {column!r}; there are {', '.join(rows[0][1])}", file=path)
    found: dict[tuple[str, ...], Row] = {}
    for line, row in scored:
        key = tuple(str(row[column]) for column in on)
        if key in found:
            raise InputError(
                f"has a second row for {' '.join(key)}; keep one with --where, or add a column to --on",
                file=scores,
                line=line,
            )
        found[key] = row
    matches = []
    for line, row in rated:
        key = tuple(str(row[column]) for column in on)
        if key not in found:
            raise InputError(f"{' '.join(key)} has no row in {scores}", file=ratings, line=line)
        matches.append(found[key])
    return matches


def _keys(rated: Sequence[tuple[int, Row]], scored: Sequence[tuple[int, Row]], shared: Sequence[str]) -> list[str]:
    """The shared columns without fractions (measured values), if they tell the rows of both files apart."""
    columns = [name for name in shared if not any(_is_fraction(row.get(name)) for _, row in (*rated, *scored))]
    for rows in (rated, scored):
        if len({tuple(str(row.get(name)) for name in columns) for _, row in rows}) < len(rows):
            return []
    return columns


def _is_fraction(cell: Any) -> bool:
    number = _number(cell)
    return number is not None and number == number and number != int(number)


def _same(first: Any, second: Any) -> bool:
    numbers = _number(first), _number(second)
    return str(first) == str(second) or (None not in numbers and numbers[0] == numbers[1])


def _number(cell: Any) -> float | None:
    """A cell as a number; NaN for an empty one, ``None`` for anything else, infinite numbers too."""
    if cell is None or cell == "":
        return math.nan
    if isinstance(cell, bool) or (isinstance(cell, str) and "_" in cell):  # Python would read 1_0 as 10
        return None
    try:
        found = float(cell)
    except (TypeError, ValueError, OverflowError):
        return None
    return None if math.isinf(found) else found
