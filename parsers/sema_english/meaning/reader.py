"""The English pair reader: its own network, and texts that state the same in different notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
from sema_reader.pieces import WordPieces
from sema_reader.reader import NetworkReader
from sema_reader.table import Table
from sema_ucca.network import WEIGHTS as ENCODER

from sema.model.reading import PairReading
from sema.model.text import Text
from sema_english.meaning.notation import normalised

WEIGHTS = Path(__file__).parent / "weights"
WORDS, WIDTH = "words.npy", 384
"""The embeddings of pieces, and how many numbers each has."""


class EnglishReader(NetworkReader):
    """What both texts state in different notation it reads in the source's."""

    def __init__(self, folder: Path = WEIGHTS, *, threads: int | None = None) -> None:
        """``threads``: batches computed beside each other; none: one for each core."""
        super().__init__(
            folder,
            "pairs-3",
            partial(WordPieces, ENCODER / "tokenizer.json"),
            table=lambda: Table(np.load(folder / WORDS, mmap_mode="r"), WIDTH),
            threads=threads,
        )

    def read(self, pairs: Sequence[tuple[Text, Text]]) -> list[PairReading]:
        """The readings of sources and outputs, neither of them empty."""
        rewritten = [normalised(source, output) for source, output in pairs]
        texts = [(source, new.text if new else output) for (source, output), new in zip(pairs, rewritten, strict=True)]
        return [
            replace(reading, supported=new.spread(reading.supported)) if new else reading
            for reading, new in zip(super().read(texts), rewritten, strict=True)
        ]
