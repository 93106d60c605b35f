"""multilingual-e5-small (12 layers of 384, MIT), which knows about 100 languages: the networks of all languages start
from it. The embeddings of its pieces are frozen."""

from __future__ import annotations

import numpy as np
import torch
from sema_reader.e5 import WIDTH, WORD_BYTES, load_e5
from torch import Tensor

from sema.runtime.embeddings import BLOCK, BLOCK_BYTES, blocks
from training.encoder import Encoder

INNER = 1536
_NAMES = {
    "query": "q", "key": "k", "value": "v", "context": "ao", "context norm": "aln", "up": "fi", "down": "fo",
    "norm": "oln",
}  # fmt: skip
"""The parts of a layer in the file."""


def begin_as_e5(encoder: Encoder) -> None:
    """Initialise an encoder with the positions and the first layers of multilingual-e5-small."""
    e5 = load_e5()
    data = e5.file.read_bytes()

    def read(name: str, width: int = 0) -> Tensor:
        """A tensor of the file; a quantised one if its ``width`` is given."""
        start, count = e5.tensors[name]
        if not width:
            return torch.from_numpy(np.frombuffer(data, "<f4", count, start).copy())
        rows = np.frombuffer(data, np.uint8, count // BLOCK * BLOCK_BYTES, start)
        return torch.from_numpy(blocks(rows.reshape(-1, width // BLOCK * BLOCK_BYTES)))

    def part(layer: int, name: str, kind: str) -> Tensor:
        width = 0 if kind == "bias" or "norm" in name else INNER if name == "down" else WIDTH
        return read(f"l{layer}.{_NAMES[name]}.{kind[0]}", width)

    places = read("emb.pos").reshape(-1, WIDTH) + read("emb.type").reshape(-1, WIDTH)[0]
    encoder.begin(places, read("emb.ln.w"), read("emb.ln.b"), part)


def embeddings() -> Tensor:
    """The embeddings of all pieces (pieces, 384), in half precision."""
    e5 = load_e5()
    start, count = e5.words
    words = np.fromfile(e5.file, np.uint8, count * WORD_BYTES, offset=start).reshape(count, WORD_BYTES)
    return torch.from_numpy(blocks(words)).half()
