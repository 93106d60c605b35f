"""The logits that a trained network gives pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from sema_reader.pieces import Cutter
from sema_reader.windows import LOGITS
from torch import Tensor

from training.loop import precision_of
from training.reader.batches import batches, encode
from training.reader.example import Example
from training.reader.network import PairNetwork

PIECES = 4_000
LONGEST = 480


@torch.inference_mode()
def read(network: PairNetwork, table: Tensor, cutter: Cutter, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    """The logits of pairs (pairs, 10); not a number for those that are too long."""
    pack = encode(cutter, [Example("", source, output) for source, output in pairs], LONGEST)
    precision = precision_of(table.device)
    network = network.to(precision).eval()
    found = np.full((len(pairs), LOGITS), np.nan, np.float32)
    for chosen in batches(pack, [[place] for place in range(len(pack))], PIECES, np.random.default_rng(0)):
        batch = pack.batch(chosen)
        pair, _, _ = network(table[batch.ids].to(precision), batch.types, batch.marks, batch.mask)
        found[[pack.rows[one] for one in chosen]] = pair.float().numpy()
    return found
