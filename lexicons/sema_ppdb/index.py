"""The paraphrase table on disk: sorted words and pairs of word numbers in an ``.npz`` file (no pickle)."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

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


def load_pairs(path: Path) -> dict[str, tuple[str, ...]]:
    """Each word's partners."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            words = stored["words"].tobytes().decode("utf-8").split("\n")
            firsts, seconds = stored["pairs"].tolist()
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        message = f"{path}: not a readable paraphrase table; rebuild it with python -m sema_ppdb.build"
        raise ResourceError(message) from error
    partners: dict[str, list[str]] = {}
    for first, second in zip(firsts, seconds, strict=True):
        partners.setdefault(words[first], []).append(words[second])
        partners.setdefault(words[second], []).append(words[first])
    return {word: tuple(found) for word, found in partners.items()}
