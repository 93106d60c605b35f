"""Unordered pairs of words in an ``.npz`` file (no pickle), and each word's partners."""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from sema.errors import ResourceError

_BROKEN = (OSError, EOFError, ValueError, LookupError, NotImplementedError, BadZipFile, zlib.error)
"""What NumPy raises for a damaged file."""


def save_pairs(path: Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Write pairs of words, sorted, so that the bytes depend only on them; partners are stored as differences."""
    unique = sorted({(min(pair), max(pair)) for pair in pairs})
    words = sorted({word for pair in unique for word in pair})
    numbers = {word: number for number, word in enumerate(words)}
    first, second = (np.array([numbers[pair[side]] for pair in unique], np.int64) for side in (0, 1))
    before = np.where(np.diff(first, prepend=-1) > 0, first, np.roll(second, 1))
    size = np.min_scalar_type(len(words))
    np.savez_compressed(
        path,
        words=np.frombuffer("\n".join(words).encode(), np.uint8),
        counts=np.bincount(first, minlength=len(words)).astype(size),
        steps=(second - before).astype(size),
    )


class Partners(Mapping[str, tuple[str, ...]]):
    """Each word's partners, in alphabetical order, looked up in arrays: a dictionary of a million pairs is slow."""

    def __init__(self, words: Sequence[str], first: NDArray[Any], second: NDArray[Any]) -> None:
        """``first`` and ``second`` of each pair: numbers of ``words``; words and pairs are sorted."""
        self._words = words
        earlier = first[np.argsort(second, kind="stable")]
        ends = (np.cumsum(np.bincount(side, minlength=len(words))) for side in (second, first))
        self._sides = tuple(zip(ends, (earlier, second), strict=True))

    def __getitem__(self, word: str) -> tuple[str, ...]:
        number = bisect_left(self._words, word)
        if number == len(self._words) or self._words[number] != word:
            raise KeyError(word)
        places = ((others, ends[number - 1] if number else 0, ends[number]) for ends, others in self._sides)
        return tuple(self._words[other] for others, start, end in places for other in others[start:end].tolist())

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)


def load_pairs(path: Path) -> Partners:
    """Each word's partners; a ``ResourceError`` if the file is missing or damaged."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            words = stored["words"].tobytes().decode().split("\n")
            counts, steps = stored["counts"], stored["steps"]
        first = np.repeat(np.arange(len(words), dtype=steps.dtype), counts)
        second = np.cumsum(steps, dtype=steps.dtype)  # may wrap around: only differences count
        before = np.zeros(len(words), steps.dtype)  # where the steps of each word begin
        before[1:] = np.append(second, 0)[np.cumsum(counts, dtype=np.int64)[:-1] - 1]
    except _BROKEN as error:
        raise ResourceError(f"the word table {path} is damaged ({error}): reinstall the package") from error
    return Partners(words, first, second + first - np.repeat(before, counts))
