"""The paraphrase table on disk: sorted words and pairs of word numbers in an ``.npz`` file (no pickle)."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sema.errors import ResourceError


def save_pairs(path: Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Write unordered pairs of words; the bytes depend only on the pairs."""
    unique = sorted({(min(pair), max(pair)) for pair in pairs})
    words = sorted({word for pair in unique for word in pair})
    numbers = {word: number for number, word in enumerate(words)}
    arrays = {
        "words": np.frombuffer("\n".join(words).encode("utf-8"), dtype=np.uint8),
        "pairs": np.array([[numbers[first], numbers[second]] for first, second in unique], dtype=np.uint32).T,
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as stream:
                np.lib.format.write_array(stream, np.asarray(array, order="C"), allow_pickle=False)


class Partners(Mapping[str, tuple[str, ...]]):
    """Each word's partners, in alphabetical order, looked up in two arrays: a dictionary of them takes a tenth of a
    second and 15 MB."""

    def __init__(self, words: Sequence[str], pairs: NDArray[np.uint32]) -> None:
        """``pairs`` (2, pairs): numbers of ``words``; words, numbers and pairs are sorted."""
        self._words = words
        self._numbers = {word: number for number, word in enumerate(words)}
        of, other = np.concatenate([pairs[::-1], pairs], 1)  # of each word the earlier partners, then the later ones
        self._others = other[np.argsort(of, kind="stable")]
        self._ends = np.cumsum(np.bincount(of, minlength=len(words)))

    def __getitem__(self, word: str) -> tuple[str, ...]:
        number = self._numbers[word]
        start = self._ends[number - 1] if number else 0
        return tuple(self._words[other] for other in self._others[start : self._ends[number]].tolist())

    def __iter__(self) -> Iterator[str]:
        return iter(self._words)

    def __len__(self) -> int:
        return len(self._words)


def load_pairs(path: Path) -> Partners:
    """Each word's partners."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            return Partners(stored["words"].tobytes().decode("utf-8").split("\n"), stored["pairs"])
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        message = f"{path}: not a readable paraphrase table; rebuild it with python -m sema_ppdb.build"
        raise ResourceError(message) from error
