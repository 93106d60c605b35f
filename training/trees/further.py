"""Trains the shipped parser and cutter further on a treebank of your own: one command, minutes of one core.

``python -m training.trees.further FILE.conllu … --name de_mine --work FOLDER --to NETWORKS`` starts from the
shipped networks, read back from their 8-bit graphs, and trains them on the files (CoNLL-U, all of one language) as
another treebank of that language. A tenth of the sentences is held out; its figures are printed before and after. To
score with the new networks, give ``--set ud.networks=NETWORKS --set segmenter.networks=NETWORKS``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from sema_reader.languages import all_pieces
from sema_ud.networks import CUTTER, LABELS, PARSER, WEIGHTS, Names, names

from training.command import command
from training.e5 import embeddings
from training.encoder import Shape
from training.graphs import begin_as_graph, stored
from training.trees.__main__ import TASKS
from training.trees.batches import Inventory
from training.trees.export import export
from training.trees.treebanks import HELD_OUT, Example, examples

RATE = 5e-5
PASSES = 6


def shape_of(known: Names, file: Path) -> Shape:
    """The shape of a graph's encoder with one treebank more."""
    layers = {match[1] for name in stored(file) if (match := re.match(r"encoder\.layers\.(\d+)\.", name))}
    return Shape(layers=len(layers), kinds=len(known.treebanks) + 1)


def read(files: Sequence[Path], name: str) -> tuple[list[Example], list[Example]]:
    """The sentences of the files to train on, and the held-out ones."""
    found = [replace(one, treebank=name) for file in files for one in examples(file)]
    learned = [one for number, one in enumerate(found) if number % HELD_OUT]
    return learned, found[::HELD_OUT]


@command
def main(*files: Path, name: str, work: Path, to: Path) -> None:
    """Train further, and write networks with their names and checksums; ``work`` keeps checkpoints to go on from."""
    torch.set_num_threads(1)
    work.mkdir(parents=True, exist_ok=True)
    known = names(WEIGHTS)
    inventory = Inventory((*known.treebanks, name), tuple(known.tags), tuple(known.relations))
    pieces, table = all_pieces(), embeddings()
    learned, held_out = read(files, name)

    rng = np.random.default_rng(3)
    networks = {}
    for what, graphs in (("parser", (WEIGHTS / PARSER, WEIGHTS / LABELS)), ("cutter", (WEIGHTS / CUTTER,))):
        task = TASKS[what]
        network = begin_as_graph(task.network(shape_of(known, graphs[0]), inventory), *graphs)
        lessons, kept = (task.lessons(some, inventory, pieces, rng) for some in (learned, held_out))
        print("before", task.figures(network, table, pieces, kept, inventory))
        plan = task.plan(PASSES * len(lessons), RATE)
        networks[what] = task.learn(network, table, pieces, lessons, plan, work / f"{what}.pt")
        print("after", task.figures(networks[what], table, pieces, kept, inventory))
    languages = {**known.languages, name.split("_")[0]: name}
    export(networks["parser"], networks["cutter"], inventory, languages, to)


if __name__ == "__main__":
    main()
