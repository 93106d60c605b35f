"""People's ratings: tables of rated items and of their scores, joined; ratings rater by rater, standardised, averaged.

A table of ratings has a row for every rating (long: columns for item, rater and value) or a row for every item (wide: a
column for each rater).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.errors import InputError, UsageError
from sema.files.texts import read_rows

Row = Mapping[str, Any]
NO_SCORE = re.compile(r"(?i:|item|index|line|row|error|seed|unnamed: 0|id|.*[_ .-]id)|.*Id|.*ID")
"""Names of numeric columns that are not scores."""


@dataclass(frozen=True)
class RatedItems:
    """Items as rows of ratings, scores and other columns; ``lines`` are those of the file of ratings."""

    path: str
    rows: tuple[Row, ...]
    lines: tuple[int, ...]
    rated: frozenset[str] = frozenset()
    """The columns of the file of ratings, where the scores are in another."""
    differing: frozenset[str] = frozenset()
    """The columns that both files have, with different values for the same item."""

    @classmethod
    def read(
        cls, ratings: str, scores: str | None = None, on: Sequence[str] = (), where: Mapping[str, str] | None = None
    ) -> RatedItems:
        """Read a table of ratings, and join a table of scores to it.

        Rows are joined on the columns ``on``; by default on the shared columns of names and integers, if these identify
        the rows of both files; else in order, if all shared columns agree. ``where`` keeps only the rows of
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
        """A column as text."""
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
        """The columns of scores: numbers only, in the files' order.

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
                f"has a second row for {' '.join(key)}; keep one of them (where), or name another column (on)",
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
    """The shared columns without fractions (measured values), if they identify the rows of both files."""
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


RATER_COLUMNS = ("rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id")
"""The column of raters is the first of these that the table has, where none is named."""
ITEM_COLUMNS = (
    "item",
    "item_id",
    "sent_id",
    "sentence_id",
    "original_sentence_id",
    "sys_name",
    "system",
    "system_name",
)
"""Those of these that the table has tell its items apart, where none is named."""

Key = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Ratings:
    """The ratings of items by raters.

    Attributes:
        items: what identifies each item, such as the sentence's number and the system.
        raters: the raters' names.
        values: items down, raters across; NaN where a rater did not rate an item.
    """

    items: tuple[Key, ...]
    raters: tuple[str, ...]
    values: NDArray[np.float64]

    @classmethod
    def from_entries(cls, entries: Sequence[tuple[Key, str, float]]) -> Ratings:
        """Build from (item, rater, value) in any order; items and raters keep the order of their first entries.

        Raises:
            InputError: a rater rated an item twice.
        """
        items = {item: place for place, item in enumerate(dict.fromkeys(item for item, _, _ in entries))}
        raters = {rater: place for place, rater in enumerate(dict.fromkeys(rater for _, rater, _ in entries))}
        values = np.full((len(items), len(raters)), np.nan)
        seen: set[tuple[int, int]] = set()
        for item, rater, value in entries:
            place = items[item], raters[rater]
            if place in seen:
                raise InputError(
                    f"rater {rater} rated {' '.join(item)} twice; name every column that tells items apart, or keep one"
                )
            seen.add(place)
            values[place] = value
        return cls(tuple(items), tuple(raters), values)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many raters rated each item."""
        return np.asarray((~np.isnan(self.values)).sum(axis=1), dtype=np.int64)

    def select(self, keep: Callable[[Key], bool]) -> Ratings:
        """The items that ``keep`` accepts, with the raters who rated one of them."""
        rows = [place for place, item in enumerate(self.items) if keep(item)]
        values = self.values[rows]
        columns = np.flatnonzero((~np.isnan(values)).any(axis=0))
        return Ratings(
            tuple(self.items[row] for row in rows), tuple(self.raters[c] for c in columns), values[:, columns]
        )

    def z_scores(self) -> Ratings:
        """Every rating minus its rater's mean, divided by the rater's standard deviation (of all the rater's ratings).

        A rater who always gives the same rating gets 0 (Alva-Manchego, Scarton and Specia 2021, section 3.3).
        """
        means = np.nanmean(self.values, axis=0)
        spreads = np.nanstd(self.values, axis=0)
        return Ratings(self.items, self.raters, (self.values - means) / np.where(spreads > 0, spreads, 1.0))

    def means(self) -> NDArray[np.float64]:
        """The mean of each item over its raters."""
        return np.asarray(np.nanmean(self.values, axis=1))

    def group_means(self, label: Callable[[Key], str]) -> Ratings:
        """For each group of items, such as a system's, the mean of every rater's ratings."""
        labels = [label(item) for item in self.items]
        groups = list(dict.fromkeys(labels))
        values = np.full((len(groups), len(self.raters)), np.nan)
        for row, group in enumerate(groups):
            members = self.values[[place for place, name in enumerate(labels) if name == group]]
            for column in range(len(self.raters)):
                known = members[~np.isnan(members[:, column]), column]
                if known.size:
                    values[row, column] = math.fsum(known) / known.size
        return Ratings(tuple((group,) for group in groups), self.raters, values)


