"""Trains the parser of all languages: ``python -m training.trees --work FOLDER`` (about an hour and a half of one core).

It begins as layers of multilingual-e5-small and reads the treebanks of ``ud/multi``, ``ud/en_ewt`` and Chinese. A run
that was stopped goes on where it saved last. ``python -m training.trees.export`` writes what ships.
"""

from __future__ import annotations

import argparse
import logging
import pickle
from pathlib import Path

import torch
from sema_reader.e5 import load_e5
from sema_reader.languages import all_pieces
from sema_ud.word_pieces import WordCutter

from training.reader.bases import BASES
from training.reader.e5 import parameters
from training.reader.network import Shape, begin_as
from training.trees.batches import Inventory, Row, rows
from training.trees.learn import Plan, copies_of, figures, learn
from training.trees.network import TreeNetwork
from training.trees.treebanks import learning


def network_of(inventory: Inventory, layers: int) -> TreeNetwork:
    """The network before it has learned anything: the encoder's first layers."""
    torch.manual_seed(1)
    shape = Shape(layers=layers, kinds=len(inventory.treebanks))
    network = TreeNetwork(shape, len(inventory.tags), len(inventory.relations))
    begin_as(network.encoder, {n: torch.from_numpy(v.copy()) for n, v in parameters(load_e5(), range(layers))})
    return network


def prepared(work: Path) -> tuple[Inventory, list[Row], list[Row]]:
    """What the network tells apart, what it learns from, what is held out; made once for a folder."""
    file = work / "trees.rows"
    if not file.exists():
        learned, held_out = learning()
        inventory, cutter = Inventory.of(learned), WordCutter(all_pieces())
        file.write_bytes(pickle.dumps((inventory, rows(learned, inventory, cutter), rows(held_out, inventory, cutter))))
    found: tuple[Inventory, list[Row], list[Row]] = pickle.loads(file.read_bytes())
    return found


def main() -> None:
    """Train, and print the figures of held-out sentences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for sentences and checkpoints, to go on from")
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--sentences", type=int, default=240_000)
    parser.add_argument("--rate", type=float, default=2e-4)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--figures", action="store_true", help="only those of what was trained")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    torch.set_num_threads(given.threads)
    given.work.mkdir(parents=True, exist_ok=True)
    inventory, learned, held_out = prepared(given.work)
    network, cutter, table = network_of(inventory, given.layers), all_pieces(), BASES["student"].table()
    to = given.work / f"trees-{given.layers}.pt"
    if given.figures:
        network.load_state_dict(torch.load(to, weights_only=True))
    else:
        plan = Plan(given.sentences, given.rate, copies=copies_of(learned, inventory))
        network = learn(network, table, cutter, learned, plan, to)
    for name, row in figures(network, table, cutter, held_out, inventory).items():
        print(name, *(f"{what} {value:.1f}" for what, value in row.items()))


if __name__ == "__main__":
    main()
