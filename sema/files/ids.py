"""Tables whose rows name their items: rows of several files are put together by these names, whatever their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sema.errors import InputError
from sema.files.formats import is_table, open_table
from sema.files.texts import Column

IDS = ("id", "item", "item_id", "text_id", "sent_id")
"""The columns that may name items; of those that two tables share the first one counts."""


def in_order_of(first: Column, columns: Sequence[Column]) -> list[Column]:
    """The columns with their rows in the order of ``first``, by a column of ids that both files have.

    A file keeps its order if it is no table, shares no column of ids with the first one, repeats an id, or has none of
    its ids.

    Raises:
        InputError: a file has some of the ids of the first one, but not all.
    """
    if all(column.path == first.path for column in columns):
        return list(columns)
    wanted = _ids(first.path)
    return [column if column.path == first.path else _ordered(first.path, wanted, column) for column in columns]


def _ids(path: str) -> dict[str, list[str]]:
    """The columns of ids of a table, each as its values; none of another file."""
    if not is_table(path):
        return {}
    rows = open_table(path)
    columns = {
        name: [row.get(name) if isinstance(row, dict) else None for _, row in rows]
        for name in IDS
        if name in rows.names
    }
    return {name: list(map(str, values)) for name, values in columns.items() if None not in values}


def _ordered(first: str, wanted: Mapping[str, list[str]], column: Column) -> Column:
    """The column in the order of the ids ``wanted``, which are those of the file ``first``."""
    own = _ids(column.path) if wanted else {}
    name = next((name for name in wanted if name in own), None)
    if name is None or wanted[name] == own[name]:
        return column
    place = {value: at for at, value in enumerate(own[name])}
    if (
        len(place) < len(own[name])
        or len(set(wanted[name])) < len(wanted[name])
        or place.keys().isdisjoint(wanted[name])
    ):
        return column
    missing = next((value for value in wanted[name] if value not in place), None)
    if missing is not None:
        raise InputError(f"has no row with the {name} {missing!r} of {first}; give every item one", file=column.path)
    whole = column.read()
    order = [place[value] for value in wanted[name]]
    return replace(whole, values=[whole.values[at] for at in order], lines=[whole.lines[at] for at in order])
