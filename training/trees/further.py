"""Trains the shipped parser and cutter further on a treebank of your own: one command, minutes of one core.

``python -m training.trees.further FILE.conllu … --name de_mine --work FOLDER --to NETWORKS`` starts from the
shipped networks, read back from their 8-bit graphs, and trains them on the files (CoNLL-U, all of one language) as
another treebank of that language. A tenth of the sentences is held out; its figures are printed before and after. To
score with the new networks, give ``--set ud.networks=NETWORKS --set segmenter.networks=NETWORKS``.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from sema_reader.languages import all_pieces
from sema_ud.networks import CUTTER, LABELS, PARSER, WEIGHTS, Names, names
from torch import Tensor

from training.command import begin, command_line
from training.reader.bases import embeddings
from training.reader.network import Shape
from training.trees.__main__ import TASKS
from training.trees.batches import Inventory
from training.trees.export import export
from training.trees.learn import Network
from training.trees.treebanks import HELD_OUT, Example, examples

RATE = 5e-5
PASSES = 6
_PART = "network."


def stored(*files: Path) -> dict[str, Tensor]:
    """The weights of 8-bit graphs (:mod:`training.ucca.quantize`), by the names of a network's parameters."""
    found: dict[str, Tensor] = {}
    for file in files:
        constants = {one.name: numpy_helper.to_array(one) for one in onnx.load(str(file)).graph.initializer}
        for name, value in constants.items():
            product = re.fullmatch(r"/(.+)/MatMul_output_0\.weight", name)
            if product is not None:
                scale = constants[f"/{product[1]}/MatMul_output_0.scale"]
                weight = value.astype(np.float32) * scale
                own = product[1].replace("/", ".").removeprefix(_PART)
                found[f"{own}.weight"] = torch.from_numpy(weight.T.copy())
            elif not name.startswith(("/", "rows.")):
                found[name.removeprefix(_PART)] = torch.from_numpy(value.astype(np.float32))
    return found


def shipped(network: Network, *files: Path) -> Network:
    """The network with the weights of the shipped graphs; it has one treebank more than they have."""
    state = network.state_dict()
    for name, value in stored(*files).items():
        if name not in state:
            raise ValueError(f"the graph's {name!r} is none of the network's parameters")
        state[name][: len(value)] = value
    network.load_state_dict(state)
    return network


def shape_of(known: Names, file: Path) -> Shape:
    """The shape of a graph's encoder with one treebank more."""
    layers = {match[1] for name in stored(file) if (match := re.match(r"encoder\.layers\.(\d+)\.", name))}
    return Shape(layers=len(layers), kinds=len(known.treebanks) + 1)


def read(files: list[Path], name: str) -> tuple[list[Example], list[Example]]:
    """The sentences of the files to train on, and the held-out ones."""
    found = [replace(one, treebank=name) for file in files for one in examples(file)]
    learned = [one for number, one in enumerate(found) if number % HELD_OUT]
    return learned, found[::HELD_OUT]


def main() -> None:
    """Train further, and write networks with their names and checksums."""
    parser = command_line(__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.conllu")
    parser.add_argument("--name", required=True, help="the treebank: the language's code, _ and a word: de_mine")
    parser.add_argument("--work", type=Path, required=True, help="folder for checkpoints, to go on from")
    parser.add_argument("--to", type=Path, required=True, help="folder of the networks")
    given = parser.parse_args()
    begin()
    given.work.mkdir(parents=True, exist_ok=True)
    known = names(WEIGHTS)
    inventory = Inventory((*known.treebanks, given.name), tuple(known.tags), tuple(known.relations))
    pieces, table = all_pieces(), embeddings()
    learned, held_out = read(given.files, given.name)

    rng = np.random.default_rng(3)
    networks = {}
    for what, files in (("parser", (WEIGHTS / PARSER, WEIGHTS / LABELS)), ("cutter", (WEIGHTS / CUTTER,))):
        task = TASKS[what]
        network = shipped(task.network(shape_of(known, files[0]), inventory), *files)
        lessons, kept = (task.lessons(some, inventory, pieces, rng) for some in (learned, held_out))
        print("before", task.figures(network, table, pieces, kept, inventory))
        plan = task.plan(PASSES * len(lessons), RATE)
        networks[what] = task.learn(network, table, pieces, lessons, plan, given.work / f"{what}.pt")
        print("after", task.figures(networks[what], table, pieces, kept, inventory))
    languages = {**known.languages, given.name.split("_")[0]: given.name}
    export(networks["parser"], networks["cutter"], inventory, languages, given.to)


if __name__ == "__main__":
    main()
