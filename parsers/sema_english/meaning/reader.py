"""The English cross-encoder: its own network, and texts that state the same in different notation."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from sema_reader.pieces import WordPieces
from sema_reader.reader import NetworkReader
from sema_reader.table import Table
from sema_ucca.network import WEIGHTS as ENCODER

from sema_english.meaning.notation import matches

WEIGHTS = Path(__file__).parents[1] / "weights" / "cross_encoder"
WORDS, WIDTH = "words.npy", 384
"""The embeddings of pieces, and how many numbers each has."""


class EnglishReader(NetworkReader):
    """Reads what both texts state in different notation in the source's."""

    def __init__(self, folder: Path = WEIGHTS, *, threads: int | None = None) -> None:
        """``threads``: batches computed beside each other; none: one for each core."""
        super().__init__(
            folder,
            "pairs-4",
            partial(WordPieces, ENCODER / "tokenizer.json"),
            table=lambda: Table(np.load(folder / WORDS, mmap_mode="r"), WIDTH),
            notation=matches,
            threads=threads,
        )
