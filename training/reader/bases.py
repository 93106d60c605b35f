"""The encoder that the networks start from: multilingual-e5-small (12 layers of 384, MIT), which knows about 100
languages; the embeddings of its pieces are frozen."""

from __future__ import annotations

import numpy as np
import torch
from sema_reader.e5 import WORD_BYTES, load_e5
from torch import Tensor

from sema.runtime.embeddings import blocks
from training.graphs import begin_as_graph as begin_as_graph
from training.reader.e5 import LAYERS, parameters
from training.reader.network import PairNetwork, Shape, begin_as


def untrained() -> PairNetwork:
    """The network that reads pairs, before training."""
    torch.manual_seed(1)
    network = PairNetwork(Shape(layers=LAYERS))
    begin_as(
        network.encoder,
        {name: torch.from_numpy(value.copy()) for name, value in parameters(load_e5(), range(LAYERS))},
    )
    return network


def embeddings() -> Tensor:
    """The embeddings of all pieces (pieces, 384), in half precision."""
    e5 = load_e5()
    start, count = e5.words
    words = np.fromfile(e5.file, np.uint8, count * WORD_BYTES, offset=start).reshape(count, WORD_BYTES)
    return torch.from_numpy(blocks(words)).half()
