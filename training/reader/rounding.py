"""Rounds the weights of a network's layers to steps so that the layers' outputs change least.

GPTQ (Frantar et al. 2023, section 3): the weights of a layer's inputs are rounded one input after another, and what
that changes in the outputs is taken back by the weights that are not yet rounded, as far as the inputs of real pairs
allow. Rounded to the nearest steps instead, a network that was trained further from an 8-bit graph loses most of the
training, because it has moved each weight by less than half a step.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from training.graphs import MAX_WEIGHT
from training.reader.batches import Pack
from training.reader.network import PairNetwork

DAMPED = 0.01
"""Added to the diagonal of a layer's second moments, as a share of its mean."""


@torch.no_grad()
def round_layers(network: PairNetwork, table: Tensor, pairs: Pack, batches: Sequence[Sequence[int]]) -> None:
    """Round the products of the encoder in place, by the inputs that they have in some batches of pairs.

    A row's largest weight keeps :data:`training.graphs.MAX_WEIGHT` steps, so that rounding to the nearest finds the
    same steps again.
    """
    network.float().eval()
    layers = [one for one in network.encoder.layers.modules() if isinstance(one, nn.Linear)]
    moments = {one: torch.zeros(one.in_features, one.in_features) for one in layers}
    for batch in map(pairs.batch, batches):
        inside = batch.mask > 0

        def watch(layer: nn.Module, given: tuple[Tensor, ...], _: Tensor, inside: Tensor = inside) -> None:
            inputs = given[0][inside]
            moments[layer] += inputs.T @ inputs  # type: ignore[index]

        watching = [one.register_forward_hook(watch) for one in layers]
        network(table[batch.ids].float(), batch.types, batch.marks, batch.mask)
        for one in watching:
            one.remove()
    for layer in layers:
        layer.weight.data = rounded(layer.weight.data, moments[layer])


def rounded(weight: Tensor, moments: Tensor) -> Tensor:
    """A layer's weights (outputs, inputs) in steps of each row's largest weight; ``moments`` (inputs, inputs) are the
    sums of the products of its inputs."""
    left = weight.clone()
    places = weight.abs().argmax(1)
    steps = weight.abs().amax(1).clamp(min=1e-12) / MAX_WEIGHT
    damped = moments + DAMPED * moments.diag().mean() * torch.eye(len(moments))
    spread = torch.linalg.cholesky(torch.cholesky_inverse(torch.linalg.cholesky(damped)), upper=True)
    found = torch.empty_like(weight)
    for place in range(weight.shape[1]):
        whole = (left[:, place] / steps).round().clamp(-MAX_WEIGHT, MAX_WEIGHT)
        whole = torch.where(places == place, weight[:, place].sign() * MAX_WEIGHT, whole)
        found[:, place] = whole * steps
        wrong = (left[:, place] - found[:, place]) / spread[place, place]
        left[:, place + 1 :] -= wrong[:, None] * spread[place, place + 1 :]
    return found
