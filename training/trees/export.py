"""Writes the files of the trained parser and cutter that ship: ``python -m training.trees.export --work FOLDER``.

The graphs take embedded pieces; their products are in 8 bits. ``trees.json`` names the classes of the networks, and for
each language the treebank by whose conventions it is parsed: the one that is best for the held-out sentences of the
language's other treebanks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, replace
from pathlib import Path

import torch
from sema_reader.languages import all_pieces
from sema_ud.networks import CUTTER, EDGES, LABELS, LONGEST, NAMES, PARSER, WEIGHTS
from torch import Tensor, nn
from torch.nn import functional as F

from sema.runtime.checksums import write_sums
from training.command import command
from training.graphs import write_graph
from training.reader.bases import embeddings
from training.reader.network import Encoder
from training.trees.__main__ import TASKS, lessons, weights
from training.trees.batches import Inventory, Row
from training.trees.cutting import CuttingNetwork
from training.trees.parsing import TreeNetwork, figures

Tensors = tuple[Tensor, ...]
STEPS = 24
"""Quantisation steps of the cutter's weights on either side of 0."""


class _Parser(nn.Module):
    """The network up to the tree; relations are scored for its edges alone (:class:`_Labels`)."""

    def __init__(self, network: TreeNetwork) -> None:
        super().__init__()
        self.network = _shortened(deepcopy(network))

    def forward(self, pieces: Tensor, treebanks: Tensor, mask: Tensor, pool: Tensor) -> Tensors:
        own = self.network
        words = own.words(pieces, treebanks, mask, pool)
        scores, dependent, governor = own.arcs(words)
        above = own.nodes(words)
        edges = dependent, governor, own.label_dependent(words), own.label_governor(above)
        return scores, *edges, own.tag(words).argmax(-1), own.relative(words)[..., 0]


class _Labels(nn.Module):
    """The parser graph's outputs for the words of edges, to scores of relations."""

    def __init__(self, network: TreeNetwork) -> None:
        super().__init__()
        self.label_both, self.label = network.label_both, network.label

    def forward(self, dependent: Tensor, governor: Tensor, down: Tensor, up: Tensor) -> Tensor:
        scores: Tensor = self.label(F.gelu(down + up + self.label_both(dependent * governor)))
        return scores


class _Cutter(nn.Module):
    def __init__(self, network: CuttingNetwork) -> None:
        super().__init__()
        self.network = _shortened(deepcopy(network))

    def forward(self, pieces: Tensor, treebanks: Tensor, marks: Tensor, mask: Tensor) -> Tensors:
        joined, ends = self.network(pieces, treebanks, marks, mask)
        return joined, ends


def _shortened(network: nn.Module) -> nn.Module:
    encoder: Encoder = network.encoder
    encoder.place.weight.data = encoder.place.weight.data[:LONGEST]
    return network.float().eval()


def export_parser(network: TreeNetwork, folder: Path) -> None:
    """Write the graphs of trees and of the relations of their edges."""
    pieces, treebanks = torch.randn(2, 9, network.encoder.shape.width), torch.ones(2, dtype=torch.long)
    inputs = pieces, treebanks, torch.ones(2, 9), torch.full((2, 5, 9), 1 / 9)
    whole = _Parser(network)
    axes = {
        "pieces": "batch pieces", "treebanks": "batch", "mask": "batch pieces", "pool": "batch words pieces",
        "scores": "batch words nodes",
        **dict(zip(EDGES, ("batch words", "batch nodes", "batch words", "batch nodes"), strict=True)),
        "tags": "batch words", "relative": "batch words",
    }  # fmt: skip
    write_graph(whole, inputs, folder / PARSER, axes)
    with torch.no_grad():
        edges = whole(*inputs)[1:5]
    rows = tuple(one[:, :5].reshape(10, -1) for one in edges)
    write_graph(_Labels(network), rows, folder / LABELS, dict.fromkeys((*EDGES, "labels"), "edges"))


def export_cutter(network: CuttingNetwork, folder: Path) -> None:
    """Write the graph that joins atoms and ends sentences."""
    pieces, treebanks = torch.randn(2, 9, network.encoder.shape.width), torch.ones(2, dtype=torch.long)
    inputs = pieces, treebanks, torch.ones(2, 9, dtype=torch.long), torch.ones(2, 9)
    axes = dict.fromkeys(("pieces", "treebanks", "marks", "mask", "joined", "ends"), "batch pieces")
    write_graph(_Cutter(network), inputs, folder / CUTTER, axes | {"treebanks": "batch"}, steps=STEPS)


def conventions(network: TreeNetwork, held_out: list[Row], inventory: Inventory) -> dict[str, str]:
    """For each language, the treebank by whose conventions the mean LAS on its other treebanks' held-out sentences is
    highest; PUD, which has no training part of its own, only where there is no other."""
    table, pieces = embeddings(), all_pieces()
    by_language: dict[str, list[int]] = {}
    for number, name in enumerate(inventory.treebanks[1:], 1):
        by_language.setdefault(name.split("_")[0], []).append(number)
    groups = {number: [row for row in held_out if row.treebank == number] for number in range(len(inventory.treebanks))}

    def read(as_treebank: int, of: int) -> float:
        rows = [replace(row, treebank=as_treebank) for row in groups[of]]
        return figures(network, table, pieces, rows, inventory)[inventory.treebanks[as_treebank]]["LAS"]

    chosen = {}
    for language, numbers in by_language.items():
        own = [number for number in numbers if not inventory.treebanks[number].endswith("_pud")] or numbers
        measured = [number for number in numbers if groups[number]]
        found = {}
        for number in own if len(own) > 1 else ():
            others = [other for other in measured if other != number] or measured
            found[number] = sum(read(number, other) for other in others) / len(others)
        best = max(found, key=found.__getitem__) if found else own[0]
        chosen[language] = inventory.treebanks[best]
    return chosen


def export(
    parser: TreeNetwork, cutter: CuttingNetwork, inventory: Inventory, languages: Mapping[str, str], folder: Path
) -> None:
    """Write graphs, names and checksums; ``languages``: for each the treebank by whose conventions it is parsed."""
    folder.mkdir(parents=True, exist_ok=True)
    export_parser(parser, folder)
    export_cutter(cutter, folder)
    names = {**asdict(inventory), "languages": languages}
    (folder / NAMES).write_text(json.dumps(names, ensure_ascii=False, indent=0), encoding="utf-8")
    write_sums(folder, [PARSER, LABELS, CUTTER, NAMES])


@command
def main(*, work: Path, to: Path = WEIGHTS) -> None:
    """Export the networks in the folder ``work``."""
    inventory, _, held_out = lessons(work, "parser")
    network, cutter = (task.begin(inventory) for task in TASKS.values())
    for what, one in (("parser", network), ("cutter", cutter)):
        one.load_state_dict(torch.load(weights(work, what), weights_only=True))
    export(network, cutter, inventory, conventions(network, held_out, inventory), to)


if __name__ == "__main__":
    main()
