"""Writes the files of the trained parser and cutter that ship: ``python -m training.trees.export --work FOLDER``.

The graphs take embedded pieces; their products are in 8 bits. ``trees.json`` names the classes of the networks, and for
each language the treebank by whose conventions it is parsed: the one that is best for the held-out sentences of the
language's other treebanks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path

import torch
from sema_reader.languages import all_pieces
from sema_ud.networks import CUTTER, EDGES, LABELS, LONGEST, NAMES, PARSER, WEIGHTS
from torch import Tensor
from torch.nn import functional as F

from sema.runtime.checksums import write_sums
from training.command import command
from training.e5 import embeddings
from training.encoder import shortened
from training.graphs import write_graph
from training.trees.__main__ import TASKS, lessons, weights
from training.trees.batches import Inventory, Row
from training.trees.cutting import CuttingNetwork
from training.trees.parsing import TreeNetwork, figures

Tensors = tuple[Tensor, ...]
STEPS = 24
"""Quantisation steps of the cutter's weights on either side of 0."""


def _parsed(network: TreeNetwork, pieces: Tensor, treebanks: Tensor, mask: Tensor, pool: Tensor) -> Tensors:
    """The network up to the tree; relations are scored for its edges alone (:func:`_labelled`)."""
    words = network.words(pieces, treebanks, mask, pool)
    scores, dependent, governor = network.arcs(words)
    above = network.nodes(words)
    edges = dependent, governor, network.label_dependent(words), network.label_governor(above)
    return scores, *edges, network.tag(words).argmax(-1), network.relative(words)[..., 0]


def _labelled(network: TreeNetwork, dependent: Tensor, governor: Tensor, down: Tensor, up: Tensor) -> Tensor:
    """The parser graph's outputs for the words of edges, to scores of relations."""
    scores: Tensor = network.label(F.gelu(down + up + network.label_both(dependent * governor)))
    return scores


def export_parser(network: TreeNetwork, folder: Path) -> None:
    """Write the graphs of trees and of the relations of their edges."""
    pieces, treebanks = torch.randn(2, 9, network.encoder.shape.width), torch.ones(2, dtype=torch.long)
    inputs = pieces, treebanks, torch.ones(2, 9), torch.full((2, 5, 9), 1 / 9)
    network = shortened(network, LONGEST)
    axes = {
        "pieces": "batch pieces", "treebanks": "batch", "mask": "batch pieces", "pool": "batch words pieces",
        "scores": "batch words nodes",
        **dict(zip(EDGES, ("batch words", "batch nodes", "batch words", "batch nodes"), strict=True)),
        "tags": "batch words", "relative": "batch words",
    }  # fmt: skip
    write_graph(network, inputs, folder / PARSER, axes, _parsed)
    with torch.no_grad():
        edges = _parsed(network, *inputs)[1:5]
    rows = tuple(one[:, :5].reshape(10, -1) for one in edges)
    write_graph(network, rows, folder / LABELS, dict.fromkeys((*EDGES, "labels"), "edges"), _labelled)


def export_cutter(network: CuttingNetwork, folder: Path) -> None:
    """Write the graph that joins atoms and ends sentences."""
    pieces, treebanks = torch.randn(2, 9, network.encoder.shape.width), torch.ones(2, dtype=torch.long)
    inputs = pieces, treebanks, torch.ones(2, 9, dtype=torch.long), torch.ones(2, 9)
    axes = dict.fromkeys(("pieces", "treebanks", "marks", "mask", "joined", "ends"), "batch pieces")
    axes["treebanks"] = "batch"
    write_graph(shortened(network, LONGEST), inputs, folder / CUTTER, axes, steps=STEPS)


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
