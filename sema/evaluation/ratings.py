"""Human ratings: tables of rated items, joined with tables of their scores; ratings by rater, standardised, averaged.

A table of ratings has a row for every rating (long: columns for item, rater and value) or a row for every item (wide: a
column for each rater).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.errors import InputError, Keyword, UsageError
from sema.evaluation.questionnaires import Questionnaire
from sema.files.texts import read_rows
from sema.metrics.base import mean
from sema.runtime.forks import cached_property

Row = Mapping[str, Any]
Key = tuple[str, ...]
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
        the scores (without ``scores``, of the ratings) that have those values.

        Raises:
            InputError: a file that cannot be read, a missing column, or rows that do not match one to one.
        """
        rated = cls._open(ratings, where if scores is None else None)
        if scores is None:
            return rated
        scored = cls._open(scores, where)
        shared = [column for column in rated.rows[0] if column in scored.rows[0]]
        on = on or _identifying(shared, rated, scored)
        pairs = list(zip(rated.rows, rated._matches(scored, on), strict=True))
        differing = {
            column for column in shared if any(not _same(row.get(column), match.get(column)) for row, match in pairs)
        }
        if differing and not on:
            message = f"does not go with {ratings} row by row: they differ in {', '.join(sorted(differing))}"
            raise InputError(f"{message}; name the shared columns that tell items apart (on)", file=scores)
        rows = tuple({**match, **row} for row, match in pairs)
        return cls(ratings, rows, rated.lines, frozenset(rated.rows[0]), frozenset(differing))

    @classmethod
    def _open(cls, path: str, where: Mapping[str, str] | None) -> RatedItems:
        lines, rows = zip(*read_rows(path), strict=True)
        where = where or {}
        table = cls(path, rows, lines)
        table._check(where)
        kept = table.select(lambda row: all(str(row.get(column)) == value for column, value in where.items()))
        if not kept.rows:
            conditions = ", ".join(f"{column}={value}" for column, value in where.items())
            raise InputError(f"has no rows with {conditions}", file=path)
        return kept

    def _matches(self, scored: RatedItems, on: Sequence[str]) -> Sequence[Row]:
        """The row of the scores for each of these rows: the one with the same cells, or in the same place."""
        if not on and len(self.rows) == len(scored.rows):
            return scored.rows
        if not on:
            remedy = "name the shared columns that tell items apart (on), or keep the right rows (where)"
            message = f"has {len(scored.rows)} rows but {self.path} has {len(self.rows)}; {remedy}"
            raise InputError(message, file=scored.path)
        self._check(on)
        scored._check(on)
        by_key: dict[Key, Row] = {}
        for line, row in zip(scored.lines, scored.rows, strict=True):
            if by_key.setdefault(_key(row, on), row) is not row:
                remedy = "keep one of them (where), or name another column (on)"
                message = f"has a second row for {' '.join(_key(row, on))}; {remedy}"
                raise InputError(message, file=scored.path, line=line)
        for line, row in zip(self.lines, self.rows, strict=True):
            if _key(row, on) not in by_key:
                raise InputError(f"{' '.join(_key(row, on))} has no row in {scored.path}", file=self.path, line=line)
        return [by_key[_key(row, on)] for row in self.rows]

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
        return list(map(str, self._cells(column)))

    def numbers(self, column: str) -> list[float]:
        """A column of numbers; an empty cell is NaN, and anything else an error."""
        values = []
        for line, cell in zip(self.lines, self._cells(column), strict=True):
            value = _number(cell)
            if value is None:
                raise InputError(f"{column!r} holds {cell!r}, which is not a number", file=self.path, line=line)
            values.append(value)
        return values

    def _cells(self, column: str) -> list[Any]:
        self._check([column])
        if column in self.differing:
            raise InputError(f"both files have {column!r}, with different values; rename one of them", file=self.path)
        return [row.get(column, "") for row in self.rows]

    def number_columns(self, without: Sequence[str | None]) -> list[str]:
        """The columns of scores: numbers only, in the files' order.

        Numbers and ids of items, errors, empty columns and columns of the file of ratings are not scores.
        """
        left_out = {*without, *self.rated}
        names = [name for name in self.names if name not in left_out and not NO_SCORE.fullmatch(name)]
        columns = {name: [_number(row.get(name)) for row in self.rows] for name in names}
        numeric = {name: [n for n in cells if n is not None] for name, cells in columns.items() if None not in cells}
        return [name for name, numbers in numeric.items() if not all(map(math.isnan, numbers))]

    def _check(self, columns: Iterable[str]) -> None:
        for column in columns:
            if column not in self.names:
                raise UsageError(f"has no column {column!r}; there are {', '.join(self.names)}", file=self.path)