@dataclass(frozen=True)
class RatingsTable:
    """A file of ratings, with the roles of its columns.

    Attributes:
        items: the columns that identify items.
        columns: for each aspect (a column of a long table, or the whole of a wide one) its ratings.
        fields: for every item the columns that are constant over its rows, such as its texts.
    """

    items: tuple[str, ...]
    columns: dict[str, Ratings]
    fields: dict[Key, dict[str, Any]]

    @classmethod
    def read(
        cls,
        path: str,
        by: Sequence[str] = (),
        *,
        item: Sequence[str] = (),
        rater: str | None = None,
        raters: Sequence[str] = (),
    ) -> RatingsTable:
        """Read a table of ratings; rows of quality control (a column ``control`` that is not empty) are left out.

        Args:
            path: a CSV, TSV, JSONL or Parquet file.
            by: columns of ratings; by default every other column of numbers.
            item: columns that identify items; by default those of :data:`ITEM_COLUMNS` that exist.
            rater: the column of raters; by default the first of :data:`RATER_COLUMNS`.
            raters: for a wide table, a column for each rater; ``by`` then names the aspect.

        Raises:
            InputError: a file that cannot be read, a column that is missing or holds no numbers, or an item that a
                rater rated twice.
        """
        table = RatedItems.read(path)
        judged = [place for place, row in enumerate(table.rows) if not row.get("control")]
        table = replace(table, rows=tuple(table.rows[i] for i in judged), lines=tuple(table.lines[i] for i in judged))
        names = list(dict.fromkeys(name for row in table.rows for name in row))
        items = tuple(item) or tuple(name for name in ITEM_COLUMNS if name in names)
        keys: list[Key]
        if items:
            keys = list(zip(*(table.texts(name) for name in items), strict=True))
        elif raters:
            keys = [(str(place),) for place in range(len(table.rows))]
        else:
            raise UsageError("does not say which columns tell items apart; name them with item=COLUMNS", file=path)
        if raters:
            found = {name: table.numbers(name) for name in raters}
            entries = [(key, name, column[place]) for place, key in enumerate(keys) for name, column in found.items()]
            columns = {by[0] if by else "rating": cls._ratings(entries, path)}
        else:
            column = rater or next((name for name in RATER_COLUMNS if name in names), None)
            if column is None:
                raise UsageError("does not say which column holds the raters; name it with rater=COLUMN", file=path)
            people = table.texts(column)
            aspects = list(by) or table.number_columns(without=[*items, column])
            if not aspects:
                raise UsageError("has no column of numbers left for ratings; name one with by=COLUMN", file=path)
            columns = {
                name: cls._ratings(list(zip(keys, people, table.numbers(name), strict=True)), path) for name in aspects
            }
        return cls(items or ("item",), columns, _fields(keys, table.rows, without={*columns, *raters}))

    @staticmethod
    def _ratings(entries: Sequence[tuple[Key, str, float]], path: str) -> Ratings:
        try:
            return Ratings.from_entries([entry for entry in entries if not math.isnan(entry[2])])
        except InputError as error:
            raise InputError(error.message, file=path) from error


def _fields(keys: Sequence[Key], rows: Sequence[Row], without: set[str]) -> dict[Key, dict[str, Any]]:
    fields: dict[Key, dict[str, Any]] = {}
    for key, row in zip(keys, rows, strict=True):
        first = fields.setdefault(key, dict(row))
        without |= {name for name in first if row.get(name) != first[name]}
    return {key: {name: cell for name, cell in row.items() if name not in without} for key, row in fields.items()}
