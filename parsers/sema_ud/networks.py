"""The networks of trees: their files, checked, the names that they know, and their input from pieces.

Chinese and English need no extra: their pieces ship. Those of all other languages are in the package of the extra
``languages`` (:mod:`sema_reader.languages`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sema_reader.languages import vocabulary
from sema_reader.pieces import Cutter
from sema_reader.reader import SLOW

from sema.runtime.batching import padded
from sema.runtime.checksums import checked
from sema.runtime.embeddings import Table
from sema.runtime.onnx import Session, session
from sema_ud.atoms import PieceCutter

WEIGHTS = Path(__file__).parent / "weights"
PARSER, LABELS, CUTTER, NAMES = "parser.int8.onnx", "labels.int8.onnx", "cutter.int8.onnx", "trees.json"
FIGURES = WEIGHTS / "figures.json"
"""What ``python -m benchmarks.parsing --to`` measured in each language, in percent."""
EDGES = ("dependent", "governor", "down", "up")
"""The parser graph's outputs for words as dependents and as heads, from which the label graph scores relations."""
LONGEST = 320
"""Most pieces that are read in one pass, the special ones at both ends included."""


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


class Networks:
    """Some networks of a folder for one language; networks and pieces are loaded when they are first needed.

    Attributes:
        names: what the networks know.
        signature: the digests of the networks and pieces, and the language's treebank.
    """

    def __init__(self, code: str, folder: Path | None, *files: str) -> None:
        """Check the files of a folder (``None``: those that ship).

        Raises:
            ResourceError: a file is damaged, or the pieces of the language are in a package that is not installed.
        """
        folder = folder or WEIGHTS
        self._files, self._vocabulary = tuple(folder / file for file in files), vocabulary(code)
        self.names = names(folder)
        self._treebank = self.names.treebank(code)
        own = checked(folder, "networks of trees", [*files, NAMES])
        self.signature = f"ud-12+{own}+{self._vocabulary.digest}:{self.names.languages.get(code, 'any')}"

    @property
    def cutter(self) -> PieceCutter:
        """Cuts into the language's pieces."""
        return _loaded(self._vocabulary.read, *self._files)[0]

    def run(self, file: str, inputs: Mapping[str, NDArray[Any]]) -> Any:
        """All outputs of a network."""
        return _loaded(self._vocabulary.read, *self._files)[1][file].run(None, inputs)

    def inputs(self, texts: Sequence[Sequence[int]]) -> dict[str, NDArray[Any]]:
        """Embeddings and mask of the pieces (texts, longest) with the special ones at both ends, and the treebank."""
        cutter, table = self._vocabulary.read()
        shape = len(texts), padded(max(map(len, texts)) + 2)
        ids, mask = np.ones(shape, np.int64), np.zeros(shape, np.float32)
        for row, pieces in enumerate(texts):
            ids[row, : len(pieces) + 2], mask[row, : len(pieces) + 2] = [cutter.begin, *pieces, cutter.end], 1
        return {"pieces": table[ids], "treebanks": np.full(len(texts), self._treebank, np.int64), "mask": mask}


@lru_cache(maxsize=8)
def _loaded(read: Callable[[], tuple[Cutter, Table]], *files: Path) -> tuple[PieceCutter, Mapping[str, Session]]:
    """A cutter and the sessions of files, by name; sentences are cut, and so all is loaded, before threads begin."""
    return PieceCutter(read()[0]), {file.name: session(file, without=SLOW) for file in files}
