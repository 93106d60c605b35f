"""Trains the networks that read trees of all languages: ``python -m training.trees parser|cutter --work FOLDER``.

Both start from layers of multilingual-e5-small and are trained on the treebanks of ``ud/multi``, ``ud/en_ewt`` and
Chinese. The parser takes an hour and a quarter of one core, the cutter half an hour. A stopped run resumes from its
last save. ``python -m training.trees.export`` writes the files that ship.
"""

from __future__ import annotations

import argparse
import logging
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
Made = TypeVar("Made")


def parser_of(inventory: Inventory, layers: int) -> TreeNetwork:
    """The parser before training, on the encoder's first layers."""
    torch.manual_seed(1)
    shape = Shape(layers=layers, kinds=len(inventory.treebanks))
    network = TreeNetwork(shape, len(inventory.tags), len(inventory.relations))
    _begin(network.encoder)
    return network


def cutter_of(inventory: Inventory, layers: int) -> CuttingNetwork:
    """The cutter before training."""
    torch.manual_seed(1)
    network = CuttingNetwork(Shape(layers=layers, kinds=len(inventory.treebanks)))
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=LAYERS)
    parser.add_argument("--work", type=Path, required=True, help="folder for sentences and checkpoints, to go on from")
    parser.add_argument("--layers", type=int)
    parser.add_argument("--lessons", type=int, help="sentences (texts, for the cutter) that are read in all")
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--figures", action="store_true", help="only those of what was trained")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(given.threads)
    given.work.mkdir(parents=True, exist_ok=True)
    layers, total = given.layers or LAYERS[given.what], given.lessons or LESSONS[given.what]
    pieces, table = all_pieces(), BASES["student"].table()
    to = given.work / f"{given.what}-{layers}.pt"
    if given.what == "parser":
        inventory, learned, held_out = sentences(given.work)
        network = parser_of(inventory, layers)
        if given.figures:
            network.load_state_dict(torch.load(to, weights_only=True))
        else:
            plan = learn.plan_of(total, given.rate, copies=learn.copies_of(learned, inventory))
            network = learn.learn(network, table, pieces, learned, plan, to)
        found = learn.figures(network, table, pieces, held_out, inventory)
    else:
        inventory, texts, kept = running_text(given.work)
        cutter = cutter_of(inventory, layers)
        if given.figures:
            cutter.load_state_dict(torch.load(to, weights_only=True))
        else:
            cutter = cutting.learn(cutter, table, pieces, texts, total, given.rate, to)
        found = cutting.figures(cutter, table, pieces, kept, inventory.treebanks)
    for name, row in found.items():
        print(name, *(f"{what} {value:.1f}" for what, value in row.items()))


if __name__ == "__main__":
    main()
