"""Tables with ids: rows of several files are joined by their ids, whatever their order.

Two ids are equal if :func:`spelled` makes them so: ``A1`` and ``a1``, or 1, ``1`` and ``1.0`` (as pandas writes whole
numbers above an empty cell). If two tables share several columns of ids, the first of :data:`IDS` counts; if they share
none, the first of each table.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from sema.errors import InputError, SemaWarning
from sema.files.blocks import Mapped
from sema.files.formats import is_table
from sema.files.texts import IDS, Column, same_length, usual_heading

SHOWN = 3  # ids that a message lists


def spelled(value: object) -> str:
    """An id as it is compared: text without outer space, capitals and the ``.0`` of a whole number."""
    return re.sub(r"^([+-]?\d+)\.0+$", r"\1", str(value).strip().casefold())


def ids_of(column: Column) -> Sequence[str | None] | None:
    """The ids of a column's file as texts; ``None`` if it has none."""
    found = next(iter(_known(column).values()), None)
    return None if found is None else Mapped(id_text, found[1])


def id_text(value: object) -> str | None:
    """An id as a text that can be written: what is not UTF-8 is escaped."""
    return None if _is_empty(value) else str(value).encode("utf-8", "backslashreplace").decode()


def in_order_of(first: Column, columns: Sequence[Column], *, complete: bool = False) -> list[Column]:
    """The columns with their rows in the order of ``first``, by the ids of both files.

    A file without ids keeps its order, with a :class:`SemaWarning` if it is a table, and so do all files if ``first``
    has none. A row whose id ``first`` lacks is left out with a warning; with ``complete`` it is an error.

    Raises:
        InputError: a file lacks an id of ``first``, repeats one, or has a row without one; or it has no ids, and more
            or fewer items.
    """
    ordered = [_ordered(first, column, complete) for column in columns]
    same_length([first, *ordered])
    return ordered


def _known(column: Column) -> dict[str, tuple[str, Sequence[Any]]]:
    """The columns of ids that are not empty, in the order of :data:`IDS`: heading and ids by usual name."""
    named = {usual_heading(heading): heading for heading in reversed(list(column.ids))}
    return {
        name: (named[name], column.ids[named[name]])
        for name in IDS
        if name in named and not all(map(_is_empty, column.ids[named[name]]))
    }


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _ordered(first: Column, column: Column, complete: bool) -> Column:
    wanted, own = _known(first), _known(column)
    if wanted and not own and is_table(column.path):
        what = f"has no ids, but {first.path} has: its rows are taken in their order"
        remedy = f"name its column of ids {next(iter(wanted.values()))[0]!r} if it has one"
        warnings.warn(f"{column.path}: {what}; {remedy}", SemaWarning, stacklevel=4)
    if not (wanted and own):
        return column
    shared = next((name for name in wanted if name in own), None)
    (heading, keys), (title, given) = (
        known[shared] if shared else next(iter(known.values())) for known in (wanted, own)
    )
    if len(keys) == len(given) and all(map(_alike, keys, given)):  # the usual case, found without copying all ids
        return column
    place, wanted_places = _places(title, given, column), _places(heading, keys, first)
    missing = next((key for key in wanted_places if key not in place), None)
    if missing is not None:
        what = f"has no row with the {title} {missing!r}, which {first.path} has"
        if place.keys().isdisjoint(wanted_places):
            what = f"has no {title} of {first.path}: {_some(place)} here, {_some(wanted_places)} there"
        raise InputError(f"{what}; give every item one, or take the columns of ids out", file=column.path)
    extra = [key for key in place if key not in wanted_places]
    if extra:
        what = f"has the {title} {_some(extra)}, which {first.path} lacks"
        if complete:
            raise InputError(f"{what}; take such rows out", file=column.path, line=column.lines[place[extra[0]]])
        warnings.warn(f"{column.path}: {what}; these rows are left out", SemaWarning, stacklevel=4)
    whole = column.read()
    order = [place[key] for key in wanted_places]
    return replace(
        whole,
        values=[whole.values[at] for at in order],
        lines=[whole.lines[at] for at in order],
        ids={name: [values[at] for at in order] for name, values in whole.ids.items()},
    )


def _alike(one: object, other: object) -> bool:
    """Whether ids are equal; a row that could not be read has an error and no id, and fits any."""
    return one == other or _is_empty(one) or _is_empty(other) or spelled(one) == spelled(other)


def _places(heading: str, keys: Sequence[Any], column: Column) -> dict[str, int]:
    places: dict[str, int] = {}
    for at, value in enumerate(keys):
        broken = column.values[at] if _is_empty(value) else None
        if isinstance(broken, InputError):
            raise broken
        if _is_empty(value):
            raise InputError(f"has no {heading}; give every row one", file=column.path, line=column.lines[at])
        key = spelled(value)
        if key in places:
            message = f"has the {heading} {key!r} a second time; give every row its own"
            raise InputError(message, file=column.path, line=column.lines[at])
        places[key] = at
    return places


def _some(keys: Collection[str]) -> str:
    shown = ", ".join(repr(key) for key in list(keys)[:SHOWN])
    return f"{shown} and {len(keys) - SHOWN} more" if len(keys) > SHOWN else shown
