"""Tables of rated items and of their scores, read and joined for meta-evaluation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sema.errors import InputError
from sema.files.texts import read_rows

Row = Mapping[str, Any]


@dataclass(frozen=True)
class RatedItems:
    """Items as rows: ratings, scores and whatever else the files say; ``lines`` are those of the file of ratings."""

    path: str
    rows: tuple[Row, ...]
    lines: tuple[int, ...]

    @classmethod
    def read(
        cls, ratings: str, scores: str | None = None, on: Sequence[str] = (), where: Mapping[str, str] | None = None
    ) -> RatedItems:
        """Read a table of ratings, and join a table of scores to it.

        Rows go together by the columns ``on``, or in their order without. ``where`` keeps only the rows of the scores
        (of the one table without ``scores``) that have those values.

        Raises:
            InputError: a file that cannot be read, a missing column, or rows that do not match one to one.
        """
        rated, where = read_rows(ratings), where or {}
        if scores is None:
            kept = _keep(rated, where, ratings)
            return cls(ratings, tuple(row for _, row in kept), tuple(line for line, _ in kept))
        scored = _keep(read_rows(scores), where, scores)
        if not on:
            if len(rated) != len(scored):
                raise InputError(
                    f"has {len(scored)} rows but {ratings} has {len(rated)}; name shared columns with --on, or "
                    "keep the right rows with --where",
                    file=scores,
                )
            matches = [row for _, row in scored]
        else:
            matches = _match(rated, scored, on, ratings, scores)
        rows = tuple({**match, **row} for (_, row), match in zip(rated, matches, strict=True))
        return cls(ratings, rows, tuple(line for line, _ in rated))

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
        """The columns that hold numbers alone, in the files' order."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        return [
            name
            for name in names
            if name not in without and all(_number(row.get(name)) is not None for row in self.rows)
        ]

    def _check(self, column: str) -> None:
        names = dict.fromkeys(name for row in self.rows for name in row)
        if column not in names:
            raise InputError(f"has no column {column!r}; there are {', '.join(names)}", file=self.path)


def _keep(rows: Sequence[tuple[int, Row]], where: Mapping[str, str], path: str) -> list[tuple[int, Row]]:
    for column in where:
        if rows and column not in rows[0][1]:
            raise InputError(f"has no column {column!r}; there are {', '.join(rows[0][1])}", file=path)
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
                raise InputError(f"has no column {column!r}; there are {', '.join(rows[0][1])}", file=path)
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


def _number(cell: Any) -> float | None:
    """A cell as a number; NaN for an empty one, ``None`` for anything else."""
    if cell is None or cell == "":
        return math.nan
    if isinstance(cell, bool):
        return None
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None
