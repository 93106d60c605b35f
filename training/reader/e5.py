"""The layers of multilingual-e5-small as initial parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sema_reader.e5 import E5, WIDTH

from sema.runtime.embeddings import BLOCK, BLOCK_BYTES, blocks

LAYERS, HEADS, INNER = 12, 12, 1536
_PARTS: Mapping[str, str] = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "ao": "attention.output.dense", "aln": "attention.output.LayerNorm", "fi": "intermediate.dense",
    "fo": "output.dense", "oln": "output.LayerNorm",
}  # fmt: skip
"""The file's names of a layer's parts, and those of BERT."""
Floats = NDArray[np.float32]


def parameters(e5: E5, layers: Sequence[int] = range(LAYERS)) -> Iterator[tuple[str, Floats]]:
    """The parameters by BERT's names, of some ``layers`` or all, without the embeddings of pieces."""
    data = e5.file.read_bytes()

    def plain(name: str) -> Floats:
        start, count = e5.tensors[name]
        return np.frombuffer(data, "<f4", count, start)

    def quantised(name: str, width: int) -> Floats:
        start, count = e5.tensors[name]
        rows = np.frombuffer(data, np.uint8, count // BLOCK * BLOCK_BYTES, start)
        return blocks(rows.reshape(-1, width // BLOCK * BLOCK_BYTES))

    yield "embeddings.position_embeddings.weight", plain("emb.pos").reshape(-1, WIDTH)
    yield "embeddings.token_type_embeddings.weight", plain("emb.type").reshape(-1, WIDTH)
    yield "embeddings.LayerNorm.weight", plain("emb.ln.w")
    yield "embeddings.LayerNorm.bias", plain("emb.ln.b")
    for number, layer in enumerate(layers):
        for short, name in _PARTS.items():
            place = f"l{layer}.{short}"
            is_norm = short.endswith("ln")
            weight = plain(f"{place}.w") if is_norm else quantised(f"{place}.w", INNER if short == "fo" else WIDTH)
            yield f"encoder.layer.{number}.{name}.weight", weight
            yield f"encoder.layer.{number}.{name}.bias", plain(f"{place}.b")
