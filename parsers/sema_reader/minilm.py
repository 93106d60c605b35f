"""MiniLM's word pieces and their embeddings, as the UCCA parser reads them.

They are those of all-MiniLM-L6-v2, with which the parser's training began and which it left unchanged (card:
``weights/minilm``).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from sema.runtime.checksums import checked
from sema.runtime.embeddings import Table

WEIGHTS = Path(__file__).parent / "weights" / "minilm"
TOKENIZER = WEIGHTS / "tokenizer.json"
WORDS, FINER = "words.npy", "words.finer.npy"
"""The embeddings in 4-bit blocks, and two more bits for those of the commonest pieces."""


@lru_cache(1)
def digest() -> str:
    """The files' digest for signatures; they are checked once.

    Raises:
        ResourceError: a file is missing or damaged.
    """
    return checked(WEIGHTS, "word pieces")


def words(*, finer: bool = False) -> Table:
    """The embeddings of the pieces; with ``finer``, those of the commonest are more exact."""
    return Table(np.load(WEIGHTS / WORDS, mmap_mode="r"), np.load(WEIGHTS / FINER, mmap_mode="r") if finer else None)
