"""Trains a network that reads pairs: ``python -m training.reader teacher|english|languages --work FOLDER``.

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
from collections.abc import Iterable
from pathlib import Path
from random import Random

import torch

from training.reader import teach
from training.reader.bases import BASES
from training.reader.batches import Row, encode
from training.reader.learn import learn
from training.reader.material import rows
from training.reader.network import PairNetwork
from training.reader.plans import PLANS, Stage

EXAMPLES, LABELS = "examples.jsonl", "labels.npz"


def examples(work: Path) -> list[Row]:
    """All examples, each with its number as ``i``; they are made once for a folder."""
    file = work / EXAMPLES
    if not file.exists():
        file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows(Random(4))), encoding="utf-8")
    lines = file.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) | {"i": number} for number, line in enumerate(lines)]


def chosen(found: Iterable[Row], stage: Stage) -> list[Row]:
    """The rows that a stage draws from, groups whole: a share of each kind, in a chance that the seed decides."""
    rng = Random(stage.seed)
    groups: dict[int, bool] = {}
    kept = []
    for row in found:
        share = stage.shares.get(row["k"], 0.0)
        if share and groups.setdefault(row.get("g") or -1 - row["i"], rng.random() < share):
            kept.append(row)
    return kept


def train(name: str, work: Path, device: str) -> PairNetwork:
    """Run the stages of a network that are not done."""
    base, plan = BASES[name], PLANS[name]
    network = base.network()
    found: list[Row] = []
    for stage in plan.stages:
        weights = work / f"{name}.{stage.name}.pt"
        if not weights.exists():
            found = found or examples(work)
            taught = teach.load(work / LABELS) if stage.taught else {}
            pairs = encode(base.cutter(), chosen(found, stage), taught).to(device)
            learn(network, base.table().to(device), pairs, stage.plan(plan.pieces), weights)
        network.load_state_dict(torch.load(weights, weights_only=True))
    return network.cpu()


def main() -> None:
    """Train; of what ships, export the graph and fit the scale."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=[*BASES, "label"])
    parser.add_argument("--work", type=Path, required=True, help="folder for examples and checkpoints, to go on from")
    parser.add_argument("--to", type=Path, help="folder of the weights (default: where they ship)")
    arguments = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    arguments.work.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    if arguments.what == "label":
        teacher = train("teacher", arguments.work, device)
        teach.label(teacher, examples(arguments.work), arguments.work / LABELS, device)
        return
    network = train(arguments.what, arguments.work, device)
    if arguments.what != "teacher":
        from training.reader.export import ship

        ship(arguments.what, network, arguments.to)


if __name__ == "__main__":
    main()
