"""Trains the networks that read trees of all languages: ``python -m training.trees parser|cutter --work FOLDER``.

Both start from layers of multilingual-e5-small and are trained on the treebanks of ``ud/multi``, ``ud/en_ewt`` and
Chinese. The parser takes an hour and a quarter of one core, the cutter half an hour. A stopped run resumes from its
last save. ``python -m training.trees.export`` writes the files that ship.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sema_reader.e5 import load_e5
from sema_reader.languages import all_pieces
from sema_ud.atoms import PieceCutter

from training.command import begin, command_line
from training.reader.bases import BASES
from training.reader.e5 import parameters
from training.reader.network import Encoder, Shape, begin_as
from training.trees import cutting, learn
from training.trees.batches import Inventory, rows
from training.trees.cutting import CuttingNetwork
from training.trees.network import TreeNetwork
from training.trees.treebanks import learning

LAYERS = {"parser": 6, "cutter": 4}
LESSONS = {"parser": 300_000, "cutter": 60_000}
"""Sentences that are read in all; for the cutter texts."""
RATE = 2e-4


def parser_of(inventory: Inventory) -> TreeNetwork:
    """The parser before training, on the encoder's first layers."""
    torch.manual_seed(1)
    shape = Shape(layers=LAYERS["parser"], kinds=len(inventory.treebanks))
    network = TreeNetwork(shape, len(inventory.tags), len(inventory.relations))
    _begin(network.encoder)
    return network


def cutter_of(inventory: Inventory) -> CuttingNetwork:
    """The cutter before training."""
    torch.manual_seed(1)
    network = CuttingNetwork(Shape(layers=LAYERS["cutter"], kinds=len(inventory.treebanks)))
    _begin(network.encoder)
    return network


def _begin(encoder: Encoder) -> None:
    layers = range(encoder.shape.layers)
    begin_as(encoder, {name: torch.from_numpy(value.copy()) for name, value in parameters(load_e5(), layers)})


def lessons(work: Path, what: str) -> tuple[Inventory, list[Any], list[Any]]:
    """The classes, and what ``parser`` or ``cutter`` learn from and what is held out, cached in ``work``."""
    file = work / f"{what}.rows"
    if not file.exists():
        examples, pieces, rng = learning(), all_pieces(), np.random.default_rng(3)
        inventory = Inventory.of(examples[0])
        if what == "parser":
            made: list[list[Any]] = [rows(some, inventory, PieceCutter(pieces)) for some in examples]
        else:
            made = [cutting.lessons(some, inventory.treebanks, PieceCutter(pieces), rng) for some in examples]
        file.write_bytes(pickle.dumps((inventory, *made)))
    found: tuple[Inventory, list[Any], list[Any]] = pickle.loads(file.read_bytes())
    return found


def main() -> None:
    """Train, and print the figures of held-out sentences."""
    parser = command_line(__doc__)
    parser.add_argument("what", choices=LAYERS)
    parser.add_argument("--work", type=Path, required=True, help="folder for sentences and checkpoints, to go on from")
    given = parser.parse_args()
    begin()
    given.work.mkdir(parents=True, exist_ok=True)
    pieces, table = all_pieces(), BASES["student"].table()
    layers, total = LAYERS[given.what], LESSONS[given.what]
    to = given.work / f"{given.what}-{layers}.pt"
    inventory, learned, held_out = lessons(given.work, given.what)
    if given.what == "parser":
        plan = learn.plan_of(total, RATE, copies=learn.copies_of(learned, inventory))
        network = learn.learn(parser_of(inventory), table, pieces, learned, plan, to)
        found = learn.figures(network, table, pieces, held_out, inventory)
    else:
        cutter = cutting.learn(cutter_of(inventory), table, pieces, learned, total, RATE, to)
        found = cutting.figures(cutter, table, pieces, held_out, inventory.treebanks)
    for name, row in found.items():
        print(name, *(f"{what} {value:.1f}" for what, value in row.items()))


if __name__ == "__main__":
    main()
