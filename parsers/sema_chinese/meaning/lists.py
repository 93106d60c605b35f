"""The word lists of the detectors (``lists.json``), and the lists of lines beside it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from sema.errors import ResourceError

_FOLDER = Path(__file__).parent


def read_lines(name: str) -> list[str]:
    """The lines of a list.

    Raises:
        ResourceError: the file is missing.
    """
    try:
        return (_FOLDER / name).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ResourceError(f"no word list at {_FOLDER / name} ({error}): reinstall the package") from error


@cache
def _lists() -> dict[str, list[str]]:
    found: dict[str, list[str]] = json.loads("\n".join(read_lines("lists.json")))
    return found


def ordered_list(name: str) -> list[str]:
    """The entries of a list in order, by its name in ``lists.json``."""
    return _lists()[name]


def word_list(name: str) -> frozenset[str]:
    """The words of a closed class, by its name in ``lists.json``."""
    return frozenset(ordered_list(name))