def _identifying(shared: Sequence[str], *tables: RatedItems) -> list[str]:
    """The shared columns without fractions (measured values), if they identify the rows of all tables."""
    rows = [row for table in tables for row in table.rows]
    columns = [name for name in shared if not any((_number(row.get(name)) or 0.0) % 1 > 0 for row in rows)]
    unique = all(len({_key(row, columns) for row in table.rows}) == len(table.rows) for table in tables)
    return columns if unique else []


def _key(row: Row, columns: Sequence[str]) -> Key:
    return tuple(str(row.get(name)) for name in columns)


def _same(first: Any, second: Any) -> bool:
    number = _number(first)
    return str(first) == str(second) or (number is not None and number == _number(second))


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


RATER_COLUMNS = ("rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id")
"""If none is named, the column of raters is the first of these that the table has."""
ITEM_COLUMNS = (
    *("item", "item_id", "sent_id", "sentence_id", "original_sentence_id"),
    *("sys_name", "system", "system_name"),
)
"""If none is named, all of these that the table has together identify its items."""
CLUSTER_COLUMNS = (
    *("source", "original", "orig_sent", "complex"),
    *("source_id", "sent_id", "sentence_id", "original_sentence_id", "text_id", "item_id", "item"),
)
"""If none is named, the first of these that every row has says which rows belong to one source."""


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
        """Build from (item, rater, value) in any order; items and raters keep the order of their first ratings.

        A value of NaN is no rating.

        Raises:
            InputError: a rater rated an item twice.
        """
        known = [entry for entry in entries if not math.isnan(entry[2])]
        items = {item: row for row, item in enumerate(dict.fromkeys(item for item, _, _ in known))}
        raters = {rater: column for column, rater in enumerate(dict.fromkeys(rater for _, rater, _ in known))}
        values = np.full((len(items), len(raters)), np.nan)
        for item, rater, value in known:
            place = items[item], raters[rater]
            if not np.isnan(values[place]):
                raise InputError(
                    f"rater {rater} rated {' '.join(item)} twice; name every column that tells items apart, or keep one"
                )
            values[place] = value
        return cls(tuple(items), tuple(raters), values)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How many raters rated each item."""
        return np.asarray((~np.isnan(self.values)).sum(axis=1), dtype=np.int64)

    @property
    def repeated(self) -> NDArray[np.float64]:
        """The values of the items that two raters or more rated."""
        return self.values[self.counts >= 2]

    def select(self, keep: Callable[[Key], bool]) -> Ratings:
        """The items that ``keep`` accepts, with the raters who rated one of them."""
        kept = [keep(item) for item in self.items]
        rated = np.asarray((~np.isnan(self.values[kept])).any(axis=0))
        items, raters = tuple(compress(self.items, kept)), tuple(compress(self.raters, rated))
        return Ratings(items, raters, self.values[kept][:, rated])

    def z_scores(self) -> Ratings:
        """Every rating minus its rater's mean, divided by the rater's standard deviation (of all the rater's ratings).

        A rater who always gives the same rating gets 0 (Alva-Manchego, Scarton and Specia 2021, section 3.3).
        """
        means, spreads = np.nanmean(self.values, axis=0), np.nanstd(self.values, axis=0)
        return Ratings(self.items, self.raters, (self.values - means) / np.where(spreads > 0, spreads, 1.0))

    def means(self) -> NDArray[np.float64]:
        """The mean of each item over its raters."""
        return np.asarray(np.nanmean(self.values, axis=1))

    def group_means(self, label: Callable[[Key], str]) -> Ratings:
        """For each group of items, such as a system's, the mean of every rater's ratings."""
        groups: dict[Key, list[int]] = {}
        for row, item in enumerate(self.items):
            groups.setdefault((label(item),), []).append(row)
        columns = [self.values[rows].T.tolist() for rows in groups.values()]
        means = [[mean([n for n in rated if not math.isnan(n)]) for rated in group] for group in columns]
        return Ratings(tuple(groups), self.raters, np.array(means).reshape(len(groups), len(self.raters)))


@dataclass(frozen=True)
class RatingsTable:
    """A file of ratings, with the roles of its columns.

    Attributes:
        columns: for each aspect (a column of a long table, or the whole of a wide one) its ratings.
        fields: for every item the columns that are constant over its rows, such as its texts.
    """

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
        form: Questionnaire | None = None,
    ) -> RatingsTable:
        """Read a table of ratings; rows of quality control (a column ``control`` that is not empty) are left out.

        Args:
            path: a CSV, TSV, JSONL or Parquet file.
            by: columns of ratings; by default every other column of numbers.
            item: columns that identify items; by default those of :data:`ITEM_COLUMNS` that exist.
            rater: the column of raters; by default the first of :data:`RATER_COLUMNS`.
            raters: for a wide table, a column for each rater; ``by`` then names the aspect.
            form: the questionnaire of a long table of answers: its scores are the ratings, and ``by`` names some.

        Raises:
            InputError: a file that cannot be read, a column that is missing or holds no numbers, an item that a
                rater rated twice, or an answer that its questionnaire does not offer.
        """
        if form and raters:
            raise UsageError("a questionnaire has answers to several questions: give a row for each rater", file=path)
        table = RatedItems.read(path).select(lambda row: not row.get("control"))
        items = item or [name for name in ITEM_COLUMNS if name in table.names]
        if not items and not raters:
            raise UsageError(
                "does not say which columns tell items apart",
                file=path,
                remedy=("name them with ", Keyword("item", "COLUMNS")),
            )
        texts = [table.texts(name) for name in items] or [list(map(str, range(len(table.rows))))]
        keys: list[Key] = list(zip(*texts, strict=True))
        if raters:
            wide = {name: table.numbers(name) for name in raters}
            entries = [(key, name, wide[name][place]) for place, key in enumerate(keys) for name in wide]
            aspects = {by[0] if by else "rating": entries}
        else:
            aspects = _long_entries(table, keys, by, items, rater, form)
        try:
            columns = {name: Ratings.from_entries(entries) for name, entries in aspects.items()}
        except InputError as error:
            raise InputError(error.message, file=path) from error
        answered = [question.name for question in form.questions] if form else []
        return cls(columns, _fields(keys, table.rows, without={*columns, *raters, *answered}))


def _long_entries(
    table: RatedItems,
    keys: Sequence[Key],
    by: Sequence[str],
    items: Sequence[str],
    rater: str | None,
    form: Questionnaire | None,
) -> dict[str, list[tuple[Key, str, float]]]:
    """Each aspect's ratings of a table that has a row for each rating."""
    column = rater or next((name for name in RATER_COLUMNS if name in table.names), None)
    if column is None:
        raise UsageError(
            "does not say which column holds the raters",
            file=table.path,
            remedy=("name it with ", Keyword("rater", "COLUMN")),
        )
    people = table.texts(column)
    if form:
        scores = _scores(table, form)
        if unknown := [name for name in by if name not in scores]:
            message = f"has no score {unknown[0]!r}; its questionnaire gives {', '.join(scores)}"
            raise UsageError(message, file=table.path)
        return {name: list(zip(keys, people, scores[name], strict=True)) for name in by or scores}
    aspects = by or table.number_columns(without=[*items, column])
    if not aspects:
        raise UsageError(
            "has no column of numbers left for ratings",
            file=table.path,
            remedy=("name one with ", Keyword("by", "COLUMN")),
        )
    return {name: list(zip(keys, people, table.numbers(name), strict=True)) for name in aspects}


def _scores(table: RatedItems, form: Questionnaire) -> dict[str, list[float]]:
    """The scores of every row of a table of answers."""
    answers = {question.name: table.numbers(question.name) for question in form.scored}
    for question in form.scored:
        for line, answer in zip(table.lines, answers[question.name], strict=True):
            if answer < question.low or answer > question.high:
                message = f"{question.name!r} holds {answer:g}, but the answers are {question.low} to {question.high}"
                raise InputError(message, file=table.path, line=line)
    rows = [form.scores_of(dict(zip(answers, row, strict=True))) for row in zip(*answers.values(), strict=True)]
    return {name: [row[name] for row in rows] for name in form.scores}


def _fields(keys: Sequence[Key], rows: Sequence[Row], without: set[str]) -> dict[Key, dict[str, Any]]:
    fields: dict[Key, dict[str, Any]] = {}
    for key, row in zip(keys, rows, strict=True):
        first = fields.setdefault(key, dict(row))
        without |= {name for name in first if row.get(name) != first[name]}
    return {key: {name: cell for name, cell in row.items() if name not in without} for key, row in fields.items()}
