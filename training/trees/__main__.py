"""Trains the networks that read trees of all languages: ``python -m training.trees parser|cutter --work FOLDER``.

Both start from layers of multilingual-e5-small and are trained on the treebanks of ``ud/multi``, ``ud/en_ewt`` and
Chinese. The parser takes an hour and a quarter of one core, the cutter half an hour. A stopped run resumes from its
last save. ``python -m training.trees.export`` writes the files that ship.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from sema_reader.e5 import load_e5
from sema_reader.languages import all_pieces
from sema_ud.atoms import AtomCutter
from sema_ud.word_pieces import WordCutter

from training.command import begin, command_line
from training.reader.bases import BASES
from training.reader.e5 import parameters
from training.reader.network import Encoder, Shape, begin_as
from training.trees import cutting, learn
from training.trees.batches import Inventory, Row, rows
from training.trees.cutting import CuttingNetwork, Lesson
from training.trees.network import TreeNetwork
from training.trees.treebanks import learning

LAYERS = {"parser": 6, "cutter": 4}
LESSONS = {"parser": 300_000, "cutter": 60_000}
"""Sentences that are read in all; for the cutter texts."""
RATE = 2e-4
Made = TypeVar("Made")


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


def sentences(work: Path) -> tuple[Inventory, list[Row], list[Row]]:
    """The parser's classes, its training sentences and the held-out ones, cached in ``work``."""

    def make() -> tuple[Inventory, list[Row], list[Row]]:
        learned, held_out = learning()
        inventory, cutter = Inventory.of(learned), WordCutter(all_pieces())
        return inventory, rows(learned, inventory, cutter), rows(held_out, inventory, cutter)

    return _once(work / "parser.rows", make)


def running_text(work: Path) -> tuple[Inventory, list[Lesson], list[Lesson]]:
    """The same for the cutter."""

    def make() -> tuple[Inventory, list[Lesson], list[Lesson]]:
        learned, held_out = learning()
        inventory, cutter, rng = Inventory.of(learned), AtomCutter(all_pieces()), np.random.default_rng(3)
        texts = (cutting.lessons(some, inventory.treebanks, cutter, rng) for some in (learned, held_out))
        return inventory, *texts  # type: ignore[return-value]

    return _once(work / "cutter.rows", make)


def _once(file: Path, make: Callable[[], Made]) -> Made:
    if not file.exists():
        file.write_bytes(pickle.dumps(make()))
    found: Made = pickle.loads(file.read_bytes())
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
    if given.what == "parser":
        inventory, learned, held_out = sentences(given.work)
        plan = learn.plan_of(total, RATE, copies=learn.copies_of(learned, inventory))
        network = learn.learn(parser_of(inventory), table, pieces, learned, plan, to)
        found = learn.figures(network, table, pieces, held_out, inventory)
    else:
        inventory, texts, kept = running_text(given.work)
        cutter = cutting.learn(cutter_of(inventory), table, pieces, texts, total, RATE, to)
        found = cutting.figures(cutter, table, pieces, kept, inventory.treebanks)
    for name, row in found.items():
        print(name, *(f"{what} {value:.1f}" for what, value in row.items()))


if __name__ == "__main__":
    main()
