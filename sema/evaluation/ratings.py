"""People's ratings, rater by rater: read from a table, standardised, averaged.

A table has a row for every rating (long: columns for item, rater and value) or a row for every item (wide: a column for
each rater).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.errors import InputError, UsageError
from sema.evaluation.rated_items import RatedItems, Row

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
    """What raters said about items.

    Attributes:
        items: what tells each item apart, such as the sentence's number and the system.
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
        """Every rating less its rater's mean, over the rater's standard deviation (of all the rater's ratings).

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
    """A file of ratings: which columns hold what.

    Attributes:
        items: the columns that tell items apart.
        columns: for each aspect (a column of a long table, or the whole of a wide one) its ratings.
        fields: for every item the columns that say the same in all its rows, such as its texts.
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
            item: columns that tell items apart; by default those of :data:`ITEM_COLUMNS` that there are.
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
