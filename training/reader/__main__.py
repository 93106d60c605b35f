"""Trains a cross-encoder: ``python -m training.reader teacher|english|languages --work FOLDER``.

A network begins as an encoder that a package carries (:mod:`training.reader.bases`). A stage goes on from the weights
of the one before and reads a part of each kind of example; a stage whose weights are in the folder is not repeated.

- ``teacher`` learns from people's labels and from texts broken on purpose. It never ships.
- ``label`` has the teacher read examples (:mod:`training.reader.teach`).
- ``english`` and ``languages`` learn from both kinds of labels; their graphs are exported and their scales fitted.
"""

from __future__ import annotations

import argparse
import json
import logging
from pathlib import Path

import torch

from training.reader import material, teach
from training.reader.bases import BASES
from training.reader.batches import Row, encode
from training.reader.begin import of_graph
from training.reader.learn import learn
from training.reader.network import PairNetwork
from training.reader.plans import LABELLED, PLANS, chosen

EXAMPLES, LABELS = "examples.jsonl", "labels.npz"


def examples(work: Path) -> list[Row]:
    """All examples, each with its number as ``i``; they are made once for a folder."""
    file = work / EXAMPLES
    if not file.exists():
        material.write(file)
    lines = file.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) | {"i": number} for number, line in enumerate(lines)]


def train(name: str, work: Path, device: str, begin: Path | None = None) -> PairNetwork:
    """Run the stages of a network that are not done; the graph ``begin`` stands for the first one."""
    base, plan = BASES[name], PLANS[name]
    network = base.network()
    if begin is not None:
        torch.save(of_graph(network, begin), work / f"{name}.{plan.stages[0].name}.pt")
    rows: list[Row] = []
    for stage in plan.stages:
        weights = work / f"{name}.{stage.name}.pt"
        if not weights.exists():
            rows = rows or examples(work)
            taught = teach.load(work / LABELS) if stage.taught else {}
            pairs = encode(base.cutter(), chosen(rows, stage), taught).to(device)
            learn(network, base.table().to(device), pairs, stage.plan(plan.pieces), weights)
        network.load_state_dict(torch.load(weights, weights_only=True))
    return network.cpu()


def main() -> None:
    """Train; of what ships, export the graph and fit the scale."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*BASES, "label"])
    parser.add_argument("--work", type=Path, required=True, help="folder for examples and checkpoints, to go on from")
    parser.add_argument("--to", type=Path, help="folder of the weights (default: where they ship)")
    parser.add_argument("--begin", type=Path, help="a graph that ships: its weights stand for those of the first stage")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    arguments.work.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if arguments.what == "label":
        network = train("teacher", arguments.work, device)
        teach.label(network, BASES["teacher"], chosen(examples(arguments.work), LABELLED), arguments.work / LABELS)
        return
    network = train(arguments.what, arguments.work, device, arguments.begin)
    if arguments.what != "teacher":
        from training.reader.export import ship

        ship(arguments.what, network, arguments.to)


if __name__ == "__main__":
    main()
