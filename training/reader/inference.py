"""What a trained network finds of pairs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from training.reader.batches import Pack, batches
from training.reader.network import PairNetwork, precision_of


def answers(
    network: PairNetwork, table: Tensor, pairs: Pack, pieces: int
) -> Iterator[tuple[list[int], Tensor, Tensor]]:
    """Read all pairs, in batches of at most ``pieces`` pieces.

    Yields:
        The indexes of a batch's pairs, their logits (batch, 14), and those of their pieces (batch, pieces, 2).
    """
    precision = precision_of(table.device)
    network = network.to(precision).eval()
    alone = [[place] for place in range(len(pairs))]
    for chosen in batches(pairs, alone, pieces, np.random.default_rng(0)):
        batch = pairs.batch(chosen)
        with torch.inference_mode():
            pair, word = network(table[batch.ids].to(precision), batch.types, batch.marks, batch.mask)
        yield chosen, pair.float(), word.float()
