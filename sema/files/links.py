"""Files of word links, an item a line: JSON as ``sema align`` prints it, or Pharaoh's ``0-0 1-2``."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from sema.errors import InputError
from sema.files.blocks import Mapped
from sema.files.tables import NumberedRow, Table, text_lines
from sema.model.links import Alignment, GivenLinks, Link, LinkKind

_PAIR = re.compile("([0-9]{1,9})-([0-9]{1,9})")
SHOWN = 40  # characters of an invalid link that its error shows


def open_links(path: str) -> Sequence[GivenLinks | InputError]:
    """Each line's links, in blocks; an invalid line is replaced by its error.

    A blank line has no links, but where a line is a JSON object, all are.
    """
    rows = Table(text_lines(path))
    objects = any(isinstance(text, str) and text.lstrip().startswith("{") for _, text in rows)
    return Mapped(partial(_read, path, objects), rows)


def _read(path: str, objects: bool, numbered: NumberedRow) -> GivenLinks | InputError:
    line, text = numbered
    if isinstance(text, InputError):
        return text
    try:
        links = _alignment(text) if objects else _pairs(text)
    except InputError as error:
        return InputError(error.message, file=path, line=line)
    return GivenLinks(links, path, line)


def _pairs(text: str) -> tuple[tuple[int, int], ...]:
    pairs = []
    for part in text.split():
        match = _PAIR.fullmatch(part)
        if match is None:
            raise InputError(f"{part[:SHOWN]!r} is not a link; write source-output token numbers from 0, as in 0-0 1-2")
        pairs.append((int(match[1]), int(match[2])))
    return tuple(pairs)


def _alignment(text: str) -> Alignment:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        row = None
    if not isinstance(row, dict):
        raise InputError("is no JSON object; write a line as `sema align` prints it")
    if "error" in row and "sentences" not in row:
        raise InputError(f"has no links ({row['error']}); align the item again, or take it out of every file")
    try:
        return Alignment(
            _words(row["source"]),
            tuple(_words(sentence["tokens"]) for sentence in row["sentences"]),
            tuple(tuple(map(_link, sentence["links"])) for sentence in row["sentences"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"is not as `sema align` prints it ({type(error).__name__}: {error}); give source, and sentences with "
            "tokens and links [source, output, kind]"
        ) from error


def _words(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError("tokens are a list of strings")
    return tuple(values)


def _link(values: Any) -> Link:
    i, j, kind = values
    if not all(type(index) is int and abs(index) < 10**9 for index in (i, j)):
        raise TypeError("a link begins with two token numbers")
    return Link(i, j, LinkKind(kind))
