"""The trained reader of pairs as an ONNX graph: word pieces of both texts in, logits of the pair and its words out."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import torch
from sema_reader.reader import MAX_PIECES
from torch import Tensor, nn

from training.reader.english.network import PairNetwork
from training.ucca.export import PlainEncoder
from training.ucca.quantize import quantized

INPUTS = ("ids", "types", "marks", "mask")


class _AtWork(nn.Module):
    """The network in plain operations, its word embeddings in 8 bits with a scale a row."""

    def __init__(self, network: PairNetwork) -> None:
        super().__init__()
        self.encoder = PlainEncoder(network.encoder, quantized=True)
        kinds = network.encoder.embeddings.token_type_embeddings.weight.detach()
        self.register_buffer("kind", kinds - kinds[0])
        self.register_buffer("overlap", network.overlap.weight.detach())
        self.encoder.place = self.encoder.place[:MAX_PIECES].half()
        self.joint, self.pair, self.word = network.joint, network.pair, network.word

    def forward(self, ids: Tensor, types: Tensor, marks: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        plain = self.encoder
        table, scale = cast(Tensor, plain.table), cast(Tensor, plain.scale)
        words = nn.functional.embedding(ids, table).float() * nn.functional.embedding(ids, scale)
        words = words + nn.functional.embedding(marks, cast(Tensor, self.overlap))
        words = words + nn.functional.embedding(types, cast(Tensor, self.kind))
        state = plain.norm(words + cast(Tensor, plain.place)[torch.arange(ids.shape[1])].float())
        hidden = (1.0 - mask[:, None, None, :].float()) * -1e9
        for layer, joint in zip(plain.layers, plain.joint, strict=True):
            state = plain._layer(layer, joint, state, hidden)
        inside = (marks > 0).float()

        def mean(chosen: Tensor) -> Tensor:
            return (state * chosen[..., None]).sum(1) / chosen.sum(1, keepdim=True).clamp(min=1.0)

        second = types.float()
        both = torch.cat([state[:, 0], mean(inside * (1 - second)), mean(inside * second)], 1)
        return self.pair(nn.functional.gelu(self.joint(both))), self.word(state)


def export_network(network: PairNetwork, file: Path) -> None:
    """Write the graph: ``ids types marks mask`` (batch, pieces) to ``pair`` (batch, 14), ``words`` (…, pieces, 2)."""
    import onnx

    example = torch.randint(1, 3, (2, 9))
    axes = {name: {0: "batch", 1: "pieces"} for name in (*INPUTS, "words")} | {"pair": {0: "batch"}}
    part = file.with_suffix(".part")
    torch.onnx.export(
        _AtWork(network).eval(), (example, example % 2, example, torch.ones_like(example)), str(part),
        input_names=INPUTS, output_names=("pair", "words"), dynamic_axes=axes, opset_version=17, dynamo=False,
    )  # fmt: skip
    graph = onnx.load(str(part))
    part.unlink()
    onnx.save(quantized(graph), str(file))
