"""Word tables as data files: a language's folder of JSON tables and word lists, each read once."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sema.errors import ResourceError


class Tables:
    """The tables of one folder, by the names of their files.

    ``table(name)`` is the content of ``name.json``; ``words(name, part)`` is a part of it as a set: a list of words, or
    words in one string. All raise :class:`~sema.errors.ResourceError` for a missing or damaged file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.table = cache(self._table)
        self.words = cache(self._words)

    def lines(self, name: str) -> list[str]:
        """The lines of a text file."""
        try:
            return (self.folder / name).read_text(encoding="utf-8").splitlines()
        except OSError as error:
            raise ResourceError(f"no word table at {self.folder / name} ({error}): reinstall the package") from error

    def _table(self, name: str) -> Any:
        try:
            return json.loads("\n".join(self.lines(f"{name}.json")))
        except ValueError as error:
            file = self.folder / f"{name}.json"
            raise ResourceError(f"the word table {file} is damaged ({error}): reinstall the package") from error

    def _words(self, name: str, part: str) -> frozenset[str]:
        listed = self.table(name)[part]
        return frozenset(listed.split() if isinstance(listed, str) else listed)


def partners(pairs: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """For each word of listed pairs the words that it is paired with."""
    by_word: defaultdict[str, set[str]] = defaultdict(set)
    for first, second in map(str.split, pairs):
        by_word[first].add(second)
        by_word[second].add(first)
    return {word: frozenset(others) for word, others in by_word.items()}
