"""The pieces of some languages with their embeddings, in one shipped file, so that these need no extra.

They are those of multilingual-e5-small (Wang et al. 2024, arXiv:2402.05672; MIT); the ids are places in the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sema.runtime.embeddings import Table
from sema_reader.pieces import Cutter

FILE = "pieces.npz"
SPECIAL = 4
"""Special pieces at the beginning, which stand for no text."""


def write_pieces(file: Path, pieces: Sequence[str], scores: NDArray[np.float32], rows: NDArray[np.uint8]) -> None:
    """Write pieces, their log-probabilities, and their embeddings in 4-bit blocks (pieces, bytes)."""
    np.savez_compressed(file, pieces=np.frombuffer("\n".join(pieces).encode(), np.uint8), scores=scores, rows=rows)


@lru_cache(2)
def read_pieces(file: Path) -> tuple[Cutter, Table]:
    """The pieces of a file, and their embeddings."""
    with np.load(file) as given:
        pieces = given["pieces"].tobytes().decode().split("\n")
        return Cutter(pieces, given["scores"].tolist()), Table(given["rows"])
