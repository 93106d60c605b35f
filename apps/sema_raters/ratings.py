"""Ratings by rater: read from a table, standardised, averaged.

A table has a row for every rating (long: columns for item, rater and value) or a row for every item (wide: a column for
each rater).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import compress
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.errors import InputError, Keyword, UsageError
from sema.evaluation.ratings import Key, RatedItems
from sema_raters.questionnaires import Questionnaire

RATER_COLUMNS = ("rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id")
"""If none is named, the column of raters is the first of these that the table has."""
ITEM_COLUMNS = (
    *("item", "item_id", "sent_id", "sentence_id", "original_sentence_id"),
    *("sys_name", "system", "system_name"),
)
"""If none is named, all of these that the table has together identify its items."""


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
            InputError: a rater rated an item twice; ``item`` is the number of the second entry.
        """
        known = {number: entry for number, entry in enumerate(entries) if not math.isnan(entry[2])}
        items = {item: row for row, item in enumerate(dict.fromkeys(item for item, _, _ in known.values()))}
        raters = {rater: column for column, rater in enumerate(dict.fromkeys(rater for _, rater, _ in known.values()))}
        values = np.full((len(items), len(raters)), np.nan)
        for number, (item, rater, value) in known.items():
            place = items[item], raters[rater]
            if not np.isnan(values[place]):
                message = (
                    f"rater {rater} rated {' '.join(item)} twice; name every column that tells items apart, or keep one"
                )
                raise InputError(message, item=number)
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
        columns = [self.values[rows].T for rows in groups.values()]
        known = [[column[~np.isnan(column)].tolist() for column in own] for own in columns]
        means = [[fmean(values) if values else np.nan for values in own] for own in known]
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
        cls, path: str, by: Sequence[str] = (), *, item: Sequence[str] = (), rater: str | None = None,
        raters: Sequence[str] = (), form: Questionnaire | None = None,
    ) -> RatingsTable:  # fmt: skip
        """Read a table of ratings; rows of quality control (a column ``control`` that is not empty) are left out.

        Args:
            path: a CSV, TSV, JSONL or Parquet file.
            by: columns of ratings (default: every other column of numbers), or some of the ``form``'s scores.
            item: columns that identify items (default: :data:`ITEM_COLUMNS`).
            rater: the column of raters (default: the first of :data:`RATER_COLUMNS`).
            raters: for a wide table, a column for each rater; ``by`` then names the aspect.
            form: the questionnaire of a long table of answers; its scores are the ratings.

        Raises:
            InputError: a column is missing or not of numbers, an item is rated twice, or no question has an answer.
        """
        if form and raters:
            raise UsageError("a questionnaire has answers to several questions: give a row for each rater", file=path)
        table = RatedItems.read(path).select(lambda row: not row.get("control"))
        items = item or [name for name in ITEM_COLUMNS if name in table.names]
        if not items and not raters:
            remedy = "name them with ", Keyword("item", "COLUMNS")
            raise UsageError("does not say which columns tell items apart", file=path, remedy=remedy)
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
            line = table.lines[(error.item or 0) // (len(raters) or 1)]  # a wide row has an entry for each rater
            raise InputError(error.message, file=path, line=line) from error
        changing = {*columns, *raters, *(question.name for question in (form.questions if form else ()))}
        fields: dict[Key, dict[str, Any]] = {}
        for key, row in zip(keys, table.rows, strict=True):
            first = fields.setdefault(key, dict(row))
            changing |= {name for name in first if row.get(name) != first[name]}
        constant = {
            key: {name: cell for name, cell in row.items() if name not in changing} for key, row in fields.items()
        }
        return cls(columns, constant)


def _long_entries(
    table: RatedItems, keys: Sequence[Key], by: Sequence[str], items: Sequence[str], rater: str | None,
    form: Questionnaire | None,
) -> dict[str, list[tuple[Key, str, float]]]:  # fmt: skip
    """Each aspect's ratings of a table that has a row for each rating."""
    column = rater or next((name for name in RATER_COLUMNS if name in table.names), None)
    if column is None:
        remedy = "name it with ", Keyword("rater", "COLUMN")
        raise UsageError("does not say which column holds the raters", file=table.path, remedy=remedy)
    people = table.texts(column)
    if form:
        scores = _scores(table, form)
        if unknown := [name for name in by if name not in scores]:
            message = f"has no score {unknown[0]!r}; its questionnaire gives {', '.join(scores)}"
            raise UsageError(message, file=table.path)
        return {name: list(zip(keys, people, scores[name], strict=True)) for name in by or scores}
    aspects = by or table.number_columns(without=[*items, column])
    if not aspects:
        remedy = "name one with ", Keyword("by", "COLUMN")
        raise UsageError("has no column of numbers left for ratings", file=table.path, remedy=remedy)
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
