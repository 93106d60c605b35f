"""The shipped tree networks: their inventories, their pieces, and their files, checked.

Chinese (and English) need no extra: their pieces ship (:mod:`sema_reader.pieces_file`). Those of all other languages
are in the package of the extra ``languages`` (:mod:`sema_reader.languages`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sema_reader.e5 import e5_file
from sema_reader.languages import pieces_and_table
from sema_reader.pieces import Cutter
from sema_reader.pieces_file import FILE, read_pieces
from sema_reader.reader import WEIGHTS as PIECES

from sema.runtime.batching import padded
from sema.runtime.checksums import checked, digest_of
from sema.runtime.embeddings import Table
from sema_ud.atoms import PieceCutter

WEIGHTS = Path(__file__).parent / "weights"
PARSER, LABELS, CUTTER, NAMES = "parser.int8.onnx", "labels.int8.onnx", "cutter.int8.onnx", "trees.json"
FIGURES = WEIGHTS / "figures.json"
"""What ``python -m benchmarks.parsing --to`` measured in each language, in percent."""
EDGES = ("dependent", "governor", "down", "up")
"""The parser graph's outputs for words as dependents and as heads, from which the label graph scores relations."""
LONGEST = 320
"""Most pieces that are read in one pass, the special ones at both ends included."""
SHIPPED = frozenset({"zh", "en"})
"""Languages whose pieces ship."""


@dataclass(frozen=True)
class Names:
    """The treebanks, tags and relations that the networks know, in index order, and each language's treebank."""

    treebanks: Sequence[str]
    tags: Sequence[str]
    relations: Sequence[str]
    languages: Mapping[str, str]

    def treebank(self, code: str) -> int:
        """The number of a language's treebank; 0, which stands for any, if it has none."""
        return self.treebanks.index(self.languages.get(code, ""))


@lru_cache(1)
def names(folder: Path = WEIGHTS) -> Names:
    """The names of a folder of networks."""
    return Names(**json.loads((folder / NAMES).read_text(encoding="utf-8")))


@lru_cache(1)
def figures() -> Mapping[str, Mapping[str, float]]:
    """The measured figures of each language that has some, by code and name, in percent."""
    found: dict[str, dict[str, float]] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return found


def pieces_of(code: str) -> tuple[Cutter, Table]:
    """The pieces for a language, and their embeddings.

    Raises:
        ResourceError: they are in a package that is not installed.
    """
    return read_pieces(PIECES / FILE) if code in SHIPPED else pieces_and_table()


class PieceInput:
    """A language's pieces, and the networks' input from them."""

    def __init__(self, code: str, folder: Path) -> None:
        cutter, self._table = pieces_of(code)
        self._begin, self._end = cutter.begin, cutter.end
        self.cutter = PieceCutter(cutter)
        self._treebank = names(folder).treebank(code)

    def __call__(self, texts: Sequence[Sequence[int]]) -> dict[str, NDArray[Any]]:
        """Embeddings and mask of the pieces (texts, longest) with the special ones at both ends, and the treebank."""
        shape = len(texts), padded(max(map(len, texts)) + 2)
        ids, mask = np.ones(shape, np.int64), np.zeros(shape, np.float32)
        for row, pieces in enumerate(texts):
            ids[row, : len(pieces) + 2], mask[row, : len(pieces) + 2] = [self._begin, *pieces, self._end], 1
        return {"pieces": self._table[ids], "treebanks": np.full(len(texts), self._treebank, np.int64), "mask": mask}


def signature(code: str, *files: str, folder: Path = WEIGHTS) -> str:
    """The digests of the networks and pieces; fails early if something is missing.

    Raises:
        ResourceError: a package is not installed, or a file is damaged.
    """
    own = checked(folder, "networks of trees", [*files, NAMES])
    pieces = checked(PIECES, "pieces", [FILE]) if code in SHIPPED else digest_of(e5_file())
    return f"ud-12+{own}+{pieces}"
