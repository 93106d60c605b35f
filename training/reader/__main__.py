"""Trains a cross-encoder: ``python -m training.reader teacher|english|languages --work FOLDER``.

A network begins as an encoder that a package carries (:mod:`training.reader.bases`). A stage goes on from the weights
of the one before and reads a part of each kind of example; a stage whose weights are in the folder is not repeated.

- ``teacher`` learns from people's labels and from texts broken on purpose. It never ships.
- ``english`` and ``languages`` learn from both kinds of labels; their graphs are exported and their scales fitted.
- ``label --by NAME …`` has networks read examples, for a stage that is taught (:mod:`training.reader.teach`): with the
  weights of their last stage that is not, or with those that ship.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Sequence
from pathlib import Path

import torch
from sema_english.meaning.reader import WEIGHTS as ENGLISH
from sema_reader.languages import WEIGHTS as LANGUAGES
from sema_reader.reader import GRAPH

from training.reader import material, teach
from training.reader.bases import BASES
from training.reader.batches import Row, encode
from training.reader.begin import shipped
from training.reader.learn import learn
from training.reader.network import PairNetwork
from training.reader.plans import LABELLED, PLANS, chosen

EXAMPLES = "examples.jsonl"
SHIPPED = {"english": ENGLISH, "languages": LANGUAGES}


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
        torch.save(shipped(name, network, begin), work / f"{name}.{plan.stages[0].name}.pt")
    rows: list[Row] = []
    for stage in plan.stages:
        weights = work / f"{name}.{stage.name}.pt"
        if not weights.exists():
            rows = rows or examples(work)
            taught = teach.load(work) if stage.taught else {}
            pairs = encode(base.cutter(), chosen(rows, stage), taught).to(device)
            learn(network, base.table().to(device), pairs, stage.plan(plan.pieces), weights)
        network.load_state_dict(torch.load(weights, weights_only=True))
    return network.cpu()


def label(teachers: Sequence[str], work: Path) -> None:
    """Have each teacher read the examples that it labels."""
    rows = examples(work)
    for name in teachers:
        base, network = BASES[name], BASES[name].network()
        last = [stage.name for stage in PLANS[name].stages if not stage.taught][-1]
        trained = work / f"{name}.{last}.pt"
        if trained.exists() or name not in SHIPPED:
            network.load_state_dict(torch.load(trained, weights_only=True))
        else:
            network.load_state_dict(shipped(name, network, SHIPPED[name] / GRAPH))
        teach.label(network, base, chosen(rows, LABELLED[name]), work / teach.LABELS.format(name))


def main() -> None:
    """Train; of what ships, export the graph and fit the scale."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*PLANS, "label"])
    parser.add_argument("--work", type=Path, required=True, help="folder for examples and checkpoints, to go on from")
    parser.add_argument("--to", type=Path, help="folder of the weights (default: where they ship)")
    parser.add_argument(
        "--by", nargs="+", choices=LABELLED, default=["english", "languages"], help="teachers (default: both)"
    )
    parser.add_argument("--begin", type=Path, help="a graph that ships: its weights stand for those of the first stage")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    arguments.work.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if arguments.what == "label":
        label(arguments.by, arguments.work)
        return
    network = train(arguments.what, arguments.work, device, arguments.begin)
    if arguments.what != "teacher":
        from training.reader.export import ship

        ship(arguments.what, network, arguments.to)


if __name__ == "__main__":
    main()
