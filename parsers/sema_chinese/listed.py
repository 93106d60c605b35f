"""The word lists of Chinese (``tables/``): JSON tables by kind of fact, and lists of lines."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from sema.errors import ResourceError

FOLDER = Path(__file__).parent / "tables"


def _read(name: str) -> str:
    try:
        return (FOLDER / name).read_text(encoding="utf-8")
    except OSError as error:
        raise ResourceError(f"no word list at {FOLDER / name} ({error}): reinstall the package") from error


def read_lines(name: str) -> list[str]:
    """The lines of a list.

    Raises:
        ResourceError: the file is missing.
    """
    return _read(name).splitlines()


@cache
def table(name: str) -> Any:
    """A table by the name of its file.

    Raises:
        ResourceError: the file is missing or damaged.
    """
    try:
        return json.loads(_read(f"{name}.json"))
    except ValueError as error:
        raise ResourceError(f"{FOLDER / name}.json is damaged ({error}): reinstall the package") from error


@cache
def word_list(name: str, part: str) -> frozenset[str]:
    """The words of a closed class: a part of a table."""
    return frozenset(table(name)[part])
