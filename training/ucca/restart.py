"""The weights of an earlier release as a first stage: its 8-bit numbers as ordinary ones.

Releases up to commit 15faeb6 knew UCCA 2.0 alone: one label layer and one classifier of remote edges. What a network
learned there is where both conventions begin, each label and category with the numbers of its namesake.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from training.ucca.inventory import Inventories
from training.ucca.model import SpanParser

State = dict[str, Tensor]
HALVES = 2
"""The products whose sum is a unit's state: by its first and by its last word."""


def load_release(model: SpanParser, folder: Path, inventories: Inventories) -> None:
    """Load the release in ``folder`` (``model.int8.onnx``, ``remote.npz``, ``inventory.json``) into a new network."""
    old = json.loads((folder / "inventory.json").read_text(encoding="utf-8"))
    state, labels, remote = released(folder, layers=len(cast(Any, model.encoder).encoder.layer))
    model.load_state_dict({**model.state_dict(), **state})
    for task, inventory in inventories.items():
        label_pairs = _namesakes(inventory.labels, old["labels"])
        category_pairs = _namesakes(inventory.categories, old["categories"])
        remote_pairs = _namesakes(inventory.remotes, old["remotes"])
        _inherit(model.labels[task], labels, dict.fromkeys(("weight", "bias"), label_pairs))
        by_remote = (
            "weight",
            "feature",
            *(f"{end}_bias.{kind}" for end in ("parent", "child") for kind in ("weight", "bias")),
        )
        pairs = {
            **dict.fromkeys(("category.weight", "above.weight"), category_pairs),
            **dict.fromkeys(by_remote, remote_pairs),
        }
        _inherit(model.remotes[task], remote, pairs)


def released(folder: Path, layers: int) -> tuple[State, State, State]:
    """The release's encoder and span head, its label layer and its classifier of remote edges, under today's names."""
    graph = onnx.load(str(folder / "model.int8.onnx")).graph
    numbers = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    products = [name for node in graph.node if node.op_type == "MatMulIntegerToFloat" for name in node.input[1:2]]
    weights = [numbers[name].astype(np.float32) * numbers[f"{name[:-7]}.scale"] for name in products]
    plain = {name.removeprefix("model."): value for name, value in numbers.items() if name.startswith("model.")}
    state = {name: value for name, value in plain.items() if not name.startswith(("labels.", "remote."))}
    kind = "encoder.embeddings."
    state[f"{kind}word_embeddings.weight"] = numbers["encoder.table"] * numbers["encoder.scale"]
    state[f"{kind}position_embeddings.weight"] = numbers["encoder.place"]  # the type's are in them already
    state[f"{kind}token_type_embeddings.weight"] = np.zeros((2, numbers["encoder.place"].shape[1]))
    for layer in range(layers):
        prefix = f"encoder.encoder.layer.{layer}."
        joint, output, grown, shrunk = (weights[4 * layer + k].T for k in range(4))
        parts = zip(
            ("query", "key", "value"),
            np.split(joint, 3),
            np.split(numbers[f"encoder.joint.{layer}.bias"], 3),
            strict=True,
        )
        for name, weight, bias in parts:
            state[f"{prefix}attention.self.{name}.weight"] = weight
            state[f"{prefix}attention.self.{name}.bias"] = bias
        state[f"{prefix}attention.output.dense.weight"] = output
        state[f"{prefix}intermediate.dense.weight"] = grown
        state[f"{prefix}output.dense.weight"] = shrunk
    start, end, mean, label, *edges = (weight.T for weight in weights[4 * layers :])
    state |= {"start.weight": start, "end.weight": end, "mean.weight": mean}
    scalars = [
        numbers[node] for node in sorted(n for n in numbers if numbers[n].shape == () and n.startswith("onnx::"))
    ]
    state["mix"] = np.log(np.asarray(scalars[:3]))
    with np.load(folder / "remote.npz") as archive:
        remote = {name: archive[name] for name in archive.files}
    remote |= {"edges.weight": np.concatenate(edges[:HALVES], 1), "edges.bias": plain["remote.edges.bias"]}
    labels = {"weight": label, "bias": plain["labels.ucca.bias"]}
    return _tensors(state), _tensors(labels), _tensors(remote)


def _tensors(numbers: Mapping[str, Any]) -> State:
    return {name: torch.from_numpy(np.array(value, np.float32)) for name, value in numbers.items()}


def _namesakes(new: Sequence[str], old: Sequence[str]) -> tuple[list[int], list[int]]:
    """The places, in each list, of the names that both lists have."""
    place = {name: index for index, name in enumerate(old)}
    both = [(index, place[name]) for index, name in enumerate(new) if name in place]
    return [here for here, _ in both], [there for _, there in both]


def _inherit(part: torch.nn.Module, old: State, pairs: Mapping[str, tuple[list[int], list[int]]]) -> None:
    """Give ``part`` the old numbers: whole, or of the namesakes alone where ``pairs`` says which they are."""
    own = part.state_dict()
    for name, value in old.items():
        if name not in pairs:
            own[name].copy_(value)
            continue
        here, there = pairs[name]
        if name == "feature":  # its second dimension is that of the labels
            own[name][:, here] = value[:, there]
        else:
            own[name][here] = value[there]
