"""Low-rank adaptation (Hu et al., ICLR 2022): an encoder's matrices are frozen, a product of two thin ones is added.

Only a few megabytes are learned, so they can ship while the large encoder comes from its own packages.
"""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from training.reader.network import PairNetwork

RANK = 16
SCALE = 2.0
"""The factor of the product, with which it learns faster."""
PARTS = ("joint", "out", "up", "down")
"""A layer's matrices."""


class LowRank(nn.Module):
    """A linear map with a frozen matrix and a learned one of low rank beside it; its bias is learned."""

    def __init__(self, whole: nn.Linear, rank: int) -> None:
        super().__init__()
        self.whole = whole
        whole.weight.requires_grad_(False)
        self.low = nn.Parameter(torch.randn(rank, whole.in_features) * whole.in_features**-0.5)
        self.high = nn.Parameter(torch.zeros(whole.out_features, rank))

    def forward(self, state: Tensor) -> Tensor:
        """The sum of both maps."""
        return cast(Tensor, self.whole(state) + F.linear(F.linear(state, self.low), self.high) * SCALE)


def adapted(network: PairNetwork, rank: int = RANK) -> PairNetwork:
    """Freeze the matrices, positions and distances of the network's encoder in place, and add low-rank matrices."""
    for stays in (network.encoder.place, network.encoder.relative):
        if stays is not None:
            stays.weight.requires_grad_(False)
    for layer in network.encoder.layers:
        for part in PARTS:
            setattr(layer, part, LowRank(getattr(layer, part), rank))
    return network
