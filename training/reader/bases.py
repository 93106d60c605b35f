"""What the network begins as: multilingual-e5-small (12 layers of 384, MIT), of about 100 languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from sema_reader.e5 import WORD_BYTES, load_e5
from sema_reader.languages import all_pieces
from sema_reader.pieces import Cutter
from torch import Tensor

from sema.runtime.embeddings import blocks
from training.reader.e5 import LAYERS, parameters
from training.reader.network import PairNetwork, Shape, begin_as


@dataclass(frozen=True)
class Base:
    """A network at its beginning: how it cuts texts, its shape, and the embeddings of its pieces, which stay."""

    cutter: Callable[[], Cutter]
    shape: Shape
    parameters: Callable[[], Mapping[str, Tensor]]
    table: Callable[[], Tensor]

    def network(self) -> PairNetwork:
        """The network before it has learned anything."""
        torch.manual_seed(1)
        network = PairNetwork(self.shape)
        begin_as(network.encoder, self.parameters())
        return network


def _e5() -> Mapping[str, Tensor]:
    return {name: torch.from_numpy(value.copy()) for name, value in parameters(load_e5(), range(LAYERS))}


def _e5_table() -> Tensor:
    e5 = load_e5()
    start, count = e5.words
    words = np.fromfile(e5.file, np.uint8, count * WORD_BYTES, offset=start).reshape(count, WORD_BYTES)
    return torch.from_numpy(blocks(words)).half()


BASES: Mapping[str, Base] = {"student": Base(all_pieces, Shape(layers=LAYERS), _e5, _e5_table)}
