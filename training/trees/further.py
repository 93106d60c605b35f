"""Trains the shipped parser and cutter further on a treebank of your own: one command, minutes of one core.

``python -m training.trees.further FILE.conllu … --name de_mine --work FOLDER --to NETWORKS`` starts from the
shipped networks, read back from their 8-bit graphs, and trains them on the files (CoNLL-U, all of one language) as
another treebank of that language. A tenth of the sentences is held out; its loss is printed before and after. To
score with the new networks, give ``--set ud.networks=NETWORKS --set segmenter.networks=NETWORKS``.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import torch
from sema_reader.languages import all_pieces
from sema_ud.networks import CUTTER, LABELS, PARSER, WEIGHTS, names

from training.command import command
from training.e5 import embeddings
from training.encoder import Shape
from training.graphs import begin_as_graph
from training.trees.__main__ import TASKS
from training.trees.batches import Inventory, learn, mean_loss
from training.trees.export import export
from training.trees.treebanks import HELD_OUT, examples

RATE = 5e-5
PASSES = 6
GRAPHS = {"parser": (PARSER, LABELS), "cutter": (CUTTER,)}


@command
def main(*files: Path, name: str, work: Path, to: Path) -> None:
    """Train further, and write networks with their names and checksums; ``work`` keeps checkpoints to go on from."""
    torch.set_num_threads(1)
    work.mkdir(parents=True, exist_ok=True)
    known = names(WEIGHTS)
    inventory = Inventory((*known.treebanks, name), tuple(known.tags), tuple(known.relations))
    pieces, table = all_pieces(), embeddings()
    sentences = [replace(one, treebank=name) for file in files for one in examples(file)]
    held_out = sentences[::HELD_OUT]
    del sentences[::HELD_OUT]

    rng = np.random.default_rng(3)
    networks = {}
    for what, graphs in GRAPHS.items():
        task = TASKS[what]
        shape = Shape(layers=task.LAYERS, kinds=len(inventory.treebanks))
        network = begin_as_graph(task.network(shape, inventory), *(WEIGHTS / graph for graph in graphs))
        lessons, kept = (task.lessons(some, inventory, pieces, rng) for some in (sentences, held_out))
        before = mean_loss(task, network, table, pieces, kept)
        plan = task.PLAN(PASSES * len(lessons), RATE)
        networks[what] = learn(task, network, table, pieces, lessons, plan, work / f"{what}.pt")
        after = mean_loss(task, networks[what], table, pieces, kept)
        print(f"{what}: loss of held-out sentences {before:.3f} before, {after:.3f} after")
    languages = {**known.languages, name.split("_")[0]: name}
    export(networks["parser"], networks["cutter"], inventory, languages, to)


if __name__ == "__main__":
    main()
