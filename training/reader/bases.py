"""The encoders that the networks start from.

multilingual-e5-small (12 layers of 384, MIT) knows about 100 languages. The large network, of English, starts from
all-mpnet-base-v2 (12 layers of 768, Apache 2.0), whose matrices are frozen (:mod:`training.reader.low_rank`).
"""

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
from training.reader import mpnet
from training.reader.e5 import LAYERS, parameters
from training.reader.low_rank import RANK, adapted
from training.reader.network import PairNetwork, Shape, begin_as


@dataclass(frozen=True)
class Base:
    """A network before training: its cutter, shape and parameters, and the embeddings of its pieces, which are frozen.

    ``rank``: the rank of the matrices that are learned beside frozen ones; 0: the encoder's own matrices are learned.
    """

    cutter: Callable[[], Cutter]
    shape: Shape
    parameters: Callable[[], Mapping[str, Tensor]]
    table: Callable[[], Tensor]
    rank: int = 0

    def network(self) -> PairNetwork:
        """The network before training."""
        torch.manual_seed(1)
        network = PairNetwork(self.shape)
        begin_as(network.encoder, self.parameters())
        return adapted(network, self.rank) if self.rank else network


def _e5() -> Mapping[str, Tensor]:
    return {name: torch.from_numpy(value.copy()) for name, value in parameters(load_e5(), range(LAYERS))}


def _e5_table() -> Tensor:
    e5 = load_e5()
    start, count = e5.words
    words = np.fromfile(e5.file, np.uint8, count * WORD_BYTES, offset=start).reshape(count, WORD_BYTES)
    return torch.from_numpy(blocks(words)).half()


def _mpnet() -> Mapping[str, Tensor]:
    return {name: torch.from_numpy(value.copy()) for name, value in mpnet.weights().items() if name != mpnet.WORDS}


def _mpnet_table() -> Tensor:
    return torch.from_numpy(mpnet.weights()[mpnet.WORDS]).half()


BASES: Mapping[str, Base] = {
    "student": Base(all_pieces, Shape(layers=LAYERS), _e5, _e5_table),
    "teacher": Base(
        mpnet.word_pieces, Shape(width=768, inner=3072, relative=True, epsilon=1e-5), _mpnet, _mpnet_table, RANK
    ),
}
