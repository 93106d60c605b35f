"""Writes the files of the trained parser and cutter that ship: ``python -m training.trees.export --work FOLDER``.

The graphs take embedded pieces; their products are in 8 bits. ``trees.json`` names the classes of the networks, and for
each language the treebank by whose conventions it is parsed (:func:`conventions`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import torch
from sema_ud.networks import CUTTER, EDGES, LABELS, LONGEST, NAMES, PARSER, WEIGHTS
from torch import Tensor

from sema.runtime.checksums import write_sums
from training.command import command
from training.encoder import shortened
from training.graphs import write_graph
from training.trees.__main__ import TASKS, lessons
from training.trees.batches import Inventory, begin
from training.trees.cutting import CuttingNetwork
from training.trees.parsing import TreeNetwork

STEPS = 24
"""Quantisation steps of the cutter's weights on either side of 0."""
PREFERRED = {"fr": "fr_parisstories", "nl": "nl_lassysmall", "zh": "zh_gsdsimp"}
"""Of several treebanks the one with the highest mean LAS on held-out sentences of the language's others."""


def _parsed(network: TreeNetwork, pieces: Tensor, treebanks: Tensor, mask: Tensor, pool: Tensor) -> tuple[Tensor, ...]:
    """The network up to the tree; relations are scored for its edges alone (:meth:`TreeNetwork.labels`)."""
    words = network.words(pieces, treebanks, mask, pool)
    scores, dependent, governor, nodes = network.arcs(words)
    edges = dependent, governor, network.label_dependent(words), network.label_governor(nodes)
    return scores, *edges, network.tag(words).argmax(-1), network.relative(words)[..., 0]


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
    write_graph(network, rows, folder / LABELS, dict.fromkeys((*EDGES, "labels"), "edges"), TreeNetwork.labels)


def export_cutter(network: CuttingNetwork, folder: Path) -> None:
    """Write the graph that joins atoms and ends sentences."""
    pieces, treebanks = torch.randn(2, 9, network.encoder.shape.width), torch.ones(2, dtype=torch.long)
    inputs = pieces, treebanks, torch.ones(2, 9, dtype=torch.long), torch.ones(2, 9)
    axes = dict.fromkeys(("pieces", "treebanks", "marks", "mask", "joined", "ends"), "batch pieces")
    axes["treebanks"] = "batch"
    write_graph(shortened(network, LONGEST), inputs, folder / CUTTER, axes, steps=STEPS)


def conventions(treebanks: Sequence[str]) -> dict[str, str]:
    """For each language its preferred or only treebank; PUD, which has no training part of its own, only where there
    is no other."""
    parallel_first = sorted(treebanks, key=lambda name: not name.endswith("_pud"))
    return dict(sorted(({name.partition("_")[0]: name for name in parallel_first} | PREFERRED).items()))


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
    inventory = lessons(work, "parser")[0]
    networks = {what: begin(task, inventory) for what, task in TASKS.items()}
    for what, network in networks.items():
        network.load_state_dict(torch.load(work / f"{what}.pt", weights_only=True))
    export(networks["parser"], networks["cutter"], inventory, conventions(inventory.treebanks[1:]), to)


if __name__ == "__main__":
    main()
